"""Scores, moves and counts as people say them. Scores come as the search has them: for the side to move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE

if TYPE_CHECKING:
    import chess

EVEN = 25                       # centipawns that nobody would play for
WON = 2000                      # centipawns beyond which nobody counts
KNOWN_DRAW = 5                  # wins that the fifty-move rule spoils lie just beside zero
LONGEST_LINE = 8                # plies that a sentence can carry
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def board_of(fen: str) -> chess.Board:
    """A position for python-chess, which must be told when castling is Chess960's."""
    import chess

    from barreleye.core.position import Position

    return chess.Board(fen, chess960=Position(fen).chess960)


def side(white: bool) -> str:
    """Who: White or Black."""
    return "White" if white else "Black"


def white_score(score: int, white: bool) -> dict[str, int]:
    """A score of the side to move as data, for White: {"cp": 31} or {"mate": -2}."""
    sign = 1 if white else -1
    mate = wdl.mate_moves(score)
    return {"mate": sign * mate} if mate is not None else {"cp": sign * wdl.centipawns(score)}


def score_text(score: int, white: bool) -> str:
    """A score for White, short: +0.31, #-2.

    >>> score_text(31, True), score_text(31, False)
    ('+0.31', '-0.31')
    """
    said = white_score(score, white)
    return f"#{said['mate']}" if "mate" in said else f"{said['cp'] / 100:+.2f}"


def pawns(centipawns: int) -> str:
    """A difference in pawns, without its sign: 3.1 of a pawn and more with one digit, less with two.

    >>> pawns(312), pawns(-43)
    ('3.1', '0.43')
    """
    value = abs(centipawns) / 100
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def pawns_text(centipawns: int) -> str:
    """The same with its noun: a pawn, 1.5 pawns, 0.43 pawns.

    >>> pawns_text(102), pawns_text(-300), pawns_text(43)
    ('a pawn', 'three pawns', '0.43 pawns')
    """
    told = pawns(centipawns)
    whole, _, rest = told.partition(".")
    if rest.strip("0") or whole == "0":
        return f"{told} pawns"
    return "a pawn" if whole == "1" else f"{number(int(whole))} pawns"


def standing(score: int, white: bool, known: bool = False) -> str:
    """Who stands better, as the end of a sentence. Where the result is known, nobody's lead is a draw.

    >>> standing(-312, True), standing(5, True)
    ('Black is ahead by 3.1', 'the game is even')
    """
    mate = wdl.mate_moves(score)
    leader = side(white if score > 0 else not white)
    if mate is not None:
        return f"{leader} mates in {number(abs(mate))}" if mate else f"{leader} has mated"
    if abs(score) >= TABLEBASE_RANGE:
        return f"{leader} wins by the endgame tables"
    if known and abs(score) < KNOWN_DRAW:
        return "the game is a draw"
    if abs(score) >= WON:
        return f"{leader} is winning"
    return "the game is even" if abs(score) < EVEN else f"{leader} is ahead by {pawns(score)}"


def number(count: int) -> str:
    """A small count in letters, a large one in figures with commas.

    >>> number(3), number(21000)
    ('three', '21,000')
    """
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def counted(count: int, thing: str, things: str | None = None) -> str:
    """How many of something: one move, three moves."""
    return f"{number(count)} {thing if count == 1 else things or thing + 's'}"


def percent(share: float) -> str:
    """A share of something; what is not quite all or nothing is not called so.

    >>> percent(0.623), percent(0.9991), percent(0.0002), percent(1.0)
    ('62 %', 'over 99 %', 'under 1 %', '100 %')
    """
    if 0.99 < share < 1:
        return "over 99 %"
    return "under 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row.

    >>> listed(["Nf3", "e4", "d4"]), listed(["Nf3", "e4"], "or")
    ('Nf3, e4 and d4', 'Nf3 or e4')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def san(board: chess.Board, move: str | None) -> str:
    """One move of a position, from its UCI text."""
    return "no move" if move is None else board.san(board.parse_uci(move))


def numbered(board: chess.Board, move: str) -> str:
    """One move with its number: 23.Nf3, 23...Nf6."""
    return line(board, [move])


def line(board: chess.Board, moves: Iterable[str], longest: int = LONGEST_LINE) -> str:
    """A line of play from its UCI texts, with numbers: 12...gxf5 13.exf5 Qd7.

    >>> import chess
    >>> line(chess.Board(), ["e2e4", "e7e5", "g1f3"])
    '1.e4 e5 2.Nf3'
    """
    walk, words = board.copy(stack=False), []
    for move in list(moves)[:longest]:
        if walk.turn:
            words.append(f"{walk.fullmove_number}.{walk.san(walk.parse_uci(move))}")
        else:
            before = "" if words else f"{walk.fullmove_number}..."
            words.append(before + walk.san(walk.parse_uci(move)))
        walk.push(walk.parse_uci(move))
    return " ".join(words)


def capital(text: str) -> str:
    """With a capital first letter, for the beginning of a sentence; a move stays as it is written.

    >>> capital("the pawn falls"), capital("c5 drives the knight away")
    ('The pawn falls', 'c5 drives the knight away')
    """
    first = text.split(" ", 1)[0]
    return text if any(letter.isdigit() for letter in first) else text[:1].upper() + text[1:]
