"""Puzzles out of games: positions where one move wins and no other does, with the line that proves it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
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

WON, NOT_WON = 0.55, 0.25       # winning chances of the best move at the least, of the second best at the most;
NOT_MATE = 0.9                  # where only the best move mates, the second may win, but not as good as mate
PROOF = 4                       # how many times the nodes of the first look a candidate is checked with
LOOK_AHEAD = 6                  # plies of a candidate's line that are searched before it
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that may be a puzzle: its ply in the game and the line that seems to win."""

    ply: int
    line: tuple[str, ...]


def chances(line: Line, white: bool) -> float:
    """A side's winning chances in a line of a game that is not over; a mate is certain."""
    value = winning_chances(line.cp or 0) if line.mate is None else float(1 if line.mate > 0 else -1)
    return value if white else -value


def has_one_winner(lines: Sequence[Line], white: bool) -> bool:
    """Whether the best move wins and the second best does not, or only the best move mates."""
    if len(lines) < 2 or chances(lines[0], white) < WON:
        return False
    second = chances(lines[1], white)
    return second <= NOT_WON or (lines[0].mate is not None and lines[1].mate is None and second <= NOT_MATE)


def candidates(game: chess.pgn.Game, records: Sequence[Record]) -> Iterator[Candidate]:
    """The positions worth a closer look. Taking back what was just taken is no puzzle."""
    board = game.board()
    taken_on: int | None = None
    for ply, move in enumerate([*game.mainline_moves(), None]):
        lines = records[ply].lines
        if has_one_winner(lines, board.turn):
            best = board.parse_uci(lines[0].pv[0])
            if best.to_square != taken_on:
                yield Candidate(ply, lines[0].pv)
        if move is not None:
            taken_on = move.to_square if board.is_capture(move) else None
            board.push(move)


def solve_all(pool: Pool, over: threading.Event, game: Game, found_at: Sequence[Candidate], nodes: int,
              source: dict[str, str]) -> list[Puzzle]:
    """The puzzles at some positions of a game, but those that the game came to by the solution of one before.

    A task for Workers.
    """
    found: list[Puzzle] = []
    covered: set[int] = set()
    for candidate in found_at:
        ply = candidate.ply
        if ply in covered or over.is_set():
            continue
        pool.new_game()             # each depends on its position alone
        puzzle = solve(pool, over, game, candidate, nodes, source)
        if puzzle is not None:
            found.append(puzzle)
            followed = takewhile(lambda pair: pair[0] == pair[1],
                                 zip(puzzle.solution, game.moves[ply:], strict=False))
            covered.update(range(ply, ply + 1 + sum(1 for _ in followed)))
    return found


def solve(pool: Pool, over: threading.Event, game: Game, candidate: Candidate, nodes: int,
          source: dict[str, str]) -> Puzzle | None:
    """The puzzle at a position, None when more nodes find another way to win or none.

    The line of the first look is searched backwards first. That look knew the moves to come, as games are searched from
    their end; a search that begins at the start of a long combination may not see its point with many times the nodes.
    The solution goes on as long as there is one way only; where any of several moves mates at once, one is shown.
    """
    pool.set_multipv(2)
    position = position_at(game, candidate.ply)
    fen, white = position.fen(), position.turn
    for move in candidate.line[:LOOK_AHEAD]:
        position.push(move)
    for _ in candidate.line[:LOOK_AHEAD]:
        pool.search(position, {"nodes": nodes})
        position.pop()
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
    found = Puzzle(fen, tuple(solution), score, second, (), headers, candidate.ply, game.chess960)
    return replace(found, themes=themes(found))


def two_best(pool: Pool, position: Position, nodes: int) -> list[Line]:
    """The two best lines of a position, one where there is one legal move or none."""
    return [Line.of(info, position) for info in reports(pool, position, {"nodes": nodes}, prefers_exact=True)]


def themes(puzzle: Puzzle) -> tuple[str, ...]:
    """A few words on what a puzzle is about, in the names lichess uses."""
    words = []
    board = puzzle.board
    mate = puzzle.score.mate
    length = (len(puzzle.solution) + 1) // 2
    if mate is not None and length >= abs(mate):
        words += ["mate", f"mateIn{abs(mate)}"]
    elif mate is not None:          # the solution ends before it, where there is more than one way
        words.append("crushing")
    else:
        words.append("crushing" if abs(puzzle.score.cp) >= 600 else "advantage")
    first = chess.Move.from_uci(puzzle.solution[0])
    if first.promotion:
        words.append("promotion")
    if not board.is_capture(first) and not board.gives_check(first):
        words.append("quietMove")
    words.append({1: "oneMove", 2: "short", 3: "long"}.get(length, "veryLong"))
    return tuple(words)
