"""Every example runs."""

import importlib.util
import io
import runpy

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


def test_a_homemade_engine_of_lichess_bot(root_dir, capsys):
    runpy.run_path(str(root_dir / "examples" / "homemade.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_a_graph_of_a_game_as_text(example, pgn, capsys):
    module = example("evaluation_graph")
    module.shares.__defaults__ = (200,)
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
