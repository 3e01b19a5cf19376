"""Games to analyse, and a quick look at them."""

import chess.pgn
import pytest

from barreleye.analysis.games import played, read_games
from barreleye.analysis.review import Review, review
from barreleye.analysis.study import Analysts, Lines, Settings

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
def scholar_lines() -> list[Lines]:
    return looked_at(parsed(SCHOLAR))


@pytest.fixture
def scholar_review(scholar: chess.pgn.Game, scholar_lines: list[Lines]) -> Review:
    return review(scholar, scholar_lines)


def parsed(text: str) -> chess.pgn.Game:
    problems: list[str] = []
    [(_, game)] = read_games(text, problems.append)
    assert not problems
    return game


def looked_at(game: chess.pgn.Game, multipv: int = 1) -> list[Lines]:
    with Analysts(Settings(nodes=3000, hash_mb=1, multipv=multipv)) as analysts:
        [lines] = analysts.study([played(game)])
    return lines
