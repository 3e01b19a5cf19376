"""What a tab can ask: why and why not, ledger, network, comparisons, games, play, tables, one file of it all."""

import http.client
import json
import re

import chess
import pytest

FORK = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 4 4"
QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
SCHOLAR = """[Event "Lesson <b>1</b>"]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]

1. e4 e5 2. Qh5 {early} Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""


def bring(served, text):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("POST", "/games", text, {"Cookie": served.cookie, "Origin": f"http://{served.host}"})
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    return answer.status, body


def fetch(served, path):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("GET", path, headers={"Cookie": served.cookie})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_why_and_why_not(served):
    with served.tab() as tab:
        found = tab.ask("why", fen=QUIET, moves=[], question="why", nodes=10000)
        assert [answer["kind"] for answer in found["answers"]] == ["Why", "Changes", "Confidence"]
        assert all(one["text"] and one["evidence"] for answer in found["answers"] for one in answer["sentences"])
        other = tab.ask("why", fen=QUIET, moves=[], question="why not", move="h2h4", nodes=10000)
        assert [answer["kind"] for answer in other["answers"]] == ["WhyNot"] and "h4" in other["answers"][0]["question"]
        threat = tab.ask("why", fen=QUIET, moves=[], question="threat", nodes=10000)
        assert threat["answers"][0]["kind"] == "Threat"
        wrong = tab.refused("why", fen=QUIET, moves=[], question="why not", move="a1a8")
        assert wrong == "This move is not legal here."
        assert tab.refused("why", fen=QUIET, moves=[], question="why not").startswith("Ask why")
        assert tab.refused("why", fen=QUIET, moves=[], question="whither").startswith("Ask why")


def test_a_game_that_is_over_is_said_to_be(served):
    with served.tab() as tab:
        over = FORK.replace(" b ", " w ")
        found = tab.ask("why", fen=over, moves=["h5f7"], question="why", nodes=1000)
        assert "mated" in found["answers"][0]["sentences"][0]["text"]
        assert tab.refused("ledger", fen=over, moves=["h5f7"]) == "There is no move to think about here."


def test_the_ledger_has_every_move_at_every_depth(served):
    with served.tab() as tab:
        found = tab.ask("ledger", fen=QUIET, moves=[], nodes=20000)
    legal = {move.uci() for move in chess.Board(QUIET).legal_moves}
    assert {row["move"] for row in found["rows"]} <= legal and len(found["rows"]) + found["left"] == len(legal)
    assert found["rows"][0]["move"] == found["best"]
    assert [one["depth"] for one in found["leaders"]] == list(range(1, found["depth"] + 1))
    assert set(found["rows"][0]["cells"]) <= {str(depth) for depth in found["iterations"]}


def test_the_network_says_what_pieces_are_worth_and_where_they_belong(served):
    with served.tab() as tab:
        seen = tab.ask("network", fen=QUIET, moves=[])
        men = {chess.square_name(square) for square, piece in chess.Board(QUIET).piece_map().items()
               if piece.piece_type != chess.KING}
        assert set(seen["shares"]) == men
        assert seen["kings"] + sum(seen["shares"].values()) == pytest.approx(seen["verdict"], abs=len(men))
        placed = tab.ask("network", fen=QUIET, moves=[], square="f3")
        assert placed["white"] and "e5" not in placed["verdicts"] and len(placed["verdicts"]) > 10
        assert tab.refused("network", fen=QUIET, moves=[], square="e4") == "There is no piece on e4."
        assert tab.refused("network", fen=QUIET, moves=[], square="z9") == "Z9 is not a square."
        check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
        assert "in check" in tab.refused("network", fen=check, moves=[])


def test_two_searches_compared(served):
    with served.tab() as tab:
        found = tab.ask("compare", fen=QUIET, moves=[], without=["Null Move"], nodes=10000)
        assert not found["same"] and found["parting"]["fen"] and found["text"].endswith(".")
        assert [side["nodes"] > 9000 for side in found["sides"]] == [True, True]
        assert tab.refused("compare", fen=QUIET, moves=[], without=["Magic"]) == "Choose a technique to do without."


def test_games_are_read_walked_and_annotated(served):
    status, found = bring(served, SCHOLAR * 2)
    assert status == 200 and len(found["games"]) == 2
    game = found["games"][0]
    assert game["moves"][-1] == "h5f7" and game["comments"] == {"3": "early"} and game["headers"]["White"] == "Anna"
    with served.tab() as tab:
        review = tab.ask("annotate", upload=found["upload"], game=1, nodes=2000)
        assert review["moves"][5]["judgement"] == "blunder" and len(review["moves"]) == 7
        assert any(event.get("event") == "progress" and event["done"] == event["total"] == 8 for event in tab.events)
        gone = tab.refused("annotate", upload="elsewhere", game=0)
        assert gone == "This game is no longer here: bring it again."
    answer, body = fetch(served, "/" + review["report"])
    assert answer.status == 200 and "Anna" in body and "<b>1</b>" not in body
    policy = answer.getheader("Content-Security-Policy")
    assert "style-src 'unsafe-inline'" in policy and re.search(r"script-src 'sha256-[^']+';", policy)
    assert re.findall("<script[^>]*>", body) == ["<script type='application/json' class='told'>", "<script>"]
    assert fetch(served, "/report/none")[0].status == 404


@pytest.mark.parametrize("text", ["", "1. e5 Ke7 nonsense", "\0\xff" * 50])
def test_games_that_are_none(served, text):
    status, found = bring(served, text)
    assert status == 422 and found["error"].startswith("There is no game in this text that can be read.")


def test_too_large_a_file(served):
    status, found = bring(served, "x" * ((2 << 20) + 1))
    assert status == 413 and found == {"error": "A file may have up to 2 MiB."}


def test_a_move_at_a_level(served):
    with served.tab() as tab:
        for fields in ({"level": "newcomer"}, {"level": "full", "think": 50},
                       {"level": "club", "wtime": 1000, "btime": 1000}):
            move = tab.ask("move", fen=QUIET, moves=[], **fields)["move"]
            assert chess.Move.from_uci(move) in chess.Board(QUIET).legal_moves
        assert "there is no level" in tab.refused("move", fen=QUIET, moves=[], level="god").lower()
        # The next analysis is at full strength again.
        tab.ask("go", fen=FORK.replace(" b ", " w "), moves=[], limit={"depth": 5}, lines=1)
        assert [line for event in tab.until_done() for line in event["lines"]][-1]["mate"] == 1


def test_tables_tell_what_is_won(served, data_dir):
    folder = next((path.parent for path in data_dir.rglob("KQvK.rtbw")), None)
    if folder is None:
        pytest.skip(f"there are no Syzygy tables under {data_dir}")
    with served.tab() as tab:
        found = tab.ask("tables", fen="8/8/8/4k3/8/8/8/KQ6 w - - 0 1", moves=[], path=str(folder))
        assert found["men"] >= 3 and found["moves"][0]["verdict"] == "win"
        assert tab.ask("tables", fen="", moves=[], path=str(folder))["moves"] == []
        wrong = tab.refused("tables", fen="", moves=[], path="/nowhere")
        assert wrong == "/nowhere cannot be read: No such file or directory."


def test_lines_that_the_analysis_showed_change_no_answer(served):
    place = {"fen": QUIET, "moves": [], "nodes": 5000}
    with served.tab() as tab:
        fresh = [tab.ask("record", **place), tab.ask("compare", **place, without=["Null Move"])]
        tab.ask("go", fen=QUIET, moves=[], limit={"nodes": 500}, lines=3)
        assert [tab.ask("record", **place), tab.ask("compare", **place, without=["Null Move"])] == fresh
        html = tab.ask("export", **place)["html"]
    move = re.search(r"<h2>(\S+) with [^<]* for White", html)
    assert move and f"<h3>Why 10.{move[1]}?</h3>" in html


def test_a_link_with_a_wrong_move_says_which(served):
    with served.tab() as tab:
        assert tab.refused("position", fen="", moves=["e2e5"]) == "'e2e5' is not a legal move here."
        assert tab.refused("position", fen="", moves=["e2e4", "zzz"]) == "'zzz' is not a legal move after the others."


def test_all_of_it_in_one_file(served):
    with served.tab() as tab:
        html = tab.ask("export", fen="", moves=["e2e4"], nodes=2000)["html"]
    assert "s Pawn Game</title>" in html and "class='board'" in html and "Tree of" in html
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", html)
