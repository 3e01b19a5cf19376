"""What the network sees: how its verdict divides among the pieces, and where it would like one of them to stand.

The verdict is divided by Shapley values: a piece's share is what it adds to the verdict when it joins the pieces that
are there already, averaged over many orders in which the board could be filled. The board begins with the kings alone.
In every order the additions make up the whole, so the shares add up to the verdict exactly.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import chess

from barreleye.core.evaluate.coalition import marginals
from barreleye.core.evaluate.nnue import Accumulators, Network, evaluate_with
from barreleye.core.position import Position
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.pieces import en_prise, named
from barreleye.explain.words import board_of, capital, number, pawns, side, standing

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Inquiry

ORDERS = 4000               # the shares are then known to within a few centipawns
SEED = 1
TELLING = 15                # centipawns between two places, or two pieces of a kind, that are worth a sentence
COMPARED = (chess.BISHOP, chess.KNIGHT, chess.ROOK, chess.PAWN)
MOST_COMPARED = 3           # kinds, in sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkView(Answer):
    """The network's verdict and what each piece has to do with it, in centipawns for White."""

    has_own_board: ClassVar[bool] = True

    verdict: int
    kings: int                      # the verdict on the kings alone
    shares: dict[str, int]          # by square; with the kings' they add up to the verdict
    errors: dict[str, float]        # how far off a share may be, as a standard error
    removal: dict[str, int]         # how much less the verdict would be without the piece; some cannot be taken away
    orders: int

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_network

        return of_network(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(Answer):
    """Where the network would like a piece to stand: its verdict with the piece on each square and all else equal."""

    has_own_board: ClassVar[bool] = True

    square: str
    verdict: int                    # with the piece where it is, in centipawns for White
    verdicts: dict[str, int]        # on other free squares, where the position is legal and nobody in check
    unsafe: tuple[str, ...]         # of these, the squares where it could be taken with profit,
    within_reach: tuple[str, ...]   # and those that it can go to in one move

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_placement

        return of_placement(self)


def seen_by_network(inquiry: Inquiry, orders: int = ORDERS, seed: int = SEED) -> NetworkView:
    """What does the network see? ValueError where it is not asked: in check, or when it is switched off."""
    network = network_of(inquiry)
    found = inquiry.engine.evaluate(inquiry.position)
    assert found.network is not None
    kings, shares, errors = shapley(network, inquiry.position, orders, seed)
    board, verdict = inquiry.board, found.network
    evidence = {"verdict": verdict, "kings": kings}
    sentences = [Sentence(f"Without looking ahead, the network thinks that {standing(verdict, True)}.", evidence)]
    sentences += comparisons(board, shares)
    if any(board.occupied_co[color] == board.pieces_mask(chess.KING, color) for color in chess.COLORS):
        sentences.append(Sentence("Against a bare king the engine goes by what it knows of endgames instead.",
                                  {"centipawns": found.centipawns, "classical": found.classical}))
    return NetworkView(question="What does the network see?", fen=inquiry.fen, sentences=tuple(sentences),
                       verdict=verdict, kings=kings, shares=shares, errors=errors, removal=found.pieces, orders=orders)


def network_of(inquiry: Inquiry) -> Network:
    """The network of an inquiry's engine; ValueError when it cannot be asked about the position."""
    if inquiry.position.is_check():
        raise ValueError("a position in check is not evaluated: the search looks further first")
    network = inquiry.engine.network
    if network is None:
        raise ValueError("the network is switched off: set the option Use NNUE")
    return network


def shapley(network: Network, position: Position, orders: int = ORDERS,
            seed: int = SEED) -> tuple[int, dict[str, int], dict[str, float]]:
    """The verdict on the kings alone, each other piece's share of the rest, and the standard errors of the shares.

    Orders are drawn in pairs, one the reverse of the other: what early places exaggerate late ones play down.
    """
    board = board_of(position.fen())
    squares = [square for square, piece in sorted(board.piece_map().items()) if piece.piece_type != chess.KING]
    chance = random.Random(seed)
    pairs, drawn = max(1, orders // 2), []
    for _ in range(pairs):
        chance.shuffle(squares)
        drawn += [*squares, *reversed(squares)]
    kings, totals, powers = marginals(network, position, bytes(drawn))
    count, names = 2 * pairs, {square: chess.square_name(square) for square in sorted(squares)}
    spreads = {square: max(0.0, powers[square] / count - (totals[square] / count) ** 2) for square in names}
    errors = {name: round((spreads[square] / count) ** 0.5, 1) for square, name in names.items()}
    return kings, {names[square]: share for square, share in apportioned(totals, names, count).items()}, errors


def apportioned(totals: list[int], squares: dict[int, str], count: int) -> dict[int, int]:
    """Means in whole centipawns that add up to the mean of the whole: the largest remainders are rounded up."""
    shares = {square: totals[square] // count for square in squares}
    missing = sum(totals[square] for square in squares) // count - sum(shares.values())
    by_remainder = sorted(squares, key=lambda square: (-(totals[square] % count), square))
    for square in by_remainder[:missing]:
        shares[square] += 1
    return shares


def comparisons(board: chess.Board, shares: dict[str, int]) -> list[Sentence]:
    """Which piece of a kind counts most and which least, where that differs; the kind that differs most first."""
    found = []
    for kind in COMPARED:
        pieces = {square: abs(shares[chess.square_name(square)])
                  for color in chess.COLORS for square in board.pieces(kind, color)
                  if (shares[chess.square_name(square)] > 0) == color}
        if len(pieces) < 2:
            continue
        most, least = max(pieces, key=lambda square: pieces[square]), min(pieces, key=lambda square: pieces[square])
        apart = pieces[most] - pieces[least]
        if apart >= TELLING:
            name, places = chess.piece_name(kind), [f"{side(bool(board.color_at(square)))}'s on "
                                                    f"{chess.square_name(square)}" for square in (most, least)]
            text = (f"Of the two {name}s, {places[0]} counts more ({pawns(pieces[most])}) than {places[1]} "
                    f"({pawns(pieces[least])})." if len(pieces) == 2 else
                    f"Of the {number(len(pieces))} {name}s, {places[0]} counts most ({pawns(pieces[most])}) and "
                    f"{places[1]} least ({pawns(pieces[least])}).")
            evidence = {chess.square_name(square): shares[chess.square_name(square)] for square in pieces}
            found.append((apart / max(1, pieces[most]), Sentence(text, evidence)))
    return [sentence for _, sentence in sorted(found, key=lambda one: -one[0])][:MOST_COMPARED]


def placed(inquiry: Inquiry, square: str) -> Placement:
    """Where would the piece on this square like to stand? ValueError when there is none, or the network cannot say."""
    network, board = network_of(inquiry), inquiry.board
    try:
        origin = chess.parse_square(square)
    except ValueError:
        raise ValueError(f"{square!r} is no square of the board: give one such as e4") from None
    piece = board.piece_at(origin)
    if piece is None:
        raise ValueError(f"there is no piece on {square}")
    accumulators, sign = Accumulators(network), 1 if board.turn else -1
    verdict = sign * evaluate_with(accumulators, inquiry.position)
    verdicts, unsafe = {}, []
    for target in chess.SquareSet(~board.occupied & chess.BB_ALL):
        moved = chess.BaseBoard(board.board_fen())
        moved.remove_piece_at(origin)
        moved.set_piece_at(target, piece)
        try:
            position = Position(f"{moved.board_fen()} {'w' if board.turn else 'b'} - - 0 1")
        except ValueError:
            continue
        if not position.is_check():
            verdicts[chess.square_name(target)] = sign * evaluate_with(accumulators, position)
            if en_prise(chess.Board(position.fen()), target):
                unsafe.append(chess.square_name(target))
    near = board.copy(stack=False)
    near.turn, near.ep_square = piece.color, None
    reach = {chess.square_name(move.to_square) for move in near.legal_moves if move.from_square == origin}
    within = tuple(name for name in verdicts if name in reach)
    owner = 1 if piece.color else -1
    safe = {name: owner * value for name, value in verdicts.items()
            if name not in unsafe and (piece.piece_type != chess.PAWN or is_ahead(origin, name, piece.color))}
    return Placement(question=f"Where would {named(board, origin)} like to stand?", fen=inquiry.fen,
                     sentences=wishes(board, origin, safe, owner * verdict, within), arrow=None, square=square,
                     verdict=verdict, verdicts=verdicts, unsafe=tuple(unsafe), within_reach=within)


def is_ahead(origin: chess.Square, name: str, color: chess.Color) -> bool:
    """Whether a square lies before a pawn, where it can get by itself."""
    target = chess.parse_square(name)
    return chess.square_file(target) == chess.square_file(origin) and (target > origin) == color


def wishes(board: chess.Board, origin: chess.Square, verdicts: dict[str, int], now: int,
           within: tuple[str, ...]) -> tuple[Sentence, ...]:
    """The best safe square of all and the best within reach; verdicts are for the owner of the piece."""
    name, owner = capital(named(board, origin)), side(bool(board.color_at(origin)))
    if not verdicts and board.piece_type_at(origin) == chess.PAWN:
        return (Sentence(f"There is no safe free square before {named(board, origin)}.", {"verdict": now}),)
    if not verdicts:
        return (Sentence(f"{name} would be safe nowhere else.", {"verdict": now}),)
    best = max(verdicts, key=lambda square: verdicts[square])
    gain, evidence = verdicts[best] - now, {"verdict": now, "best": {best: verdicts[best]}}
    if gain < TELLING:
        return (Sentence(f"{name} already stands as well as it could.", evidence),)
    found = [Sentence(f"{name} would like to stand on {best}: there {owner} would be better off by {pawns(gain)}.",
                      evidence)]
    near = max((square for square in within if square in verdicts), key=lambda square: verdicts[square], default=None)
    if near == best:
        found.append(Sentence("It can go there in one move.", {"near": {near: verdicts[near]}}))
    elif near is not None and abs(verdicts[near] - now) >= TELLING:
        word = f"{'better' if verdicts[near] > now else 'worse'} by {pawns(verdicts[near] - now)}"
        found.append(Sentence(f"Of the squares it can reach in one move, {near} is the best, {word} than here.",
                              {"verdict": now, "near": {near: verdicts[near]}}))
    elif near is not None:
        found.append(Sentence(f"Of the squares it can reach in one move, {near} is the best, about as good as here.",
                              {"verdict": now, "near": {near: verdicts[near]}}))
    return tuple(found)
