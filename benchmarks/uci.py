"""What a move costs outside the search: the processor time of the UCI program that is not spent in nodes.

Games are played through the real program over a pipe, move by move as a tournament does: `position startpos moves ...`,
then `go` with a clock that runs. Whatever it answers, the games go on as they are written here. The share outside the
search is what the process used beyond the nodes' own processor time, which the core measures around the search, less
its reports; `ucinewgame` counts as outside, the start of the program does not. Where Linux's perf is installed, samples
give a second opinion: the main thread, Python and what prepares and reports a search are outside, and what libc and the
kernel did for them.

Give a build with --build, a folder that holds a package `barreleye`, to compare with it in turns.
"""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

# Barreleye against itself; the last halves are endgames with few men, where searches are deep and short of nodes.
GAMES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 c8g4 d2d3 d8e7 b1d2 e8c8 h2h3 g4h5 f1e1 e7e8 d2f1 f7f6 c2c3 c8b8 "
    "d3d4 g8e7 f1g3 h5f3 d1f3 e5d4 c3d4 d8d4 f3b3 e7c8 c1e3 d4b4 b3c2 e8e5 b2b3 f8d6 e3d2 b4b5 d2c3 b5c5 e1e3 c5c3 "
    "e3c3 d6b4 a1c1 b4c3 c2c3 e5c3 c1c3 h8e8 g3h5 e8e4 h5g7 c8d6 c3f3 e4e2 g7h5 f6f5 h5f6 h7h6 f6g8 h6h5 g8f6 h5h4 "
    "f3f4 e2a2 f4h4 a2b2 g2g4 f5g4 h3g4 b2b3 g4g5 a6a5 f6d7 b8a7 g5g6 d6f5 h4f4 b3b5 g1f1 f5h6 f4h4 h6f5 h4g4 b5d5 "
    "d7f6 d5d8 g4g5 f5e7 g5a5 a7b6 a5g5 d8d6 f6e4 d6g6 f2f4 g6h6 f1f2 e7d5 f2g3 b6b5 f4f5 c6c5 g5g6 h6h8 g3f3 h8f8",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 f6e4 d1c2 e4c3 b2c3 b4e7 f1d3 d7d6 a1b1 b7b6 g1e2 c8b7 e1g1 a7a5 c1d2 b7a6 "
    "f1e1 b8d7 e2g3 h7h6 e3e4 e8g8 g3f1 a6b7 f2f4 e6e5 f4e5 d6e5 c4c5 b7c6 d2e3 c6b7 d3b5 c7c6 b5e2 b7a6 c5b6 d7b6 "
    "e2a6 a8a6 c2e2 a6a8 d4d5 c6c5 f1g3 b6a4 e2c2 a4b6 c3c4 b6c8 e1f1 d8c7 g3f5 c8d6 f5e7 c7e7 e3c5 f8c8 c5d6 e7d6 "
    "b1b5 c8c5 b5c5 d6c5 c2f2 c5c4 f2f7 g8h8 f7g6 c4a2 g6c6 a8b8 d5d6 a2d2 c6d5 d2d5 e4d5 a5a4 g1f2 b8d8 f2e3 d8d6 "
    "e3e4 d6g6 g2g3 h8g8 e4e5 g6f6 f1a1 f6a6 a1f1 a6f6 f1a1 f6a6 d5d6 g8f7 a1f1 f7e8 e5e6 a4a3 f1b1 a6a8 b1b7 a3a2",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 e7e5 d4f5 g8f6 b1c3 c8f5 e4f5 d6d5 c1g5 d5d4 c3e4 d8d5 e4f6 g7f6 g5f6 b8d7 "
    "f6g5 f8b4 g5d2 d5e4 d1e2 b4d2 e1d2 e4f5 a1e1 f5g5 d2d1 e8c8 h2h4 g5e7 d1c1 c8b8 e2e4 e7e6 c1b1 f7f5 e4d4 d7b6 "
    "d4c5 d8d6 b2b3 e5e4 f2f3 h8c8 c5a5 d6d5 a5b4 a7a5 b4a3 e6c6 c2c4 d5d2 f3e4 f5e4 a3a5 c6d6 a5c3 b6d7 g2g3 c8f8 "
    "f1h3 f8f3 e1e3 f3f2 b3b4 d7e5 h1f1 d2b2 b1c1 e5d3 e3d3 f2c2 c3c2 b2c2 c1c2 d6d3 c2c1 e4e3 f1f8 b8a7 c4c5 e3e2",
    "c2c4 e7e5 b1c3 g8f6 g2g3 d7d5 c4d5 f6d5 f1g2 d5f6 d2d3 f8e7 g1f3 b8c6 b2b4 e7b4 c1d2 e8g8 a2a3 b4a5 e1g1 f8e8 "
    "a1c1 d8e7 c3e4 f6e4 d2a5 e4f2 f1f2 c6a5 d1a4 a5c6 a4b3 e7e6 b3e6 c8e6 f3g5 h7h6 g5e6 e8e6 g2d5 e6e7 d5c6 b7c6 "
    "c1c6 a8c8 c6c4 c7c5 f2f1 c8c6 g1f2 h6h5 f1b1 e7c7 a3a4 g7g6 f2e3 g8g7 e3e4 c6d6 b1b5 d6d4 c4d4 e5d4 e4d5 g7f6 "
    "b5c5 c7d7 d5c6 d7e7 c5c2 f6g5 h2h3 h5h4 g3h4 g5h4 c6d6 e7e6 d6d5 e6a6 d5d4 h4h3 c2c7 a6a4 d4e3 f7f6 d3d4 a4a3",
)
SAMPLES_A_SECOND = 999             # more of them would cost what they measure; not in step with the kernel's clock
# What prepares and reports a search in the core; all else of it is the search, on the thread that searches.
AROUND = ("pool", "report", "notation", "timeman")
AROUND_FUNCTIONS = ("Worker_prepare", "Worker_allow", "Worker_clear", "count_used",
                    "clear_histories", "forget_low_plies")


@dataclass(frozen=True)
class Account:
    """What the program says of itself, all times in microseconds."""

    process: float                     # processor time
    nodes: float                       # of it in nodes
    before: list[float]                # from each `go` to the first node, by the clock
    after: list[float]                 # from the last node until `bestmove` is written


def serve(with_delays: bool) -> None:
    """Be the UCI program, with a further command `times` that answers with an Account."""
    from barreleye import uci

    class Timed(uci.Uci):
        def __init__(self) -> None:
            super().__init__()
            self.engine.pool.time_nodes()
            self.before: list[float] = []
            self.after: list[float] = []
            self.commands["times"] = lambda _: self.say(json.dumps(
                [1e6 * time.process_time(), self.engine.pool.times()["nodes"], self.before, self.after]))

    class Delayed(Timed):
        """Looks at the clock whenever something is said, which costs a little itself."""

        received = 0.0

        def handle(self, line: str) -> bool:
            self.received = time.monotonic_ns() / 1000
            return super().handle(line)

        def say(self, text: str) -> None:
            # Before it is written: who reads it may be let run first, on this very processor, and answer at once.
            if "bestmove" in text:
                now, times = time.monotonic_ns() / 1000, self.engine.pool.times()
                self.before.append(times["first"] - self.received)
                self.after.append(now - times["last"])
            super().say(text)

    uci.main(Delayed if with_delays else Timed)


class Program:
    """The UCI program of one build, in a process of its own."""

    def __init__(self, build: Path | None, with_delays: bool = False) -> None:
        path = {"PYTHONPATH": str(build)} if build else {}
        self.process = subprocess.Popen([sys.executable, __file__, "--serve", *["--delays"] * with_delays], text=True,
                                        env={**os.environ, **path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask("isready", "readyok")

    def ask(self, lines: str, answer: str) -> str:
        """Say something and read on until a line that begins with the answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(lines + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(answer):
                return line
        sys.exit("The engine has ended.")

    def account(self) -> Account:
        return Account(*json.loads(self.ask("times", "[")))

    def close(self) -> None:
        self.process.communicate("quit\n")


def play(program: Program, time_ms: float, increment_ms: float, move_time_ms: int) -> int:
    """Every game with a clock of its own, every second move of it ours; returns how many moves were asked for."""
    asked = 0
    for number, game in enumerate(GAMES):
        program.ask("ucinewgame\nisready", "readyok")
        moves, left_ms = game.split(), time_ms
        for ply in range(6 + number % 2, len(moves), 2):
            clock = f"wtime {left_ms:.0f} btime {left_ms:.0f} winc {increment_ms:.0f} binc {increment_ms:.0f}"
            began = time.monotonic()
            program.ask(f"position startpos moves {' '.join(moves[:ply])}\n"
                        f"go {f'movetime {move_time_ms}' if move_time_ms else clock}", "bestmove")
            left_ms = max(1, left_ms - 1000 * (time.monotonic() - began) + increment_ms)
            asked += 1
    return asked


class Sampler:
    """perf at work on a process: where its processor time goes, by threads and calls."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name, "perf.data")
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_A_SECOND), "--call-graph", "dwarf,1024"]
        self.perf = subprocess.Popen([*record, "-o", str(self.file), "-p", str(pid)], stderr=subprocess.DEVNULL)
        time.sleep(0.5)                # until it has begun

    def samples(self) -> Iterator[tuple[bool, list[tuple[str, str]]]]:
        """Each sample: whether it is of the main thread, and its calls as (function, library), innermost first.

        Ends the sampling.
        """
        self.perf.send_signal(signal.SIGINT)
        self.perf.wait()
        script = subprocess.run(["perf", "script", "-i", str(self.file), "-F", "tid,ip,sym,dso"], capture_output=True,
                                text=True, check=True).stdout
        self.folder.cleanup()
        for sample in script.split("\n\n"):
            head, _, calls = sample.strip().partition("\n")
            found = re.findall(r"^\s*[0-9a-f]+ (.*) \((.*)\)$", calls, re.MULTILINE)
            if found:
                yield int(head) == self.pid, found


def is_search(is_main: bool, calls: list[tuple[str, str]]) -> bool:
    """Whether a sample is of the search. What libc or the kernel did, whoever called them did."""
    for function, library in calls:
        if "/barreleye/core/" in library:
            module = Path(library).name.partition(".")[0]
            return not is_main and module not in AROUND and not function.endswith(AROUND_FUNCTIONS)
        if "libpython" in library:
            return False
    return False


def place(is_main: bool, calls: list[tuple[str, str]]) -> str:
    """Where a sample outside the search was, for people."""
    library = next((library for _, library in calls if library != "inlined"), "")
    name = Path(library).name.partition(".")[0] if "/" in library else "kernel"
    return f"{'loop' if is_main else 'search thread'}, {name}: {calls[0][0]}"


@dataclass
class Build:
    """One build under measurement: its two programs, and what each round gave."""

    name: str
    program: Program
    delayed: Program
    rounds: list[tuple[float, ...]] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)
    samples: int = 0

    def play_round(self, args: argparse.Namespace, perf: bool) -> None:
        """All games: processor ms a move, us outside, their share in % by account and by samples, delays in us."""
        seconds, _, increment = args.clock.partition("+")
        clock = 1000 * float(seconds), 1000 * float(increment or 0), args.movetime
        start = self.program.account()
        sampler = Sampler(self.program.process.pid) if perf else None
        moves = play(self.program, *clock)
        inside = total = 0
        for is_main, calls in sampler.samples() if sampler else ():
            total += 1
            if is_search(is_main, calls):
                inside += 1
            else:
                self.places[place(is_main, calls)] += 1
        self.samples += total
        end = self.program.account()
        used = end.process - start.process
        outside = used - (end.nodes - start.nodes)
        known = len(self.delayed.account().before)
        play(self.delayed, *clock)
        delays = self.delayed.account()
        self.rounds.append((used / moves / 1000, outside / moves, 100 * outside / used,
                            100 * (1 - inside / max(1, total)), median(delays.before[known:]),
                            median(delays.after[known:])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clock", default="1+0.01", help="seconds and increment of a game (default %(default)s)")
    parser.add_argument("--movetime", type=int, default=0, help="milliseconds a move instead of a clock")
    parser.add_argument("--rounds", type=int, default=5, help="how often all games are played (default %(default)s)")
    parser.add_argument("--build", type=Path, action="append", default=[], help="another build to take turns with")
    parser.add_argument("--no-perf", action="store_true", help="take no samples: they slow the program a little")
    parser.add_argument("--places", type=int, default=0, help="show so many of the costliest places outside the search")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--delays", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.delays)
        return
    perf = shutil.which("perf") is not None and not args.no_perf
    paths: dict[str, Path | None] = {"this build": None, **{str(path): path for path in args.build}}
    builds = [Build(name, Program(path), Program(path, True)) for name, path in paths.items()]
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}{load}")
    limit = f"{args.movetime} ms a move" if args.movetime else args.clock
    print(f"{len(GAMES)} games at {limit}, {args.rounds} rounds, medians\n", flush=True)
    for _ in range(args.rounds):
        for build in builds:
            build.play_round(args, perf)
    print("| build | a move, processor ms | outside the search, us | share | by samples | go to first node, us "
          "| last node to bestmove, us |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for build in builds:
        used, outside, share, sampled, before, after = (median(column) for column in zip(*build.rounds, strict=True))
        print(f"| {build.name} | {used:.1f} | {outside:.0f} | {share:.2f} % | {f'{sampled:.2f} %' if perf else '-'} "
              f"| {before:.0f} | {after:.0f} |", flush=True)
    for build in builds:
        build.program.close()
        build.delayed.close()
        if args.places and perf:
            print(f"\nOutside the search, {build.name}:")
            for where, count in build.places.most_common(args.places):
                print(f"{100 * count / build.samples:6.2f} %  {where}")


if __name__ == "__main__":
    main()
