"""Write down a search: every visit of a node and every decision in it, with the numbers compared.

Shows what became of each root move in the last iteration, or with --show of the moves after a line, with the decisions
that were made there. -o takes the whole tree elsewhere. docs/glassbox.md says how to read it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye import output
from barreleye.cli.position import add_position, start_of

if TYPE_CHECKING:
    import chess
    from rich.console import Console

    from barreleye.tree import Tree, Visit

EXAMPLES = """\
examples:
  barreleye record
  barreleye record game.pgn --move 23b --nodes 500000 -o tree.db
  barreleye record FEN --show "dxc5 Nxe5"          what the search did after these moves
  barreleye record FEN --without "Null Move"       the same search without a technique: where they part
  barreleye record FEN -o tree.svg -o tree.json    a picture, and a profile for speedscope.app
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add_position(parser)
    add("--nodes", type=int, metavar="N", help="search so many nodes (default 100000)")
    add("--depth", type=int, metavar="N", help="end at this depth; with --nodes at whichever comes first")
    add("--hash", type=int, default=16, metavar="MiB", help="size of the table (default %(default)s)")
    add("--budget", type=float, default=256, metavar="MiB",
        help="memory for the record; what lies within the smallest visits is given up when it is full "
        "(default %(default)g)")
    add("--show", metavar="MOVES", help="show the visits after these moves instead of the root, and their decisions")
    add("--without", action="append", default=[], metavar="TECHNIQUE",
        help="compare with the same search without this technique; may be given several times")
    add("-o", "--output", type=Path, action="append", default=[], metavar="FILE",
        help="write the tree: .db (SQLite), .parquet, .json (speedscope), .txt (stacks for flame graphs) or .svg; "
        "may be given several times")
    add("--json", action="store_true", help="print one JSON object instead of tables")


def run(args: argparse.Namespace) -> int:
    from rich.console import Console

    from barreleye.core.techniques import TECHNIQUES, index_of
    from barreleye.engine import Engine

    limit: dict[str, float] = {name: value for name in ("nodes", "depth") if (value := getattr(args, name)) is not None}
    writers = [(writer_for(path), path) for path in args.output]
    output.check_apart({f"-o {number + 1}": path for number, path in enumerate(args.output)})
    off = {f"Use {TECHNIQUES[index_of(name)].name}": False for name in args.without}
    board = start_of(args).board
    line = parse_line(board, args.show or "")
    with Engine(Hash=args.hash) as engine:
        tree = engine.record(board, limit or None, budget_mb=args.budget)
        for write, path in writers:
            write(tree, path)
        difference = tree.compare(engine.record(board, limit or None, budget_mb=args.budget,
                                                options=off)) if off else None
    visits = tree.find(*(move.uci() for move in line)) if line else tree.windows[-1:] and (tree.root,)
    if args.json:
        print(json.dumps({**facts(tree), "visits": [visit.to_json() for visit in shown(visits, bool(line))],
                          "difference": difference and difference.to_json()}))
        return 0
    console = Console(highlight=False)
    tell(console, tree, board)
    if line:
        tell_visits(console, visits)
    elif visits:
        tell_root(console, visits[0])
    if difference is not None:
        console.print(f"\n[bold]without {', '.join(args.without)}[/bold]\n{difference}", soft_wrap=True)
    for path in args.output:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)
    return 0


def writer_for(path: Path) -> Callable[[Tree, Path], None]:
    """What writes a file of this name; ValueError when nothing does, or it cannot be written."""
    from barreleye.tree import Tree

    writers = {".db": Tree.to_sqlite, ".sqlite": Tree.to_sqlite, ".parquet": Tree.to_parquet,
               ".json": Tree.to_speedscope, ".txt": Tree.to_stacks, ".svg": draw}
    if path.suffix.lower() not in writers:
        raise ValueError(f"{path}: name a file that ends in {', '.join(writers)}")
    output.check(path)
    return writers[path.suffix.lower()]


def draw(tree: Tree, path: Path) -> None:
    """The icicle of the last window; ValueError when there is none."""
    from barreleye.pictures.tree import icicle

    if not tree.windows:
        raise ValueError(f"{path} cannot be drawn: the position has no legal move, so nothing was searched")
    output.write_text(path, icicle(tree.root))


def parse_line(board: chess.Board, text: str) -> list[chess.Move]:
    """Moves from a position on, as people write them; ValueError names one that cannot be played."""
    from barreleye.cli.position import MOVE_NUMBERS
    from barreleye.typed_moves import parse_move

    after, moves = board.copy(), []
    for word in MOVE_NUMBERS.sub(" ", text).split():
        moves.append(parse_move(after, word))
        after.push(moves[-1])
    return moves


def facts(tree: Tree) -> dict[str, Any]:
    """What the search came to."""
    summary = tree.summary
    return {"fen": tree.position.fen(shredder=tree.chess960), "best_move": summary.best_move, "score": summary.score,
            "depth": summary.depth, "pv": list(summary.pv), "nodes": summary.nodes, "visits_total": tree.total,
            "visits_kept": len(tree), "collapse": tree.collapse}


def shown(visits: tuple[Visit, ...], in_line: bool) -> tuple[Visit, ...]:
    """The visits to speak of: those after a line, or those within the root."""
    return visits if in_line or not visits else visits[0].children


def tell(console: Console, tree: Tree, board: chess.Board) -> None:
    """One line on the search, one on the record."""
    from barreleye.tree import words

    summary = tree.summary
    if summary.best_move is None:
        console.print("The position has no legal move: nothing was searched.")
        return
    best = board.san(board.parse_uci(summary.best_move))
    console.print(f"[bold]{best}[/bold]  {words.value(summary.score)}  depth {summary.depth}, {summary.nodes:,} nodes")
    kept = "all kept" if len(tree) == tree.total else (
        f"{len(tree):,} kept, what lies within visits of up to {tree.collapse:,} counted only")
    console.print(f"{tree.total:,} visits, {kept}", style="dim")


def tell_root(console: Console, root: Visit) -> None:
    """A row for each root move of the last window."""
    from rich import box
    from rich.table import Table

    from barreleye.tree import words

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"the root moves in iteration {root.iteration}"
                  + ", the last that was finished" * (root.iteration < root.tree.summary.depth))
    for head, side in (("move", "left"), ("searched as", "left"), ("depth", "right"), ("value", "right"),
                       ("visits", "right"), ("why it ended", "left")):
        table.add_column(head, justify=side)                    # type: ignore[arg-type]
    for visit in root.children:
        move = words.in_san(root, visit.move) if visit.move else "="
        table.add_row(move, visit.kind, str(visit.depth), value_for_root(visit), f"{visit.size:,}", visit.reason)
    console.print(table)


def value_for_root(visit: Visit) -> str:
    """What a root move came to, for the side that plays it; most have only shown that they are no better."""
    from barreleye.tree import words

    if visit.ending == "stopped":
        return "-"
    sign = {"exact": "", "at least": "<= ", "at most": ">= "}[visit.bound]          # for the other side
    return sign + words.value(-visit.value)


def tell_visits(console: Console, visits: tuple[Visit, ...]) -> None:
    """Each visit in words, with its decisions."""
    if not visits:
        console.print("The search never went there, or it was not kept.")
    for visit in visits:
        console.print(f"\n[bold]visit {visit.number:,}, iteration {visit.iteration}[/bold]  {visit}", soft_wrap=True)
        for event in visit.events:
            console.print(f"  {event.technique}: {event}", style="dim", markup=False, soft_wrap=True)
