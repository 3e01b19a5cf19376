"""Puzzles out of games: positions where one move wins and no other does, with the line that proves it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import chess
import chess.pgn

from barreleye.analysis.accuracy import WhiteScore, winning_chances
from barreleye.analysis.annotate import ANNOTATOR
from barreleye.analysis.chunks import Game, position_at
from barreleye.analysis.many import reports
from barreleye.analysis.record import Line, Record
from barreleye.core.pool import Pool
from barreleye.core.position import Position

WON, NOT_WON = 0.55, 0.25       # winning chances of the best move at the least, of the second best at the most
PROOF = 4                       # how many times the nodes of the first look a candidate is checked with
MOST_MOVES = 6                  # of the solver
SOURCE_HEADERS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its solution (the solver's moves and the replies), what it wins and where it comes from."""

    fen: str
    solution: tuple[str, ...]
    score: WhiteScore           # White's point of view
    second: WhiteScore          # of the best other move
    themes: tuple[str, ...]
    source: dict[str, str]
    ply: int                    # in that game
    chess960: bool = False

    @property
    def board(self) -> chess.Board:
        return chess.Board(self.fen, chess960=self.chess960)

    def as_json(self) -> dict[str, Any]:
        moves = [chess.Move.from_uci(move) for move in self.solution]
        board, san = self.board, []
        for move in moves:
            san.append(board.san_and_push(move))
        return {"fen": self.fen, "solution": list(self.solution), "san": san, "score": self.score.text,
                "second": self.second.text, "themes": list(self.themes), "ply": self.ply, "source": self.source}

    def as_game(self) -> chess.pgn.Game:
        """The puzzle as a game that begins with it and goes on with the solution."""
        game = chess.pgn.Game()
        game.headers.update(self.source)
        game.setup(self.board)
        game.headers["Annotator"] = ANNOTATOR
        game.headers["Themes"] = " ".join(self.themes)
        game.add_line([chess.Move.from_uci(move) for move in self.solution])
        game.comment = f"{'White' if self.board.turn else 'Black'} to play and win: {self.score.text}"
        return game


def chances(line: Line, white: bool) -> float:
    """A side's winning chances in a line of a game that is not over; a mate is certain."""
    value = winning_chances(line.cp or 0) if line.mate is None else float(1 if line.mate > 0 else -1)
    return value if white else -value


def has_one_winner(lines: Sequence[Line], white: bool) -> bool:
    """Whether the best move wins and the second best does not."""
    return len(lines) > 1 and chances(lines[0], white) >= WON and chances(lines[1], white) <= NOT_WON


def candidates(game: chess.pgn.Game, records: Sequence[Record]) -> Iterator[int]:
    """Plies of the positions worth a closer look.

    Taking back what was just taken is no puzzle, nor is a win that was there a move before.
    """
    board = game.board()
    taken_on: int | None = None
    for ply, move in enumerate([*game.mainline_moves(), None]):
        lines = records[ply].lines
        is_new = ply == 0 or chances(records[ply - 1].lines[0], board.turn) < WON
        if is_new and has_one_winner(lines, board.turn):
            best = board.parse_uci(lines[0].pv[0])
            if best.to_square != taken_on:
                yield ply
        if move is not None:
            taken_on = move.to_square if board.is_capture(move) else None
            board.push(move)


def solve(pool: Pool, over: threading.Event, game: Game, ply: int, nodes: int, source: dict[str, str]) -> Puzzle | None:
    """The puzzle at a position, None when more nodes find another way to win or none. A task for Workers.

    The solution goes on as long as there is one way only; where any of several moves mates at once, one is shown.
    """
    pool.set_multipv(2)
    position = position_at(game, ply)
    fen, white = position.fen(), position.turn
    first = lines = two_best(pool, position, nodes)
    if not has_one_winner(lines, white):
        return None
    solution: list[str] = []
    for _ in range(MOST_MOVES):
        if over.is_set():
            return None
        is_mate = lines[0].mate in (1, -1)
        if not lines[0].pv or not (has_one_winner(lines, white) or is_mate or len(lines) == 1):
            break
        solution.append(lines[0].pv[0])
        position.push(solution[-1])
        replies = two_best(pool, position, nodes)
        if not replies[0].pv:
            break
        solution.append(replies[0].pv[0])
        position.push(solution[-1])
        lines = two_best(pool, position, nodes)
    if len(solution) % 2 == 0:
        solution.pop()          # a puzzle ends with the solver's move
    headers = {name: source[name] for name in SOURCE_HEADERS if name in source}
    score, second = (WhiteScore.of(line, white) for line in first[:2])
    found = Puzzle(fen, tuple(solution), score, second, (), headers, ply, game.chess960)
    return replace(found, themes=themes(found))


def two_best(pool: Pool, position: Position, nodes: int) -> list[Line]:
    """The two best lines of a position, one where there is one legal move or none."""
    return [Line.of(info, position) for info in reports(pool, position, {"nodes": nodes}, prefers_exact=True)]


def themes(puzzle: Puzzle) -> tuple[str, ...]:
    """A few words on what a puzzle is about, in the names lichess uses."""
    words = []
    board = puzzle.board
    mate = puzzle.score.mate
    if mate is not None:
        words += ["mate", f"mateIn{abs(mate)}"]
    else:
        words.append("crushing" if abs(puzzle.score.cp) >= 600 else "advantage")
    first = chess.Move.from_uci(puzzle.solution[0])
    if first.promotion:
        words.append("promotion")
    if not board.is_capture(first) and not board.gives_check(first):
        words.append("quietMove")
    length = (len(puzzle.solution) + 1) // 2
    words.append({1: "oneMove", 2: "short", 3: "long"}.get(length, "veryLong"))
    return tuple(words)
