"""Throws broken FEN text and broken moves at Position and holds what it makes of them against python-chess.

Run by test_fuzz.py, a process for each part of the work:
    python fuzz.py SEED FENS GAMES
prints how much was accepted and refused, as JSON, and fails at the first wrong answer.
"""

import json
import random
import sys
from collections import Counter

import chess

from barreleye import Position

LETTERS = "PNBRQKpnbrqk12345678/ wb-KQkqAHahe36" + "09x\t\n\0\\'%\xe9\uff11\u0663\xbd\u017f\u212a\ud800\U0001f41f"
FIELDS = ("", "-", "w", "b", "KQkq", "KK", "HAha", "Gg", "e3", "e6", "a9", "E3", "0", "00", "-1", "+1", "1_0", "99999",
          "100000", "9" * 40, "0x10", "\u0663", "8/8/8/8/8/8/8/8", "/" * 7, "8/" * 8)
TOKENS = ("", " ", "0000", "e1g1", "e1h1", "e8c8", "O-O", "e2", "e2e", "e2e4e5", "i1i2", "a0a1", "e7e8k", "e7e8p",
          "a1a1", "--", "null", "\0" * 4, "e2e4\n", " e2e4", "\xe92\xe94", "\uff11\uff12", "\ud800", "q" * 1000)
# python-chess calls these invalid because no game leads there, but they can be played on like any other.
UNREACHABLE = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK


def games_positions(rng: random.Random) -> list[str]:
    """FENs to start from: some of random games, half of them Chess960."""
    fens = []
    for number in range(80):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if number % 2 else chess.Board()
        for _ in range(rng.randrange(150)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice([move for move in moves if board.pawns >> move.from_square & 1] or moves))
            if rng.random() < 0.1:
                fens.append(rng.choice((board.fen(), board.fen(en_passant="fen"), board.fen(shredder=True))))
    return fens


def crowd(rng: random.Random) -> str:
    """A board filled at random, kings first so that some are accepted."""
    board = chess.Board(None)
    squares = rng.sample(range(64), rng.choice((4, 8, 16, 36)))
    for square, symbol in zip(squares, "Kk" + "".join(rng.choices("PNBRQpnbrq", k=34)), strict=False):
        if symbol not in "Pp" or 7 < square < 56 or rng.random() < 0.02:
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    castling = rng.choice(("-", "KQkq", "AHah", "".join(rng.choices("KQkqABCDEFGHabcdefgh", k=rng.randint(1, 5)))))
    passant = rng.choice(("-", rng.choice("abcdefgh") + rng.choice("36")))
    return f"{board.board_fen()} {rng.choice('wb')} {castling} {passant} {rng.randrange(120)} {rng.randrange(200)}"


def mutate(rng: random.Random, fen: str) -> str:
    """One small injury to a FEN."""
    kind = rng.randrange(10)
    at = rng.randrange(len(fen) + 1)
    if kind == 0:
        return fen[:at] + rng.choice(LETTERS) + fen[at + 1 :]
    if kind == 1:
        return fen[:at] + rng.choice(LETTERS) + fen[at:]
    if kind == 2:
        return fen[:at] + fen[at + 1 :]
    fields = fen.split(" ")
    chosen = rng.randrange(len(fields))
    if kind == 3:
        fields[chosen] = rng.choice(FIELDS)
    elif kind == 4:
        del fields[chosen]
    elif kind == 5:
        fields.insert(chosen, rng.choice(fields))
    elif kind == 6 and len(fields) > 3:
        fields[1:4] = [rng.choice("wb"), rng.choice(("-", "KQkq", "K", "ha", "Bg")), rng.choice(("-", "d6", "d3"))]
    elif kind == 7:
        ranks = fields[0].split("/")
        rng.shuffle(ranks)
        fields[0] = "/".join(ranks)
    else:
        letters = list(fields[0])
        one, other = rng.randrange(len(letters) or 1), rng.randrange(len(letters) or 1)
        if "/" not in letters[one : one + 1] + letters[other : other + 1] and letters:
            letters[one], letters[other] = letters[other], letters[one]
        fields[0] = "".join(letters)
    return " ".join(fields)


def broken_fen(rng: random.Random, fens: list[str]) -> str:
    kind = rng.random()
    if kind < 0.1:
        return "".join(rng.choices(LETTERS, k=rng.randrange(80)))
    text = crowd(rng) if kind < 0.3 else rng.choice(fens)
    for _ in range(rng.choice((0, 0, 1, 1, 1, 1, 2, 5))):
        text = mutate(rng, text)
    return text


def is_plainly_valid(text: str) -> bool:
    """Whether python-chess accepts the text and finds nothing wrong, and its numbers are written as numbers are."""
    try:
        valid = chess.Board(text, chess960=True).is_valid()
    except ValueError:
        return False
    return valid and all(field.isascii() and field.isdigit() and len(field) <= 5 for field in text.split()[4:])


def compare_fen(rng: random.Random, text: str) -> bool:
    """Fail unless the text is refused with a reason or taken for what python-chess takes it; return whether it was."""
    try:
        position = Position(text, chess960=True)
    except ValueError as error:
        assert str(error).startswith("FEN "), error
        assert "field" in str(error) or "empty" in str(error), error
        assert not is_plainly_valid(text), error
        return False
    fen = position.fen()
    board = chess.Board(fen, chess960=True)
    assert board.status() & ~UNREACHABLE == chess.STATUS_VALID, board.status()
    if is_plainly_valid(text):
        assert fen == chess.Board(text, chess960=True).fen(en_passant="legal")
    assert fen == board.fen(en_passant="legal")
    assert Position(fen).fen() == fen
    assert Position(position.fen(shredder=True)).fen() == fen
    assert position.keys() == position.keys(recompute=True)
    assert position.is_check() == board.is_check()
    moves = position.legal_moves()
    assert sorted(moves) == sorted(move.uci() for move in board.legal_moves)
    if moves:
        move = rng.choice(moves)
        before = position.snapshot()
        board.push_uci(move)
        position.push(move)
        assert position.fen() == board.fen(en_passant="legal")
        position.pop()
        assert position.snapshot() == before
    return True


def names_of_moves(board: chess.Board) -> dict[str, chess.Move]:
    """Every text that names a legal move: castling may also be written as where the king goes, if nothing else is."""
    names = {move.uci(): move for move in board.legal_moves}
    for move in list(board.legal_moves):
        if board.is_castling(move):
            target = chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
            names.setdefault(chess.square_name(move.from_square) + chess.square_name(target), move)
    return names


def broken_move(rng: random.Random, names: dict[str, chess.Move]) -> str:
    kind = rng.random()
    if kind < 0.5 and names:
        return rng.choice(list(names))
    if kind < 0.7 and names:
        text = rng.choice(list(names))
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice("abcdefgh12345678nbrqkNQ \0\xe9") + text[at + rng.randrange(2) :]
    if kind < 0.9:
        return "".join(rng.choice(group) for group in ("abcdefgh", "12345678", "abcdefgh", "12345678"))
    return rng.choice(TOKENS)


def compare_game(rng: random.Random, fen: str, met: Counter[str]) -> None:
    """Fail unless exactly the legal moves of a list are played and every other leaves the position as it was."""
    board = chess.Board(fen, chess960=True)
    position = Position(fen, chess960=True)
    for _ in range(rng.randrange(1, 12)):
        names = names_of_moves(board)
        text = broken_move(rng, names)
        move = names.get(text.lower())
        assert position.is_legal(text) == (move is not None), text
        before = position.snapshot()
        try:
            position.push(text)
        except ValueError as error:
            met["moves refused"] += 1
            assert move is None, text
            assert str(error) == f"{text!r} is not a legal move in {position.fen()}"
            assert position.snapshot() == before
            continue
        met["moves played"] += 1
        assert move is not None, text
        board.push(move)
        assert position.fen() == board.fen(en_passant="legal"), text


def main(seed: int, texts: int, games: int) -> None:
    rng = random.Random(f"fuzz {seed}")
    fens = games_positions(rng)
    met: Counter[str] = Counter()
    for _ in range(texts):
        text = broken_fen(rng, fens)
        try:
            met["FENs accepted" if compare_fen(rng, text) else "FENs refused"] += 1
        except Exception as error:
            raise AssertionError(f"FEN {text!r}") from error
    for _ in range(games):
        fen = rng.choice(fens)
        compare_game(rng, fen, met)
        met["games"] += 1
    sys.stdout.write(json.dumps(met) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
