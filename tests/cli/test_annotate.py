"""The annotate and puzzles commands."""

import json
import os
import stat
import threading

import chess.pgn
import pytest
from tests.analysis.conftest import SCHOLAR

from barreleye import lock, output
from barreleye.analysis import many
from barreleye.analysis.resume import Journal
from barreleye.cli import main
from barreleye.cli.progress import PositionBar

QUICK = ["--nodes", "500", "--threads", "2", "--hash", "1"]
BROKEN = '[Event "x"]\n[White "Q"]\n\n1. e4 e5 2. Ke3 *\n\n'


@pytest.fixture
def pgn(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(SCHOLAR + "\n" + SCHOLAR.replace("Anna", "Clara"))
    return path


def read_all(path):
    games = []
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    return games


def test_files(pgn, tmp_path, capsys):
    out, html = tmp_path / "out.pgn", tmp_path / "report.html"
    assert main(["annotate", str(pgn), "-o", str(out), "--html", str(html), *QUICK]) == 0
    said = capsys.readouterr()
    assert said.out == "" and "2 games annotated" in said.err
    assert [game.headers["White"] for game in read_all(out)] == ["Anna", "Clara"]
    assert "Clara" in html.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "out.pgn", "report.html"]


def test_standard_output_and_json(pgn, capsys):
    assert main(["annotate", str(pgn), *QUICK]) == 0
    assert capsys.readouterr().out.count("[%eval #1]") == 2
    assert main(["annotate", str(pgn), "--json", *QUICK]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["headers"]["White"] == "Anna" and second["headers"]["White"] == "Clara"
    assert first["black"]["blunder"] >= 1 and first["moves"][5]["judgement"] == "blunder"
    assert first["moves"][5]["best"] and first["moves"][1]["clock"] == 178


@pytest.fixture
def searched(monkeypatch):
    """An entry for every position that is searched."""
    seen, analyse_one = [], many.analyse_one

    def counted(*rest):
        seen.append(1)
        return analyse_one(*rest)

    monkeypatch.setattr(many, "analyse_one", counted)
    return seen


@pytest.mark.parametrize(("chunks", "left"), [(1, 14), (2, 8), (3, 6)])
def test_an_interrupted_run_goes_on_also_within_a_game(pgn, tmp_path, monkeypatch, capsys, searched, chunks, left):
    """Each of the games has eight positions, in chunks of two and six."""
    whole, out = tmp_path / "whole.pgn", tmp_path / "out.pgn"
    assert main(["annotate", str(pgn), "-o", str(whole), *QUICK]) == 0
    words, write, written = ["annotate", str(pgn), "-o", str(out), *QUICK], Journal.write, []

    def interrupted(self, records):
        write(self, records)
        written.append(1)
        if len(written) == chunks:
            raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupted)
    assert main(words) == 130
    assert capsys.readouterr().err.endswith("interrupted; give the same command again to continue\n")
    assert not out.exists() and (tmp_path / "out.pgn.progress").exists()
    searched.clear()
    assert main(words) == 0
    assert len(searched) == left and out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / "out.pgn.progress").exists()


def test_what_another_run_left_is_begun_anew(pgn, tmp_path, monkeypatch, searched):
    out, write = tmp_path / "out.pgn", Journal.write

    def interrupted(self, records):
        write(self, records)
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupted)
    assert main(["annotate", str(pgn), "-o", str(out), *QUICK, "--nodes", "300"]) == 130
    monkeypatch.setattr(Journal, "write", write)
    searched.clear()
    assert main(["annotate", str(pgn), "-o", str(out), *QUICK]) == 0 and len(searched) == 16
    diary = tmp_path / "out.pgn.progress"
    diary.write_text("my diary")
    assert main(["annotate", str(pgn), "-o", str(out), *QUICK]) == 2 and diary.read_text() == "my diary"


def test_the_result_does_not_depend_on_the_number_of_threads(pgn, capsys):
    said = []
    for threads in ("1", "2", "3"):
        for command in ("annotate", "puzzles"):
            assert main([command, str(pgn), *QUICK, "--threads", threads]) == 0
        said.append(capsys.readouterr())
    assert said[0] == said[1] == said[2]


OPERA = """\
[Event "Opera Game"]
[White "Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def test_explained(tmp_path, capsys):
    """A real game from end to end: the same on one thread and two, into PGN, JSON and report, twice, and out again."""
    source, out, html = (tmp_path / name for name in ("opera.pgn", "out.pgn", "report.html"))
    source.write_text(OPERA)
    words = ["--nodes", "4000", "--hash", "4"]
    assert main(["annotate", str(source), *words]) == 0
    plain = capsys.readouterr().out
    assert "would have" not in plain
    files = ["--html", str(html), "-o", str(out)]
    assert main(["annotate", str(source), "--explain", *files, "--threads", "2", *words]) == 0
    capsys.readouterr()
    explained = out.read_text(encoding="utf-8")
    for threads in ("1", "2"):
        assert main(["annotate", str(source), "--explain", "--threads", threads, *words]) == 0
        assert capsys.readouterr().out == explained
    [game] = read_all(out)
    comments = {node.san(): " ".join(node.comment.split()) for node in game.mainline() if "was best." in node.comment}
    assert "Nxd7 allows mate in two, beginning with 16.Qb8+. Qxd7 would have held out longer." in comments["Nxd7"]
    assert all(f"{san} " in said.split("was best. ")[1] for san, said in comments.items()) and len(comments) > 3
    report = html.read_text(encoding="utf-8")
    assert report.count("<p class='why'>") == len(comments) and "Nxd7 allows mate in two" in report
    assert main(["annotate", str(out), "--explain", *words]) == 0
    assert capsys.readouterr().out == explained
    assert main(["annotate", str(out), *words]) == 0
    assert capsys.readouterr().out == plain
    assert main(["annotate", str(source), "--explain", "--json", *words]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert [move["explanation"] is not None for move in moves] == [move["judgement"] is not None for move in moves]


def test_an_interrupted_run_is_explained_too(tmp_path, monkeypatch, capsys):
    source, whole, out = (tmp_path / name for name in ("opera.pgn", "whole.pgn", "out.pgn"))
    source.write_text(OPERA)
    assert main(["annotate", str(source), "--explain", "-o", str(whole), *QUICK]) == 0
    write = Journal.write

    def interrupted(self, records):
        write(self, records)
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupted)
    assert main(["annotate", str(source), "--explain", "-o", str(out), *QUICK]) == 130
    monkeypatch.setattr(Journal, "write", write)
    assert main(["annotate", str(source), "--explain", "-o", str(out), *QUICK]) == 0
    assert out.read_bytes() == whole.read_bytes() and "would have" in out.read_text(encoding="utf-8")


def test_broken_games_are_told_and_kept(tmp_path, capsys):
    path = tmp_path / "some.pgn"
    path.write_text(BROKEN + SCHOLAR)
    assert main(["annotate", str(path), *QUICK]) == 1
    said = capsys.readouterr()
    assert said.err == ("barreleye annotate: game 1 (Q - ?): 2. Ke3 is not a legal move; "
                        "kept as it is\n")
    assert said.out.startswith(BROKEN) and "Anna" in said.out
    assert main(["annotate", str(path), "--json", *QUICK]) == 1
    said = capsys.readouterr()
    assert said.err.endswith("; left out\n") and len(said.out.splitlines()) == 1


def test_no_game_gets_lost(tmp_path, capsys):
    empty = '[Event "nothing"]\n[White "N"]\n\n{ still to come } *\n\n'
    path, out = tmp_path / "some.pgn", tmp_path / "out.pgn"
    path.write_bytes(f"{empty}{SCHOLAR}\n{BROKEN}{SCHOLAR.replace('Anna', 'Clara')}\n{BROKEN}".encode())
    assert main(["annotate", str(path), "-o", str(out), *QUICK]) == 1
    written = out.read_text(encoding="utf-8")
    assert written.startswith(empty) and written.count(BROKEN) == 2 and written.endswith(BROKEN)
    assert [game.headers["White"] for game in read_all(out)] == ["N", "Anna", "Q", "Clara", "Q"]
    path.write_text(BROKEN)
    assert main(["annotate", str(path), "-o", str(out), *QUICK]) == 2 and out.read_text(encoding="utf-8") == written


def test_a_broken_variation_spoils_no_game(tmp_path, capsys):
    path = tmp_path / "some.pgn"
    path.write_text(SCHOLAR.replace("(3... g6 4. Qf3",
                                    "(3... g6 4. Ke5 { why } (4. Qf3 Nf6) Nf6) (3... Kd4) { so }\n(3... Qe7 4. Qf3"))
    assert main(["annotate", str(path), *QUICK]) == 1
    said = capsys.readouterr()
    assert "in a variation, 4. Ke5 is not a legal move" in said.err and "3... Kd4" in said.err
    assert said.err.count("\n") == 2
    assert "Qxf7#" in said.out and "calm" in said.out


def test_no_file_is_written_over_another(pgn, tmp_path, capsys):
    before = pgn.read_bytes()
    other = tmp_path / "x"
    for words in (["-o", str(pgn)], ["--html", str(pgn)], ["-o", str(other), "--html", str(other)]):
        assert main(["annotate", str(pgn), *words, *QUICK]) == 2
        assert "name another file" in capsys.readouterr().err
    assert pgn.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_nothing_is_promised_when_nothing_was_kept(pgn, tmp_path, monkeypatch, capsys):
    def interrupted(self, records):
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupted)
    assert main(["annotate", str(pgn), "-o", str(tmp_path / "out.pgn"), *QUICK]) == 130
    assert capsys.readouterr().err == "barreleye annotate: interrupted; nothing was kept\n"
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


@pytest.mark.parametrize("command", ["annotate", "puzzles"])
def test_no_name_is_obeyed_by_a_terminal(tmp_path, monkeypatch, capsys, command):
    monkeypatch.setenv("FORCE_COLOR", "1")              # standard error is taken for a terminal
    name = "[/red]Evil\x1b]0;gotcha\x07[link=x]"
    path, out = tmp_path / "[bold]games.pgn", tmp_path / "[bold]out.pgn"
    path.write_text(SCHOLAR.replace("Anna", name) + "\n" + BROKEN.replace("Q", name))
    assert main([command, str(path), "-o", str(out), *QUICK]) == 1
    said = capsys.readouterr().err
    assert "Evil?]0;gotcha?" in said and "Evil\x1b" not in said and "\x07" not in said
    assert name in out.read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("command", ["annotate", "puzzles"])
def test_outputs_that_are_no_files_are_written_to(pgn, tmp_path, command):
    pipe, link, read = tmp_path / "pipe", tmp_path / "link", []
    os.mkfifo(pipe)
    link.symlink_to("real.pgn")
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    for target in (pipe, link, "/dev/null"):
        assert main([command, str(pgn), "-o", str(target), *QUICK]) == 0
    reader.join()
    assert read == [(tmp_path / "real.pgn").read_text()] and "Clara" in read[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode) and link.is_symlink() and stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "link", "pipe", "real.pgn"]
    assert not os.path.exists("/dev/null.progress")


def test_a_second_run_is_refused(pgn, tmp_path, capsys):
    out = tmp_path / "out.pgn"
    with lock.created(tmp_path / "out.pgn.progress", "it"):
        assert main(["annotate", str(pgn), "-o", str(out), *QUICK]) == 2
    assert capsys.readouterr().err == (f"barreleye annotate: {tmp_path}/out.pgn.progress is in use by another run: "
                                       "wait for it, or end it first\n")


def test_resumed_work_is_shown(pgn, tmp_path, monkeypatch, capsys):
    out, write = tmp_path / "out.pgn", Journal.write

    def interrupted(self, records):
        write(self, records)
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupted)
    assert main(["puzzles", str(pgn), "-o", str(out), *QUICK]) == 130
    monkeypatch.setattr(Journal, "write", write)
    capsys.readouterr()
    assert main(["puzzles", str(pgn), "-o", str(out), *QUICK]) == 0
    assert "going on after the 2 positions that an interrupted run has left\n" in capsys.readouterr().err


def test_the_bar_tells_how_long_it_will_take():
    bar = PositionBar()
    assert bar.seconds_left() is None
    bar.expect(300)
    bar.resume(100)
    bar._began -= 10
    for _ in range(50):
        bar.tick()
    assert bar.seconds_left() == pytest.approx(30, rel=0.1)


@pytest.mark.parametrize("command", ["annotate", "puzzles"])
@pytest.mark.parametrize(("text", "words", "complaint"), [
    (None, [], "No such file"), ("", [], "no game in it"), ("this is no PGN", [], "no game in it"),
    (BROKEN, [], "no game in it"), (SCHOLAR, ["--nodes", "0"], "nodes"),
    (SCHOLAR, ["--nodes", str(1 << 64)], "nodes"), (SCHOLAR, ["--threads", "0"], "threads"),
    (SCHOLAR, ["--hash", "0"], "Hash"), (SCHOLAR, ["--syzygy", "/nowhere"], "tablebases"),
    (SCHOLAR, ["-o", "/nowhere/at/all.pgn"], "nowhere"),
])
def test_bad_input_is_a_line_and_status_2(tmp_path, capsys, command, text, words, complaint):
    path = tmp_path / "games.pgn"
    if text is not None:
        path.write_text(text)
    assert main([command, str(path), *QUICK, *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and complaint in err and "Traceback" not in err
    assert {entry.name for entry in tmp_path.iterdir()} <= {"games.pgn"}


def test_puzzles(pgn, tmp_path, capsys):
    out = tmp_path / "puzzles.pgn"
    assert main(["puzzles", str(pgn), "-o", str(out), *QUICK]) == 0
    games = read_all(out)
    assert len(games) == 2 and "2 puzzles in 2 games" in capsys.readouterr().err
    assert games[0].board().turn and [move.uci() for move in games[0].mainline_moves()] == ["h5f7"]
    assert main(["puzzles", str(pgn), "--json", "--most", "1", *QUICK]) == 0
    [puzzle] = map(json.loads, capsys.readouterr().out.splitlines())
    assert puzzle["san"] == ["Qxf7#"] and puzzle["source"]["White"] == "Anna"
    assert main(["puzzles", str(pgn), "--most", "0"]) == 2


def test_every_output_is_locked_from_the_beginning(pgn, tmp_path, capsys):
    html = tmp_path / "report.html"
    html.write_text("old")
    with output.writing(html):
        words = ["annotate", str(pgn), "-o", str(tmp_path / "out.pgn"), "--html", str(html), *QUICK]
        assert main(words) == 2
        said = capsys.readouterr()
        assert "report.html is in use by another run" in said.err and "annotated" not in said.err
    assert not (tmp_path / "out.pgn").exists()
    assert main(words) == 0 and "Anna" in html.read_text()
