"""Puzzles out of games: positions where one move wins and no other does, with the line that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import chess
import chess.pgn

from barreleye.analysis.accuracy import Score, winning_chances
from barreleye.analysis.annotate import ANNOTATOR
from barreleye.analysis.study import Evaluation, Lines, Played, evaluate
from barreleye.engine import Engine

WON, NOT_WON = 0.55, 0.25       # winning chances of the best move at the least, of the second best at the most
PROOF = 4                       # how many times the nodes of the first look a candidate is checked with
MOST_MOVES = 6                  # of the solver
SOURCE_HEADERS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its solution (the solver's moves and the replies), what it wins and where it comes from."""

    fen: str
    solution: tuple[str, ...]
    score: Score                # White's point of view
    second: Score               # of the best other move
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


def chances(evaluation: Evaluation, white: bool) -> float:
    """A side's winning chances in a line; a mate is certain."""
    score = evaluation.score
    value = winning_chances(score.cp) if score.mate is None else float(1 if score.mate > 0 else -1)
    return value if white else -value


def has_one_winner(lines: Lines, white: bool) -> bool:
    """Whether the best move wins and the second best does not."""
    return len(lines) > 1 and chances(lines[0], white) >= WON and chances(lines[1], white) <= NOT_WON


def candidates(game: chess.pgn.Game, lines: Sequence[Lines]) -> Iterator[int]:
    """Numbers of the positions worth a closer look.

    Taking back what was just taken is no puzzle, nor is a win that was there a move before.
    """
    board = game.board()
    taken_on: int | None = None
    for index, move in enumerate([*game.mainline_moves(), None]):
        is_new = index == 0 or chances(lines[index - 1][0], board.turn) < WON
        if is_new and has_one_winner(lines[index], board.turn):
            best = board.parse_uci(lines[index][0].line[0])
            if best.to_square != taken_on:
                yield index
        if move is not None:
            taken_on = move.to_square if board.is_capture(move) else None
            board.push(move)


def solve(engine: Engine, game: Played, index: int, nodes: int, source: dict[str, str]) -> Puzzle | None:
    """The puzzle at a position, None when more nodes find another way to win or none.

    The solution goes on as long as there is one way only; where any of several moves mates at once, one is shown.
    """
    engine.position(game.fen, game.moves[:index])
    fen, white = engine.board.fen(), engine.board.turn
    first = lines = evaluate(engine, nodes)
    if not has_one_winner(lines, white):
        return None
    solution: list[str] = []
    for _ in range(MOST_MOVES):
        is_mate = lines[0].score.mate in (1, -1)
        if not lines[0].line or not (has_one_winner(lines, white) or is_mate or len(lines) == 1):
            break
        solution.append(lines[0].line[0])
        engine.position(game.fen, [*game.moves[:index], *solution])
        replies = evaluate(engine, nodes)
        if not replies[0].line:
            break
        solution.append(replies[0].line[0])
        engine.position(game.fen, [*game.moves[:index], *solution])
        lines = evaluate(engine, nodes)
    if len(solution) % 2 == 0:
        solution.pop()          # a puzzle ends with the solver's move
    headers = {name: source[name] for name in SOURCE_HEADERS if name in source}
    found = Puzzle(fen, tuple(solution), first[0].score, first[1].score, (), headers, index, game.chess960)
    return Puzzle(fen, found.solution, found.score, found.second, themes(found), headers, index, game.chess960)


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
