"""Pictures of boards and results: well formed, without scripts, each with names of its own."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import chess
import pytest

import barreleye
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.mistake import Worth, what_is_wrong
from barreleye.explain.network import placed, seen_by_network
from barreleye.explain.threat import threat
from barreleye.lab.standing import DuelGame, Pair, Standing
from barreleye.pictures.board import ARROWS, COORDINATES, DARK, LIGHT, TOUCHED, board, picture, sprites
from barreleye.pictures.notebook import DATA, of_games, of_position

RUY = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
CHESS960 = "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1"


def checked(text):
    """The picture as XML: no scripts, nothing fetched, every reference to a name of its own."""
    root = ET.fromstring(text)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names)) and "script" not in text.lower() and "http" not in text.replace(
        "http://www.w3.org/2000/svg", "")
    assert not re.search(r"\son[a-z]+=", text)
    for element in root.iter():
        if element.tag.endswith("use"):
            assert element.get("href", "#")[1:] in names
    return root, set(names)


@pytest.fixture(scope="module")
def results():
    engine = barreleye.Engine(Hash=1)
    engine.position(RUY)
    over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    return {
        "evaluation": engine.evaluate(RUY), "result": engine.search(depth=4),
        "record": next(barreleye.analyse_many([RUY], {"nodes": 500}, 1, multipv=2)),
        "chess960": next(barreleye.analyse_many([CHESS960], {"nodes": 500}, 1)),
        "over": next(barreleye.analyse_many([over], {"nodes": 500}, 1)),
    }


@pytest.mark.parametrize("kind", ["evaluation", "result", "record", "chess960", "over"])
def test_results_have_text_a_picture_and_numbers(results, kind):
    result = results[kind]
    bundle, again = result._repr_mimebundle_(include=None, exclude=None), result._repr_mimebundle_()
    assert bundle["text/plain"] == repr(result)
    assert json.loads(json.dumps(bundle[DATA]))["fen"].split()[0] == bundle[DATA]["fen"].split()[0]
    _, names = checked(bundle["text/html"])
    _, others = checked(again["text/html"])
    assert names and not names & others                 # two outputs on one page do not share a name


def test_what_the_pictures_say(results):
    html = results["record"]._repr_mimebundle_()["text/html"]
    assert "move 3, Black to play; " in html and "C60 Ruy Lopez" in html and "3..." in html
    assert html.count("<tr>") == 3 and "class='arrow best'" in html
    assert results["record"]._repr_mimebundle_()[DATA]["lines"][0]["pv"][0] == results["record"].best_move
    html = results["evaluation"]._repr_mimebundle_()["text/html"]
    assert "material" in html and f"evaluation {results['evaluation'].centipawns / 100:+.2f}" in html
    assert f">{results['evaluation'].pieces['b5'] / 100:+.1f}</text>" in html
    assert "the game is over" in results["over"]._repr_mimebundle_()["text/html"]
    result = results["result"]
    assert result.fen == RUY and result._repr_mimebundle_()[DATA]["best_move"] == result.best_move


def test_a_result_that_was_not_waited_for_is_text():
    engine = barreleye.Engine(Hash=1)
    assert list(engine.go({"depth": 2}).wait()._repr_mimebundle_()) == ["text/plain"]


def test_a_position_is_a_board():
    bundle = of_position(barreleye.Position(RUY))
    root, _ = checked(bundle["image/svg+xml"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and bundle[DATA]["fen"] == RUY
    assert sum(element.tag.endswith("use") for element in root.iter()) == 1 + 32


def test_one_drawing_for_reports_and_notebooks():
    position = chess.Board(RUY)
    drawn = board(position, False, best=chess.Move.from_uci("a7a6"))
    page = ET.fromstring(f"<body><svg>{sprites()}</svg>{drawn}</body>")
    alone = ET.fromstring(picture(position, "x", False, chess.Move.from_uci("a7a6")))
    strip = [[(element.tag.split("}")[-1], element.get("x"), element.get("href", "").replace("x-", ""))
              for element in root.iter() if element.tag.split("}")[-1] in ("use", "polygon", "text")]
             for root in (page, alone)]
    assert strip[0] == strip[1]
    position.push_uci("a7a6")
    assert picture(position, "x").count("class='touched'") == 2


@pytest.fixture(scope="module")
def answers():
    engine = barreleye.Engine(Hash=1)

    def asked(fen):
        engine.position(fen)
        return Inquiry(engine, nodes=3000)

    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
    mate, better = chess.Move.from_uci("h5f7"), chess.Move.from_uci("g7g6")
    return {
        "network": seen_by_network(asked(RUY), orders=100), "placement": placed(asked(RUY), "b5"),
        "black placement": placed(asked(RUY), "g8"), "threat": threat(asked(board.fen())),
        "check": threat(asked("4k3/8/8/8/8/8/8/4RK2 b - - 0 1")), "no threat": threat(asked(chess.STARTING_FEN)),
        "chess960": threat(asked("nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w HBhb - 0 1")),
        "mistake": what_is_wrong(board, chess.Move.from_uci("g8f6"), [mate], [better], Worth(20), Worth(mate=-1)),
    }


@pytest.mark.parametrize("kind", ["network", "placement", "black placement", "threat", "check", "no threat", "chess960",
                                  "mistake"])
def test_answers_have_sentences_a_picture_and_numbers(answers, kind):
    answer = answers[kind]
    bundle, again = answer._repr_mimebundle_(include=None, exclude=None), answer._repr_mimebundle_()
    assert bundle["text/plain"] == str(answer)
    data = json.loads(json.dumps(bundle[DATA]))
    assert data["fen"] == answer.fen and data["kind"] == type(answer).__name__
    root, names = checked(bundle["text/html"])
    _, others = checked(again["text/html"])
    assert names and not names & others
    said = "".join(root.itertext())
    assert answer.question in said and all(sentence.text in said for sentence in answer.sentences)


def test_what_the_pictures_of_answers_show(answers):
    html = answers["network"]._repr_mimebundle_()["text/html"]
    assert f">{answers['network'].shares['b5'] / 100:+.1f}</text>" in html and html.count("class='tint'") == 30
    root, _ = checked(html)
    totals = [cell.text for cell in root.iter() if cell.tag.endswith("td")][-1]
    assert totals == f"{answers['network'].verdict / 100:+.2f}"
    place = answers["placement"]
    html = place._repr_mimebundle_()["text/html"]
    assert html.count("class='tint'") == len(place.verdicts) + 1 and html.count("font-size='10'") == len(place.verdicts)
    assert "class='arrow threat'" in answers["threat"]._repr_mimebundle_()["text/html"]
    assert "class='arrow best'" in answers["no threat"]._repr_mimebundle_()["text/html"]
    assert answers["check"]._repr_mimebundle_()["text/html"].count("class='tint'") == 1
    html = answers["mistake"]._repr_mimebundle_()["text/html"]
    assert "class='arrow played'" in html and "class='arrow best'" in html


def test_duels_and_matches():
    standing = Standing(("<new>", "old"), 10)
    standing.add(Pair(0, (DuelGame(1, "mate", 50), DuelGame(0.5, "repetition", 80)), (100, 100)))
    bundle = standing._repr_mimebundle_()
    checked(bundle["text/html"])
    assert "&lt;new&gt; against old" in bundle["text/html"] and "1 won, 1 drawn, 0 lost" in bundle["text/html"]
    assert bundle["text/plain"] == "\n".join(standing.lines()) and bundle[DATA]["wins"] == 1
    assert "0 won" in of_games("nothing", "a against b", 0, 0, 0)["text/html"]


def test_ipython_draws_positions():
    pytest.importorskip("IPython")
    program = ("from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell.instance(); "
               "import sys, barreleye; assert 'chess' not in sys.modules; "
               "print(sorted(shell.display_formatter.format(barreleye.Position())[0]))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "image/svg+xml" in done.stdout, done.stderr


def test_one_set_of_colours(root_dir):
    """Boards and arrows of notebooks, page and report have the colours by day of the one palette."""
    source = root_dir / "src" / "barreleye"
    text = (source / "pictures/palette.css").read_text(encoding="utf-8")
    palette = set(re.findall(r"light-dark\((#[0-9a-f]+),", text))
    drawn = {LIGHT, DARK, TOUCHED, COORDINATES, *ARROWS.values()}
    script = (source / "web/static/js/board.js").read_text(encoding="utf-8")
    brushes = set(re.findall(r'brush\("\w+", "(#[0-9a-f]+)"', script))
    assert len(brushes) == 4 and drawn | brushes <= palette
    for name in ("analysis/report.css", "web/static/board.css"):
        style = (source / name).read_text(encoding="utf-8")
        assert "var(--light)" in style and "var(--dark)" in style and "var(--touched)" in style
