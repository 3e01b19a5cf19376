"""What notebooks show of results: a picture beside the text, and the numbers for programs.

Each function gives a MIME bundle. Names inside a picture are its own, so that any number of them stand on one page.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import chess

from barreleye.core.position import Position
from barreleye.pictures.board import BAD, CONCERNED, GOOD, picture

if TYPE_CHECKING:
    from barreleye.analysis.record import Record
    from barreleye.engine.evaluation import Evaluation
    from barreleye.engine.search_thread import Result
    from barreleye.explain.answer import Answer
    from barreleye.explain.explanation import Explanation
    from barreleye.explain.mistake import Mistake
    from barreleye.explain.network import NetworkView, Placement
    from barreleye.explain.threat import Threat

# A type of our own: front ends that know application/json would show that instead of the picture.
DATA = "application/vnd.barreleye+json"
LONGEST_LINE = 16           # plies
WIDE = 480                  # a board with numbers on it
NEUTRAL = "#eeeee6"
FULL_TINT, FULL_HEAT = 60, 100      # centipawns at which a tint is at its strongest
CELL = "style='padding:2px 10px;text-align:{}'"


def new_name() -> str:
    """A name for one picture."""
    return f"barreleye-{uuid.uuid4().hex[:12]}"


def of_position(position: Position) -> dict[str, Any]:
    """The board alone."""
    board = chess.Board(position.fen(), chess960=position.chess960)
    return {"text/plain": repr(position), "image/svg+xml": picture(board, new_name()),
            DATA: {"fen": position.fen(), "turn": "white" if position.turn else "black"}}


def of_record(record: Record) -> dict[str, Any]:
    """The board with the best move, and every line with its score."""
    board = board_of(record.fen)
    rows = [(score_text(line.cp, line.mate), line_text(board, line.pv), str(line.depth)) for line in record.lines]
    html = beside(drawn(board, record.best_move), heading(board, f"{record.nodes:,} nodes"),
                  table(("score", "line", "depth"), rows, "rlr"))
    data = {"fen": record.fen, "best_move": record.best_move, "nodes": record.nodes,
            "lines": [{"cp": line.cp, "mate": line.mate, "pv": list(line.pv), "depth": line.depth, "exact": line.exact}
                      for line in record.lines]}
    return {"text/plain": repr(record), "text/html": html, DATA: data}


def of_result(result: Result) -> dict[str, Any]:
    """The board with the move that was found; without a position, the text alone."""
    from barreleye import wdl
    from barreleye.core.notation import move_name

    text = {"text/plain": repr(result)}
    if result.fen is None:
        return text
    board = board_of(result.fen)
    sign = 1 if board.turn else -1
    mate, cp = wdl.mate_moves(result.info.score), wdl.centipawns(result.info.score)
    pv = [move_name(move, board.chess960) for move in result.info.pv]
    score = score_text(None if mate is not None else sign * cp, None if mate is None else sign * mate)
    html = beside(drawn(board, result.best_move), heading(board, f"{result.nodes:,} nodes, depth {result.info.depth}"),
                  table(("score", "line"), [(score, line_text(board, pv))], "rl"))
    return {**text, "text/html": html, DATA: {
        "fen": result.fen, "best_move": result.best_move, "ponder": result.ponder, "nodes": result.nodes,
        "cp": None if mate is not None else sign * cp, "mate": None if mate is None else sign * mate, "pv": pv}}


def of_evaluation(found: Evaluation) -> dict[str, Any]:
    """The board with what each piece adds to the network's verdict, and the hand-written terms."""
    board = board_of(found.fen)
    labels = {square: f"{value / 100:+.1f}" for square, value in found.pieces.items()}
    rows = [(name, *(f"{value / 100:+.2f}" for value in term.total)) for name, term in found.terms.items()]
    network = "none" if found.network is None else f"{found.network / 100:+.2f}"
    html = beside(picture(board, new_name(), labels=labels, width=WIDE),
                  heading(board, f"evaluation {found.centipawns / 100:+.2f}"),
                  paragraph(f"network {network}, hand-written {found.classical / 100:+.2f}; under each piece stands "
                            "what it adds to the network's verdict, for White"),
                  table(("White's lead", "middlegame", "endgame"), rows, "lrr"))
    data = {"fen": found.fen, "centipawns": found.centipawns, "network": found.network, "classical": found.classical,
            "pieces": found.pieces, "terms": {name: {"white": list(term.white), "black": list(term.black)}
                                              for name, term in found.terms.items()}}
    return {"text/plain": repr(found), "text/html": html, DATA: data}


def of_answer(answer: Answer, board_picture: str | None = None, *parts: str) -> dict[str, Any]:
    """The board with the move that the answer is about, the question as a title, each sentence a paragraph.

    An answer with a picture of its own, or with more to show below its sentences, gives both.
    """
    html = beside(board_picture or drawn(board_of(answer.fen), answer.arrow), title(answer.question),
                  *(paragraph(sentence.text) for sentence in answer.sentences), *parts)
    return {"text/plain": str(answer), "text/html": html, DATA: answer.to_json()}


def of_explanation(explanation: Explanation) -> dict[str, Any]:
    """The board once beside every question with its answer; below it, those that have a board of their own."""
    board = board_of(explanation.fen)
    parts = [title(answer.question) + "".join(paragraph(sentence.text) for sentence in answer.sentences)
             for answer in explanation.answers if not answer.has_own_board]
    below = [answer._repr_mimebundle_()["text/html"] for answer in explanation.answers if answer.has_own_board]
    html = beside(drawn(board, explanation.answers[0].arrow), heading(board, f"{explanation.nodes:,} nodes"), *parts)
    whole = "".join(f"<div style='margin-bottom:20px'>{part}</div>" for part in (html, *below))
    return {"text/plain": str(explanation), "text/html": f"<div>{whole}</div>", DATA: explanation.to_json()}


def of_threat(answer: Threat) -> dict[str, Any]:
    """The threatened move as a red arrow, and the pieces of its first motif."""
    board = board_of(answer.fen)
    move = chess.Move.from_uci(answer.move) if answer.move else None
    if not answer.is_threat:
        return of_answer(answer, picture(board, new_name(), best=move))
    concerned = answer.motifs[0].squares if answer.motifs and answer.motifs[0].ply == 0 else ()
    checkers = answer.sentences[0].evidence.get("checkers", ())
    tints = dict.fromkeys((*concerned, *checkers), (CONCERNED, 0.6))
    return of_answer(answer, picture(board, new_name(), threat=move, tints=tints))


def of_mistake(answer: Mistake) -> dict[str, Any]:
    """The move in red, the better one in green."""
    board = board_of(answer.fen)
    return of_answer(answer, picture(board, new_name(), board.turn, played=chess.Move.from_uci(answer.move),
                                     best=chess.Move.from_uci(answer.arrow) if answer.arrow else None))


def of_network(answer: NetworkView) -> dict[str, Any]:
    """Each piece with its share, tinted where it counts more or less than others of its kind; shares by kind below."""
    board = board_of(answer.fen)
    labels = {square: tenths(share) for square, share in answer.shares.items()}
    rows, tints = [], {}
    for kind in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN):
        own = {color: [chess.square_name(square) for square in board.pieces(kind, color)] for color in chess.COLORS}
        white, black = (sum(answer.shares[name] for name in own[color]) for color in chess.COLORS)
        if not own[chess.WHITE] and not own[chess.BLACK]:
            continue
        rows.append((f"{chess.piece_name(kind)}s", *(f"{value / 100:+.2f}" for value in (white, black, white + black))))
        names = [*own[chess.WHITE], *own[chess.BLACK]]
        mean = sum(abs(answer.shares[name]) for name in names) / len(names)
        for name in names:
            apart = (abs(answer.shares[name]) - mean) / FULL_TINT
            tints[name] = heat(apart), 0.85
    rows.append(("kings", "", "", f"{answer.kings / 100:+.2f}"))
    rows.append(("together", "", "", f"{answer.verdict / 100:+.2f}"))
    note = paragraph(f"Shapley values over {answer.orders:,} orders of filling the board, in pawns for White; a green "
                     "piece counts more than others of its kind, a red one less.")
    return of_answer(answer, picture(board, new_name(), labels=labels, width=WIDE, tints=tints),
                     note, table(("", "White", "Black", "together"), rows, "lrrr"))


def of_placement(answer: Placement) -> dict[str, Any]:
    """A map of the board: how much better or worse the piece would stand on each square, for its owner."""
    board = board_of(answer.fen)
    origin = chess.parse_square(answer.square)
    sign = 1 if board.color_at(origin) else -1
    gains = {name: sign * (value - answer.verdict) for name, value in answer.verdicts.items()}
    labels = {name: f"({tenths(gain)})" if name in answer.unsafe else tenths(gain) for name, gain in gains.items()}
    tints = {name: (heat(gain / FULL_HEAT), 0.9) for name, gain in gains.items()} | {answer.square: (CONCERNED, 0.8)}
    note = paragraph("On each square: how much better (green) or worse (red) off its owner would be with the piece "
                     "there, in pawns, all else being equal; in brackets where it could be taken. Free squares without "
                     "a number would leave a king in check.")
    return of_answer(answer, picture(board, new_name(), bool(board.color_at(origin)), labels=labels, width=WIDE,
                                     tints=tints), note)


def tenths(centipawns: int) -> str:
    """Pawns with one digit: +0.3; nothing is neither good nor bad.

    >>> tenths(31), tenths(-4)
    ('+0.3', '0.0')
    """
    text = f"{centipawns / 100:+.1f}"
    return text if text[1:] != "0.0" else text[1:]


def heat(strength: float) -> str:
    """The colour of a place on a map: from red over a neutral one to green.

    >>> heat(0), heat(1), heat(-2)
    ('#eeeee6', '#2f9e6e', '#d1495b')
    """
    share = min(1.0, abs(strength))
    ends = zip(bytes.fromhex(NEUTRAL[1:]), bytes.fromhex((GOOD if strength >= 0 else BAD)[1:]), strict=True)
    return "#" + bytes(round(start + share * (end - start)) for start, end in ends).hex()


def of_games(text: str, title: str, wins: int, draws: int, losses: int, data: Any = None) -> dict[str, Any]:
    """A match: won, drawn and lost games as a bar, the statistics below."""
    total = max(1, wins + draws + losses)
    parts, x = [], 0.0
    colors = ((wins, "#2f9e6e", "#ffffff"), (draws, "#b9c7cf", "#0b1620"), (losses, "#d1495b", "#ffffff"))
    for count, color, ink in colors:
        width = 480 * count / total
        parts.append(f"<rect x='{x:.1f}' width='{width:.1f}' height='24' fill='{color}'/>")
        if width > 24:
            parts.append(f"<text x='{x + width / 2:.1f}' y='16' text-anchor='middle' font-size='12' "
                         f"font-family='sans-serif' fill='{ink}'>{count}</text>")
        x += width
    bar = (f"<svg xmlns='http://www.w3.org/2000/svg' width='480' height='24' viewBox='0 0 480 24' role='img' "
           f"aria-label='{wins} won, {draws} drawn, {losses} lost'>{''.join(parts)}</svg>")
    html = f"<div><p><b>{escape(title)}</b></p>{bar}<pre>{escape(text)}</pre></div>"
    return {"text/plain": text, "text/html": html, **({} if data is None else {DATA: data})}


# Pieces of HTML


def board_of(fen: str) -> chess.Board:
    """A position for python-chess; castling is Chess960's where the FEN tells that it is."""
    return chess.Board(fen, chess960=Position(fen).chess960)


def drawn(board: chess.Board, best_move: str | None) -> str:
    return picture(board, new_name(), best=chess.Move.from_uci(best_move) if best_move else None)


def beside(board: str, *parts: str) -> str:
    return (f"<div style='display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start'><div>{board}</div>"
            f"<div>{''.join(parts)}</div></div>")


def heading(board: chess.Board, text: str) -> str:
    """Whose move it is, the opening if it has a name, and some words more."""
    from barreleye.openings import opening

    named = opening(board.fen())
    side = "White" if board.turn else "Black"
    return paragraph(f"move {board.fullmove_number}, {side} to play; {text}") + (paragraph(str(named)) if named else "")


def title(text: str) -> str:
    return f"<p style='margin:6px 0 6px;font-size:1.1em;font-weight:600'>{escape(text)}</p>"


def paragraph(text: str) -> str:
    return f"<p style='margin:0 0 8px;max-width:420px'>{escape(text)}</p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], sides: str) -> str:
    """Columns at the left or at the right, as the letters say."""
    cells = [CELL.format("right" if side == "r" else "left") for side in sides]
    head = "".join(f"<th {cell}>{escape(text)}</th>" for text, cell in zip(heads, cells, strict=True))
    body = "".join("<tr>" + "".join(f"<td {cell}>{escape(text)}</td>" for text, cell in zip(row, cells, strict=True))
                   + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def score_text(cp: int | None, mate: int | None) -> str:
    """A score for White: +0.34, #-3."""
    return f"#{mate}" if mate is not None else f"{(cp or 0) / 100:+.2f}"


def line_text(board: chess.Board, pv: Sequence[str]) -> str:
    """A line as people write it."""
    walk, moves = board.copy(stack=False), []
    for word in pv[:LONGEST_LINE]:
        move = walk.parse_uci(word)
        moves.append(move)
        walk.push(move)
    return board.variation_san(moves) if moves else "the game is over"
