"""Play UCI engines against each other: ratings, sequential tests, PGN, resumable results.

Two engines, one against all others, or a round robin. Each opening is played twice with colours reversed, and the two
games are counted as a pair. Three or more engines are rated together; a match of two can end as soon as a sequential
test (SPRT) is decided.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from barreleye.cli.cluster import add_cluster, cluster_of
from barreleye.output import check_apart

EXAMPLES = """\
An engine is described by its settings: cmd=COMMAND name=NAME dir=DIRECTORY tc=TIME option.NAME=VALUE
A time control is 8+0.08 (8 s and 0.08 s a move), 40/60+0.6 (40 moves in 60 s), st=0.1 (0.1 s a move), nodes=5000 or
depth=8.

examples:
  barreleye match --engine cmd=toga2 option.OwnBook=false --engine cmd=fairy-stockfish \\
      --tc 1+0.01 --games 200 --concurrency 2 --openings file=noob_3moves.epd.zip --pgn out.pgn --json out.json
  barreleye match --engine cmd=./new/barreleye name=new --engine cmd=./old/barreleye name=old --each option.Hash=16 \\
      --tc 8+0.08 --games 40000 --sprt elo0=0 elo1=5 --resign --draw --openings file=UHO_4060_v4.epd.zip
  barreleye match --gauntlet --engine cmd=barreleye --engine cmd=toga2 --engine "cmd=gnuchess --uci" --tc nodes=5000 \\
      --openings file=8moves_v3.pgn.zip
  barreleye match --chess960 --engine cmd=stockfish nodes=2000 --engine cmd=fairy-stockfish nodes=8000 \\
      --openings file=3moves_FRC.epd.zip

  barreleye match --engine cmd=new/barreleye name=new --engine cmd=old/barreleye name=old --tc nodes=20000 \\
      --games 2000 --openings file=UHO_4060_v4.epd.zip --json out.json --cluster tcp://10.0.0.1:8786

Without --openings every game begins from the start position. Engines that always choose the same moves, as they do at
fixed nodes or depth, then repeat the same two games, and the error bars mean nothing: give them a book.

Give the same command again to continue an interrupted match; that needs --json.
"""
INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    words: dict[str, Any] = {"nargs": "+", "metavar": "KEY=VALUE"}
    players = parser.add_argument_group("players")
    players.add_argument("--engine", action="append", required=True, **words,
                         help="an engine, as described below; give it once for each engine")
    players.add_argument("--each", action="extend", default=[], **words,
                         help="settings for every engine, which its own may override")
    players.add_argument("--gauntlet", action="store_true", help="the first engine plays all others")
    players.add_argument("--round-robin", action="store_true", help="every engine plays every other (the default)")
    games = parser.add_argument_group("games")
    games.add_argument("--tc", default="8+0.08", metavar="TIME", help="time control, as described below "
                       "(default %(default)s)")
    games.add_argument("--games", type=int, default=100, metavar="N",
                       help="games for each pairing, an even number (default %(default)s)")
    games.add_argument("--concurrency", type=int, default=1, metavar="N",
                       help="games played at the same time (default %(default)s)")
    add_cluster(games)
    games.add_argument("--openings", **words, help="the opening book: file=BOOK [order=random|sequential] [seed=1] "
                       "[start=1] [plies=N]")
    games.add_argument("--chess960", action="store_true", help="play Chess960")
    games.add_argument("--time-margin", type=float, default=50, metavar="MS",
                       help="milliseconds by which an engine may exceed its time (default %(default)s)")
    games.add_argument("--hang", type=float, default=60, metavar="SECONDS",
                       help="how long a move without a clock may take (default %(default)s)")
    ends = parser.add_argument_group("when a game or the match ends")
    ends.add_argument("--sprt", **words, help="stop once the test is decided: elo0=0 elo1=10 [alpha=0.05] "
                      "[beta=0.05] [model=logistic|normalized]")
    rule: dict[str, Any] = {"nargs": "*", "metavar": "KEY=VALUE"}
    ends.add_argument("--resign", **rule,
                      help="a game is lost when both engines have said so for some moves: [score=600] "
                      "[moves=3]")
    ends.add_argument("--draw", **rule,
                      help="a game is drawn when both engines have said so for some moves: [number=34] "
                      "[moves=8] [score=20]")
    ends.add_argument("--max-moves", type=int, metavar="N", help="call a game a draw after so many moves")
    ends.add_argument("--tb", metavar="PATH",
                      help="folders with Syzygy tables, which decide games with few pieces left")
    output = parser.add_argument_group("output")
    output.add_argument("--pgn", metavar="FILE", help="append the games, with scores, depths and times")
    output.add_argument("--json", metavar="FILE",
                        help="write the results here; with a file that exists, the match goes on from it")
    output.add_argument("--quiet", action="store_true", help="show only problems and the final result")


def run(args: argparse.Namespace) -> int:
    import asyncio

    from barreleye.match import LineWatcher, LiveWatcher, Watcher, run_match
    from barreleye.match.tournament.cost import cpu_line

    watcher = Watcher() if args.quiet else LiveWatcher() if sys.stdout.isatty() else LineWatcher()
    settings = settings_from(args)
    with cluster_of(args) as executor:
        result = asyncio.run(run_match(settings, watcher, executor))
    print(result)
    if not args.quiet and not args.cluster:
        print(cpu_line())
    if result.interrupted:
        again = "give the same command again to continue" if args.json else "without --json it cannot be continued"
        print(f"barreleye match: interrupted; {again}", file=sys.stderr)
        return INTERRUPTED
    if args.openings is None and args.games > 2 and not args.quiet:
        print("barreleye match: without --openings every game began from the start position; games may have repeated",
              file=sys.stderr)
    return 0


def settings_from(args: argparse.Namespace) -> Any:
    """The match that the arguments describe; ValueError names the word that is wrong."""
    from barreleye.match import DrawRule, EngineSpec, MatchSettings, Openings, Resign, Sprt, TimeControl

    if args.gauntlet and args.round_robin:
        raise ValueError("choose either --gauntlet or --round-robin, not both")
    book = build(Openings, "--openings", args.openings, file=str, order=str, seed=int, start=int, plies=int)
    check_apart({"--openings": book and book.file, "--pgn": args.pgn, "--json": args.json})
    return MatchSettings(
        engines=tuple(EngineSpec.parse(words, args.each) for words in args.engine),
        control=TimeControl.parse(args.tc),
        games=args.games,
        concurrency=args.concurrency,
        gauntlet=args.gauntlet,
        openings=book,
        sprt=build(Sprt, "--sprt", args.sprt, elo0=float, elo1=float, alpha=float, beta=float, model=str),
        resign=build(Resign, "--resign", args.resign, score=int, moves=int),
        draw=build(DrawRule, "--draw", args.draw, number=int, moves=int, score=int),
        max_moves=args.max_moves,
        tablebase=args.tb,
        chess960=args.chess960,
        margin_ms=args.time_margin,
        hang_s=args.hang,
        pgn=args.pgn,
        json=args.json,
    )


def build(what: Callable[..., Any], flag: str, words: Sequence[str] | None, **kinds: Callable[[str], Any]) -> Any:
    """The object that a list of KEY=VALUE words describes, or None without the flag."""
    if words is None:
        return None
    values: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in kinds:
            raise ValueError(f"{flag} does not know {word!r}; it takes {', '.join(f'{name}=' for name in kinds)}")
        try:
            values[key] = kinds[key](value)
        except ValueError:
            wanted = "a whole number" if kinds[key] is int else "a number"
            raise ValueError(f"{flag}: {key} is {value!r}, expected {wanted}") from None
    try:
        return what(**values)
    except TypeError:
        missing = ", ".join(f"{name}=" for name in kinds if name not in values)
        raise ValueError(f"{flag} needs more than that; not given: {missing}") from None
