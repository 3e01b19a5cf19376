"""A game reviewed: from the records of its positions to judgements, accuracy and phases, by move and by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import chess
import chess.pgn

from barreleye.analysis import accuracy
from barreleye.analysis.accuracy import START_CENTIPAWNS, WhiteScore
from barreleye.analysis.comments import is_ours, own_comment
from barreleye.analysis.games import plain
from barreleye.analysis.judgement import Judgement, comment, judge
from barreleye.analysis.phases import PHASES, Division, divide
from barreleye.analysis.record import Line, Record
from barreleye.explain.mistake import Worth, what_is_wrong
from barreleye.openings import Opening, opening

LONGEST_LINE = 16               # plies shown of what should have been played


@dataclass(frozen=True, slots=True)
class Move:
    """One move and all that is known about it."""

    number: int                     # of the move, as games count them
    white: bool
    move: chess.Move
    san: str
    before: WhiteScore
    after: WhiteScore
    is_over: bool                   # whether the game ended with it
    line: tuple[str, ...]           # that should have been played, in UCI
    judgement: Judgement | None
    accuracy: float
    loss: int                       # centipawns
    phase: str
    clock: float | None             # seconds left after it
    board: chess.Board              # before it
    explanation: str = ""           # what is wrong with it and what was better, where that was asked for
    own_comment: str = ""           # what the game itself says of it

    @property
    def label(self) -> str:
        """As a book prints it: 12.Nf3 or 12…Nf6, with its sign."""
        sign = self.judgement.sign if self.judgement else ""
        return f"{self.number}{'.' if self.white else '…'}{self.san}{sign}"

    # Most moves are good enough that nobody asks for these, and python-chess takes its time over a line.
    @property
    def best_move(self) -> chess.Move | None:
        """The first move of the line that should have been played."""
        return self.board.parse_uci(self.line[0]) if self.line else None

    @property
    def best(self) -> tuple[chess.Move, ...]:
        """That line."""
        walk, moves = self.board.copy(stack=False), []
        for word in self.line:
            moves.append(walk.push_uci(word))
        return tuple(moves)

    @property
    def best_san(self) -> tuple[str, ...]:
        """That line as books write it."""
        walk = self.board.copy(stack=False)
        return tuple([walk.san_and_push(walk.parse_uci(word)) for word in self.line])

    @property
    def comment(self) -> str:
        """What to say of it, nothing when it needs no comment."""
        if self.judgement is None:
            return ""
        better = self.board.san(self.best_move) if self.best_move else ""
        return comment(self.judgement, self.before, self.after, self.white, better)

    def as_json(self) -> dict[str, Any]:
        return {"move": self.label, "uci": self.move.uci(), "eval": None if self.is_over else self.after.text,
                "judgement": self.judgement.title.lower() if self.judgement else None, "best": list(self.best_san),
                "accuracy": round(self.accuracy, 1), "loss": self.loss, "phase": self.phase, "clock": self.clock,
                "explanation": self.explanation or None}


@dataclass(frozen=True, slots=True)
class Side:
    """How one player played. Accuracy and average loss are None without a move to judge by."""

    name: str
    rating: str
    accuracy: float | None
    average_loss: int | None
    counts: dict[Judgement, int]
    phases: dict[str, float]        # mean accuracy of the moves in each phase that has some

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "accuracy": None if self.accuracy is None else round(self.accuracy, 1),
                "acpl": self.average_loss,
                **{judgement.title.lower(): count for judgement, count in self.counts.items()},
                "phases": {phase: round(share, 1) for phase, share in self.phases.items()}}


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game."""

    headers: dict[str, str]
    moves: list[Move]
    white: Side
    black: Side
    division: Division
    start: WhiteScore
    opening: Opening | None
    final: chess.Board
    own_comment: str = ""           # what the game itself says before the first move

    def as_json(self) -> dict[str, Any]:
        return {"headers": self.headers, "white": self.white.as_json(), "black": self.black.as_json(),
                "opening": None if self.opening is None else {"eco": self.opening.eco, "name": self.opening.name},
                "middlegame_ply": self.division.middle, "endgame_ply": self.division.end,
                "moves": [move.as_json() for move in self.moves]}


def review(game: chess.pgn.Game, records: Sequence[Record], explains: bool = False) -> Review:
    """Judge a game by the records of all its positions, the one before the first move and the last one included.

    Where mistakes are to be explained, that is done from the same records.
    """
    boards = [game.board()]
    nodes = list(game.mainline())
    for node in nodes:
        boards.append(boards[-1].copy(stack=False))
        boards[-1].push(node.move)
    best = [record.lines[0] for record in records]
    is_standard = boards[0].fen() == chess.STARTING_FEN
    scores = [WhiteScore.of(line, board.turn) for line, board in zip(best, boards, strict=True)]
    if is_standard:
        scores[0] = WhiteScore(START_CENTIPAWNS)
    cps = [score.ceiled for score in scores]
    white_first = boards[0].turn
    division = divide(boards)
    accuracies = accuracy.move_accuracies(cps[1:], cps[0], white_first)
    losses = accuracy.move_losses(cps[1:], cps[0], white_first)
    said = [own_comment(node, is_ours(game)) for node in nodes]
    moves = [reviewed(node, boards[ply], best[ply], scores[ply], scores[ply + 1], accuracies[ply], losses[ply],
                      division.phase(ply), not best[ply + 1].pv, said[ply]) for ply, node in enumerate(nodes)]
    if explains:
        moves = [explained(move, best[ply + 1]) if move.judgement else move for ply, move in enumerate(moves)]
    shares = accuracy.game_accuracy(cps[1:], cps[0], white_first)
    means = accuracy.average_loss(cps[1:], cps[0], white_first)
    white, black = (side_of(game.headers, moves, color, share, mean)
                    for color, share, mean in zip((True, False), shares, means, strict=True))
    return Review(dict(game.headers), moves, white, black, division, scores[0], opening(game), boards[-1],
                  own_comment(game))


def reviewed(node: chess.pgn.ChildNode, board: chess.Board, found: Line, before: WhiteScore, after: WhiteScore,
             share: float, loss: int, phase: str, is_over: bool, said: str) -> Move:
    """One move. The engine's own choice is never found fault with."""
    is_best = bool(found.pv) and board.parse_uci(found.pv[0]) == node.move
    judgement = None if is_best else judge(before, after, board.turn)
    return Move(board.fullmove_number, board.turn, node.move, board.san(node.move), before, after, is_over,
                found.pv[:LONGEST_LINE], judgement, share, loss, phase, node.clock(), board, own_comment=said)


def explained(move: Move, reply: Line) -> Move:
    """A move with what is wrong with it, by the best line after it."""
    after = move.board.copy(stack=False)
    after.push(move.move)
    refutation = []
    for word in reply.pv[:LONGEST_LINE]:
        refutation.append(after.parse_uci(word))
        after.push(refutation[-1])
    sign = 1 if move.white else -1
    before, then = (Worth(sign * score.cp, None if score.mate is None else sign * score.mate)
                    for score in (move.before, move.after))
    return replace(move, explanation=str(what_is_wrong(move.board, move.move, refutation, move.best, before, then)))


def side_of(headers: chess.pgn.Headers, moves: Sequence[Move], white: bool, share: float | None,
            mean: int | None) -> Side:
    """One player's summary."""
    color = "White" if white else "Black"
    own = [move for move in moves if move.white == white]
    phases = {}
    for phase in PHASES:
        shares = [move.accuracy for move in own if move.phase == phase]
        if shares:
            phases[phase] = sum(shares) / len(shares)
    counts = {judgement: sum(move.judgement is judgement for move in own) for judgement in Judgement}
    name, rating = plain(headers.get(color, "")), headers.get(f"{color}Elo", "")
    return Side(name if name not in ("", "?") else color, rating if rating not in ("", "?", "0") else "", share, mean,
                counts, phases)
