"""A finished game as PGN, each move with the score, depth and time its player spent on it."""

from __future__ import annotations

import asyncio
from datetime import date

from barreleye.core.notation import START_FEN
from barreleye.match.engines.player import Reply
from barreleye.match.games.game import GameRecord, MatchGame

_LINE_WIDTH = 100
_BREATH = 16  # moves written in one go, less than a millisecond
_TERMINATIONS = {
    "time forfeit": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "no answer": "abandoned",
    "flood": "abandoned",
    "resign adjudication": "adjudication",
    "draw adjudication": "adjudication",
    "maximum length": "adjudication",
    "tablebase": "adjudication",
}


async def game_as_pgn(game: MatchGame, record: GameRecord) -> str:
    """The text of one game. It gives way between moves: other games' clocks are running."""
    import chess

    board = chess.Board(game.opening.fen, chess960=game.position.chess960)
    tokens: list[str] = []
    for index, text in enumerate(game.moves):
        if board.turn or not tokens:
            tokens.append(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        tokens.append(board.san_and_push(chess.Move.from_uci(text)))
        if index >= len(game.opening.moves):
            tokens.append(move_comment(game.replies[index - len(game.opening.moves)]))
        else:
            tokens.append("{book}")
        if index % _BREATH == 0:
            await asyncio.sleep(0)
    fault = f" by {record.fault}: {record.detail}" if record.fault else ""
    tokens += ["{" + f"{record.reason}{fault}".replace("}", ")") + "}", record.result]
    return "\n".join(_headers(game, record)) + "\n\n" + _wrapped(tokens) + "\n\n"


def move_comment(reply: Reply) -> str:
    """`{+0.31/12 0.045s}`, mates as `{+M5/20 0.100s}`: the player's own view, as other runners write it."""
    if reply.mate is not None:
        score = f"{'+' if reply.mate > 0 else '-'}M{abs(reply.mate)}"
    else:
        score = f"{reply.score_cp / 100:+.2f}" if reply.score_cp is not None else ""
    depth = f"/{reply.depth}" if reply.depth is not None else ""
    return "{" + f"{score}{depth} {reply.elapsed_ms / 1000:.3f}s".strip() + "}"


def _headers(game: MatchGame, record: GameRecord) -> list[str]:
    pair, second = divmod(record.number, 2)
    controls = [str(clock.control) for clock in game.clocks]
    tags = {
        "Event": "Barreleye match",
        "Site": "?",
        "Date": date.today().strftime("%Y.%m.%d"),
        "Round": f"{pair + 1}.{second + 1}",
        "White": record.white,
        "Black": record.black,
        "Result": record.result,
    }
    if game.position.chess960:
        tags["Variant"] = "Chess960"
    if game.opening.fen != START_FEN:
        tags |= {"SetUp": "1", "FEN": game.opening.fen}
    if controls[0] == controls[1]:
        tags["TimeControl"] = controls[0]
    else:
        tags |= {"WhiteTimeControl": controls[0], "BlackTimeControl": controls[1]}
    tags |= {"PlyCount": str(len(game.moves)), "Termination": _TERMINATIONS.get(record.reason, "normal")}
    return [f'[{key} "{value.replace(chr(92), "/").replace(chr(34), chr(39))}"]' for key, value in tags.items()]


def _wrapped(tokens: list[str]) -> str:
    lines: list[str] = []
    line = ""
    for token in tokens:
        if line and len(line) + 1 + len(token) > _LINE_WIDTH:
            lines.append(line)
            line = token
        else:
            line = f"{line} {token}" if line else token
    return "\n".join([*lines, line])
