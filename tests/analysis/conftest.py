"""Games to analyse, and a quick look at them."""

import chess.pgn
import pytest

from barreleye.analysis.games import read_games
from barreleye.analysis.many import analyse_many
from barreleye.analysis.record import Record
from barreleye.analysis.review import Review, review

SCHOLAR = """\
[Event "Lesson <1> & \\"more\\""]
[Site "https://example.org/game"]
[Date "2024.01.02"]
[White "Anna"]
[Black "Ben <b>"]
[Result "1-0"]
[WhiteElo "1500"]

1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:58] a classic } 2. Bc4 Nc6 3. Qh5 $5 Nf6 $2
(3... g6 4. Qf3 { calm }) 4. Qxf7# 1-0
"""


@pytest.fixture(scope="session")
def scholar_text() -> str:
    return SCHOLAR


@pytest.fixture
def scholar() -> chess.pgn.Game:
    return parsed(SCHOLAR)


@pytest.fixture(scope="session")
def scholar_records() -> list[Record]:
    return looked_at(parsed(SCHOLAR))


@pytest.fixture
def scholar_review(scholar: chess.pgn.Game, scholar_records: list[Record]) -> Review:
    return review(scholar, scholar_records)


def parsed(text: str) -> chess.pgn.Game:
    problems: list[str] = []
    [game] = read_games(text, problems.append)
    assert not problems
    return game


def looked_at(game: chess.pgn.Game, multipv: int = 1, nodes: int = 3000) -> list[Record]:
    return list(analyse_many([game], {"nodes": nodes}, 1, multipv=multipv, options={"Hash": 1}))
