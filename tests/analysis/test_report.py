"""The HTML report: whole, offline, and right about the game."""

import json
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from shutil import which

import chess
import pytest
from tests.analysis.conftest import looked_at, parsed

from barreleye.analysis.annotate import annotate, as_pgn
from barreleye.analysis.report import page
from barreleye.analysis.review import review

VOID = {"meta", "br", "hr", "img", "input", "link"}
LINKS = {"href", "src", "srcset", "action", "data", "poster", "xlink:href", "background", "cite", "formaction", "style"}


class Reader(HTMLParser):
    """Follows the nesting of a page and collects its links, ids and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.kept = {"style": "", "script": ""}

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in LINKS:
                self.links.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes nothing that is open"

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.kept[self.open[-1]] += data
        else:
            self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_nothing_leads_out_of_the_page(scholar_review, monkeypatch):
    monkeypatch.setattr("barreleye.analysis.report.MOST_MOMENTS", 1)       # so that not every dot has its picture
    reader = read(page([scholar_review, scholar_review], 1000))
    for tag, name, value in reader.links:
        if name == "style":
            assert "url" not in value
        else:
            assert value.startswith("#") and value[1:] in reader.ids, f"{tag} {name}={value}"
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(reader.tags)
    style, script = reader.kept["style"], reader.kept["script"].replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in style and "@import" not in style and "http" not in style
    assert not re.search(r"https?:|fetch|XMLHttp|import\b|eval\(", script)
    assert len(reader.ids) == len(set(reader.ids))


def test_what_it_says(scholar_review):
    text = page([scholar_review], 123456)
    reader = read(text)
    for word in ("Anna", "Ben <b>", "1500", 'Lesson <1> & "more"', "3…Nf6??", "Checkmate is now unavoidable", "123,456",
                 "Average centipawn loss", "1-0", "2024-01-02"):
        assert word in reader.text, word
    assert "<b>Ben" not in text and "Ben <b>" not in text              # names are text, not mark-up
    assert "color-scheme: light dark" in reader.kept["style"] and "light-dark(" in reader.kept["style"]
    assert text.count("class='board'") == sum(move.judgement is not None for move in scholar_review.moves)


def test_the_graph_has_move_numbers_and_moves_their_clocks(scholar_review):
    text = page([scholar_review], 1000)
    numbers = [int(number) for number in re.findall(r"<span style='left:[0-9.]+%'>(\d+)</span>", text)]
    assert numbers == [move.number for move in scholar_review.moves if move.white]
    timed = [replace(move, clock=seconds) for move, seconds in zip(scholar_review.moves, (3725.0, 59.4), strict=False)]
    shown = page([replace(scholar_review, moves=[*timed, *scholar_review.moves[2:]])], 1000)
    assert "<i>1:02:05</i>" in shown and "<i>0:59</i>" in shown and shown.count("<i>") == 2


def test_a_game_is_told_step_by_step(scholar_review):
    [told] = re.findall(r"<script type='application/json' class='told'>(.*?)</script>", page([scholar_review], 1000))
    game = json.loads(told)
    board = chess.Board()
    assert game["names"] == ["Anna", "Ben <b>"] and len(game["steps"]) == len(scholar_review.moves) + 1
    for step, move in zip(game["steps"][1:], scholar_review.moves, strict=True):
        board.push(move.move)
        assert step["board"] == board.board_fen() and step["move"] == move.move.uci() and step["label"] == move.label
    assert [step["own"] for step in game["steps"]] == ["", "", "a classic", "", "", "", "", ""]
    clocks = [step["clocks"] for step in game["steps"]]
    assert clocks == [["", ""], ["3:00", ""]] + [["3:00", "2:58"]] * 6
    blunder = game["steps"][6]
    assert blunder["kind"] == "blunder" and blunder["best"] == "h5f7" and blunder["said"][0].startswith("Checkmate")


def test_an_earlier_review_is_no_comment_of_the_game(scholar, scholar_records):
    annotate(scholar, review(scholar, scholar_records, explains=True))
    assert "Checkmate is now unavoidable." in scholar.variations[0].comment + str(scholar)
    again = review(parsed(as_pgn(scholar)), scholar_records)
    assert [move.own_comment for move in again.moves] == ["", "a classic", "", "", "", "", ""]


def test_what_somebody_wrote_cannot_leave_its_place(scholar):
    scholar.comment = "</script><script>alert(1)</script>"
    scholar.headers["White"] = "</script><b>"
    text = page([review(scholar, looked_at(scholar))], 1000)
    assert text.count("<script") == 2 and "alert(1)" in text and "<b></b>" not in text
    assert json.loads(re.findall(r"class='told'>(.*?)</script>", text)[0])["steps"][0]["own"] == scholar.comment


def test_many_games_have_an_index(scholar_review):
    reader = read(page([scholar_review] * 3, 1000))
    assert {"game-1", "game-2", "game-3"} <= set(reader.ids)
    assert ("a", "href", "#game-3") in reader.links


@pytest.mark.slow
@pytest.mark.skipif(which("chromium") is None, reason="there is no Chromium here")
def test_chromium_draws_it_without_the_network(tmp_path: Path, scholar_review):
    (tmp_path / "report.html").write_text(page([scholar_review], 1000), encoding="utf-8")
    for mode in ("1", "0"):
        shot = tmp_path / f"shot{mode}.png"
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--proxy-server=127.0.0.1:9",
             f"--blink-settings=preferredColorScheme={mode}", "--window-size=1100,1600", f"--screenshot={shot}",
             (tmp_path / "report.html").as_uri()], capture_output=True, timeout=120, check=False)
        assert done.returncode == 0 and shot.stat().st_size > 30_000
    assert (tmp_path / "shot0.png").read_bytes() != (tmp_path / "shot1.png").read_bytes()


def test_names_are_plain_and_nameless_games_have_their_event():
    moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"
    named = parsed('[Event "x"]\n[White "Joe \\"Big\\" <Doe>"]\n\n' + moves)
    text = page([review(named, looked_at(named))], 1)
    assert "Joe &quot;Big&quot; &lt;Doe&gt;" in text and "\\" not in read(text).text
    assert "Mean accuracy of the moves in each phase" in text
    nameless = parsed('[Event "Chapter 3"]\n\n' + moves)
    assert "<h2>Chapter 3</h2>" in page([review(nameless, looked_at(nameless))], 1)
