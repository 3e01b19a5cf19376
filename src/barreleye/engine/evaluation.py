"""What a position is worth without search, and where the number comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from barreleye.core.evaluate.classical import breakdown
from barreleye.core.evaluate.nnue import Accumulators, Network, evaluate_with
from barreleye.core.position import Position

if TYPE_CHECKING:
    import chess.engine


@dataclass(frozen=True, slots=True)
class Term:
    """One idea of the evaluation: centipawns for each side, in the middlegame and in the endgame."""

    white: tuple[int, int]
    black: tuple[int, int]

    @property
    def total(self) -> tuple[int, int]:
        """White's less Black's."""
        return self.white[0] - self.black[0], self.white[1] - self.black[1]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A static evaluation. Between middlegame and endgame terms count by phase: 24 with all pieces, 0 with none."""

    centipawns: int                   # for White, as the search begins with it before the fifty-move counter dampens it
    white_to_move: bool
    terms: dict[str, Term]
    phase: int
    scale: int                        # 64ths of the endgame value that count
    is_known: bool                    # an ending whose value is known, whatever the terms say
    classical: int                    # what the terms make together, for White
    network: int | None               # what the network says, for White; None without one
    pieces: dict[str, int]            # how much the piece on each square adds to what the network says
    fen: str                          # the position

    @property
    def score(self) -> chess.engine.PovScore:
        """The value as python-chess writes scores."""
        from chess.engine import Cp, PovScore

        return PovScore(Cp(self.centipawns if self.white_to_move else -self.centipawns), self.white_to_move)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_evaluation

        return of_evaluation(self)


def evaluate(position: Position, network: Network | None = None) -> Evaluation:
    """The evaluation of a position, term by term and piece by piece; ValueError when the side to move is in check."""
    if position.is_check():
        raise ValueError(f"a position in check cannot be evaluated without a search: {position.fen()}")
    table = breakdown(position)
    terms = {name: Term(row[:2], row[2:]) for name, row in table.items() if isinstance(row, tuple)}
    verdict, pieces = (None, {}) if network is None else ask_network(network, position)
    men = position.fen().split()[0]
    lone_king = sum(map(str.isupper, men)) == 1 or sum(map(str.islower, men)) == 1
    chosen = table["total"] if verdict is None or lone_king else verdict
    return Evaluation(chosen, position.turn, terms, table["phase"], table["scale"], bool(table["known"]),
                      table["total"], verdict, pieces, position.fen())


def ask_network(network: Network, position: Position) -> tuple[int, dict[str, int]]:
    """What a network says for White, and how much less it would say without each piece but the kings.

    A piece that cannot be taken away, because a king would stand in check, is left out.
    """
    accumulators = Accumulators(network)
    sign = 1 if position.turn else -1
    verdict = sign * evaluate_with(accumulators, position)
    rows, side = position.fen().split()[:2]
    board = "".join("." * int(letter) if letter.isdigit() else letter for letter in rows.replace("/", ""))
    pieces = {}
    for index, piece in enumerate(board):
        if piece in ".Kk":
            continue
        left = board[:index] + "." + board[index + 1:]
        text = "/".join(squeezed(left[start:start + 8]) for start in range(0, 64, 8))
        try:
            without = Position(f"{text} {side} - - 0 1")
        except ValueError:
            continue
        square = f"{'abcdefgh'[index % 8]}{8 - index // 8}"
        pieces[square] = verdict - sign * evaluate_with(accumulators, without)
    return verdict, pieces


def squeezed(row: str) -> str:
    """A rank of the board as FEN writes it.

    >>> squeezed("..k....R")
    '2k4R'
    """
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), row)


def evaluation_text(position: Position, network: Network | None = None) -> str:
    """The evaluation as UCI's `eval` prints it: the network's verdict and piece values, then term by term."""
    if position.is_check():
        return "Final evaluation: none (in check)"
    found = evaluate(position, network)
    lines = []
    if found.network is not None:
        lines += ["How much each piece adds to the network's verdict, in pawns for White:", "",
                  *piece_board(position, found.pieces), "", f"network     {found.network / 100:+.2f}", ""]
    lines += [f"{'term':<14}|{'white':^17}|{'black':^17}|{'total':^17}", f"{'':<14}|" + f"{'mg':>7}{'eg':>8}  |" * 3]
    for name, term in found.terms.items():
        lines.append(f"{name:<14}|" + "".join(f"{mg / 100:7.2f}{eg / 100:8.2f}  |"
                                              for mg, eg in (term.white, term.black, term.total)))
    lines += ["", f"phase {found.phase} of 24 (all pieces) to 0 (none): how far the mg column counts",
              f"scale {found.scale} of 64: how much of the eg column counts",
              f"hand-written {found.classical / 100:+.2f}" + (" (a known ending)" if found.is_known else ""), "",
              f"Final evaluation: {found.centipawns / 100:+.2f} (white side)", ""]      # some wait for the blank line
    return "\n".join(lines)


def piece_board(position: Position, pieces: dict[str, int]) -> list[str]:
    """The board with the value of each piece under it."""
    lines = []
    for number, row in enumerate(position.fen().split()[0].split("/")):
        letters = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
        values = [pieces.get(f"{'abcdefgh'[file]}{8 - number}") for file in range(8)]
        lines.append(f"{8 - number} " + "".join(f"{letter:^8}" for letter in letters))
        lines.append("  " + "".join(f"{'' if value is None else f'{value / 100:+.2f}':^8}" for value in values))
    return [line.rstrip() for line in [*lines, "  " + "".join(f"{letter:^8}" for letter in "abcdefgh")]]
