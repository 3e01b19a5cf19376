"""Every example runs."""

import importlib.util
import io
import runpy
import sys

import chess.engine
import chess.pgn
import pytest

GAME = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n'


@pytest.fixture
def pgn(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAME * 2)
    return path


@pytest.fixture
def example(root_dir):
    def load(name: str):
        spec = importlib.util.spec_from_file_location(name, root_dir / "examples" / f"{name}.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_a_collection_becomes_a_table(example, pgn, tmp_path):
    table = tmp_path / "table.csv"
    example("pgn_table").main([str(pgn), str(table), "--nodes", "200", "--workers", "1",
                               "--resume", str(tmp_path / "kept")])
    rows = table.read_text().splitlines()
    assert len(rows) == 1 + 2 * 8 and rows[0].startswith("game,ply,fen")
    assert rows[7].split(",")[4:6] == ["1", "h5f7"]


LICHESS_BOT = '''
class EngineWrapper:
    def __init__(self, options, draw_or_resign):
        self.scores = []
        self.go_commands = options.pop("go_commands", {}) or {}

    def search(self, board, time_limit, ponder, draw_offered, root_moves):
        time_limit.nodes = self.go_commands.get("nodes")
        result = self.engine.play(board, time_limit, info=31, ponder=ponder, draw_offered=draw_offered,
                                  root_moves=root_moves if isinstance(root_moves, list) else None)
        self.scores.append(result.info["score"])
        return result

    def __enter__(self):
        self.engine.__enter__()
        return self

    def __exit__(self, *error):
        self.engine.ping()
        self.engine.quit()
        self.engine.__exit__(*error)


class MinimalEngine(EngineWrapper):
    def __init__(self, commands, options, stderr, draw_or_resign, game=None, {sixth}=None, **popen_args):
        super().__init__(options, draw_or_resign)
        self.engine = None

    def search(self, *arguments):
        raise NotImplementedError("The search method is not implemented")
'''


@pytest.mark.parametrize("sixth", ["debug", "name"])
def test_a_homemade_engine_of_lichess_bot(root_dir, tmp_path, monkeypatch, sixth):
    """Appended to lichess-bot's homemade.py, and made and used the way lichess-bot does."""
    library = tmp_path / "lib"
    library.mkdir()
    (library / "engine_wrapper.py").write_text(LICHESS_BOT.replace("{sixth}", sixth))
    example = (root_dir / "examples" / "homemade.py").read_text()
    before = '"""Some example classes."""\nimport chess\n\n\nclass Other:\n    pass\n'
    (tmp_path / "homemade.py").write_text(before + example)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("lib", "lib.engine_wrapper"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    homemade = runpy.run_path(str(tmp_path / "homemade.py"))
    more = (True,) if sixth == "debug" else ()
    options = {"Hash": 4, "Move Overhead": 50, "go_commands": {"nodes": 500}}
    with homemade["Barreleye"](["engines/Barreleye"], options, None, object(), None, *more, cwd="") as player:
        board = chess.Board()
        for moves in (None, [chess.Move.from_uci("a7a6")], None):
            result = player.search(board, chess.engine.Limit(time=10), moves is None, False, moves)
            board.push(result.move)
        assert board.move_stack[1].uci() == "a7a6" and player.engine.id["name"].startswith("Barreleye")
        native = player.engine
    with pytest.raises(chess.engine.EngineTerminatedError):
        native.search(depth=1)


def test_a_graph_of_a_game_as_text(example, pgn, capsys):
    module = example("evaluation_graph")
    module.shares.__defaults__ = (2000,)
    module.main([str(pgn)])
    values = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines()]
    assert len(values) == 8 and values[-2:] == [1.0, 1.0] and 0.3 < values[0] < 0.7


def test_a_graph_of_a_game_as_a_picture(example, tmp_path):
    pytest.importorskip("matplotlib")
    game = chess.pgn.read_game(io.StringIO(GAME))
    example("evaluation_graph").plot(game, 100).savefig(tmp_path / "graph.png")
    assert (tmp_path / "graph.png").stat().st_size > 1000


def test_an_experiment_with_the_search(example, capsys):
    example("without_null_move").main(["Null Move", "--depth", "6", "--positions", "3"])
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2 and "without Null Move" in said[1] and said[1].endswith("%")


@pytest.mark.parametrize(("words", "status"), [(["--help"], 0), ([], 2)])
def test_the_graph_explains_itself(example, words, status, capsys):
    with pytest.raises(SystemExit) as stopped:
        example("evaluation_graph").main(words)
    assert stopped.value.code == status and "game.pgn graph.png" in capsys.readouterr().out
