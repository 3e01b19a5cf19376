"""The `stockfish` package of PyPI, which many programs use, drives Barreleye as it drives Stockfish."""

import sys
import threading

import chess
import pytest

stockfish = pytest.importorskip("stockfish", reason="the stockfish package is not installed: pip install stockfish")

KING_AND_PAWN = "8/8/8/4k3/8/8/4PK2/8 w - - 0 1"
CHECK = "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture(scope="module")
def wrapper(tmp_path_factory):
    """It asks `id name` for a version number, and starts one program without arguments."""
    program = tmp_path_factory.mktemp("bin") / "engine"
    program.write_text(f"""#!{sys.executable}
import sys
from barreleye.uci.loop import main
sys.exit(main())
""")
    program.chmod(0o755)
    made = []
    maker = threading.Thread(target=lambda: made.append(stockfish.Stockfish(str(program), depth=6)), daemon=True)
    maker.start()
    maker.join(60)
    assert made, "the constructor hangs"
    yield made[0]
    made[0].send_quit_command()


def test_positions_and_moves(wrapper):
    wrapper.set_fen_position(chess.STARTING_FEN)
    wrapper.make_moves_from_current_position(["e2e4", "e7e5"])
    assert wrapper.get_fen_position() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert wrapper.is_move_legal("g1f3") and not wrapper.is_move_legal("e4e5")
    assert wrapper.get_board_visual().count("+---+") and wrapper.get_what_is_on_square("e4").value == "P"
    assert wrapper.get_best_move() in {move.uci() for move in chess.Board(wrapper.get_fen_position()).legal_moves}
    assert wrapper.get_perft(2)[0] == sum(wrapper.get_perft(2)[1].values())
    with pytest.raises(ValueError, match="Incorrect move"):
        wrapper.make_moves_from_current_position(["a1a5"])


def test_evaluations(wrapper):
    wrapper.set_fen_position(KING_AND_PAWN)
    assert wrapper.get_static_eval() > 0
    assert wrapper.get_evaluation()["type"] in ("cp", "mate")
    assert sum(wrapper.get_wdl_stats()) == 1000
    assert len(wrapper.get_top_moves(3)) == 3
    wrapper.set_fen_position(CHECK)
    assert wrapper.get_static_eval() is None
    assert wrapper.get_fen_position() == CHECK


def test_settings_and_bench(wrapper):
    wrapper.set_fen_position(chess.STARTING_FEN)
    wrapper.set_elo_rating(1500)
    assert wrapper.get_best_move_time(50)
    wrapper.resume_full_strength()
    wrapper.update_engine_parameters({"Hash": 4, "MultiPV": 300})
    wrapper.update_engine_parameters({"MultiPV": 1, "UCI_Chess960": True})
    wrapper.set_fen_position(chess.STARTING_FEN)
    assert " HAha " in wrapper.get_fen_position()
    wrapper.update_engine_parameters({"UCI_Chess960": False})
    assert wrapper.benchmark(stockfish.Stockfish.BenchmarkParameters(ttSize=1, limit=1)).startswith("Nodes/second")
