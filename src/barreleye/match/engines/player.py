"""One engine process spoken to in UCI: started and checked, asked for moves, and surely ended.

The calls block: a whole game is played in one thread. `client` is the same for asyncio.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from barreleye.match.engines.pipe import EngineFault, EnginePipe
from barreleye.match.engines.spec import EngineSpec
from barreleye.match.engines.uci_options import UciOption
from barreleye.match.engines.watchdog import Watchdog
from barreleye.terminal import printable

START_S = 10.0  # from the start of the process to `uciok`
READY_S = 30.0  # `isready` to `readyok`: tables may have to be cleared
GRACE_S = 1.0  # after `stop` or `quit`
MATE_CP = 32_000
_SCORE_LINES = 100  # how far back a score is looked for
_LONGEST_NUMBER = 9  # letters of a score or depth that is believed
_LONGEST_MOVE = 20  # letters of a move that is quoted
_MOST_OPTIONS = 40  # that are listed when one is not among them


class EngineError(ValueError):
    """An engine that cannot be used at all: missing, mute, or without an option it was given."""


@dataclass(frozen=True)
class Reply:
    """A move as the engine gave it, with the last score it reported, from its own side."""

    move: str
    elapsed_ms: float
    score_cp: int | None = None
    depth: int | None = None
    mate: int | None = None


class UciPlayer:
    def __init__(self, spec: EngineSpec, watchdog: Watchdog) -> None:
        self.spec = spec
        self.id_name = spec.name
        self.options: dict[str, UciOption] = {}  # by lower-case name
        self._watchdog = watchdog
        self._pipe: EnginePipe | None = None

    def start(self, chess960: bool = False) -> None:
        """Bring the engine to `readyok` with its options set; EngineError says in one sentence why that failed."""
        command = self.spec.resolved_command()
        try:
            pipe = self._pipe = EnginePipe(command, self.spec.directory)
        except OSError as error:
            problem = error.strerror or error
            raise EngineError(f"engine {self.spec.name}: cannot start {command[0]}: {problem}") from error
        self._watchdog.watch(pipe)
        try:
            self._read_hello(pipe.ask("uci", "uciok", START_S).lines)
            self._set_options(chess960)
            pipe.ask("isready", "readyok", READY_S)
        except EngineFault as fault:
            self.close(at_once=True)
            name, talk = f"{self.spec.name} ({command[0]})", " | ".join(self.last_words(4))
            raise EngineError(f"engine {name} did not start: {fault}; the talk: {talk}") from fault
        except BaseException:
            self.close(at_once=True)
            raise

    def _read_hello(self, lines: list[bytes]) -> None:
        for line in (one.decode("utf-8", "replace").strip() for one in lines):
            if line.startswith("id name "):
                self.id_name = printable(line[8:].strip())
            elif option := UciOption.parse(line):
                self.options[option.name.lower()] = option

    def _set_options(self, chess960: bool) -> None:
        wanted = dict(self.spec.options)
        if "ponder" in self.options:
            wanted = {"Ponder": "false"} | wanted
        if chess960:
            if "uci_chess960" not in self.options:
                raise EngineError(f"engine {self.spec.name} does not play Chess960: it has no option UCI_Chess960")
            wanted["UCI_Chess960"] = "true"
        for name, value in wanted.items():
            option = self.options.get(name.lower())
            if option is None:
                known = ", ".join(sorted(one.name for one in self.options.values())[:_MOST_OPTIONS]) or "none"
                raise EngineError(f"engine {self.spec.name} has no option {name!r}; it has: {known}")
            try:
                value = option.checked(value)
            except ValueError as error:
                raise EngineError(f"engine {self.spec.name}: {error}") from None
            self._send(f"setoption name {option.name}" + ("" if option.kind == "button" else f" value {value}"))

    def _send(self, text: str) -> None:
        assert self._pipe is not None, "the engine has not been started"
        self._pipe.send(text)

    def new_game(self) -> None:
        assert self._pipe is not None, "the engine has not been started"
        self._pipe.ask("ucinewgame\nisready", "readyok", READY_S)

    def play(self, position: str, go: str, limit_s: float) -> Reply:
        """Ask for a move. Past the limit the engine is told to stop; a late move comes back with its true time."""
        assert self._pipe is not None, "the engine has not been started"
        start = perf_counter()
        answer = self._pipe.ask(f"{position}\n{go}", "bestmove", limit_s + GRACE_S, stop_after=limit_s)
        words = answer.line.split()
        score_cp, mate, depth = last_score(answer.lines)
        move = printable(words[1][:_LONGEST_MOVE]) if len(words) > 1 else ""
        return Reply(move, (answer.stamp - start) * 1000, score_cp, depth, mate)

    def last_words(self, count: int = 12) -> list[str]:
        return self._pipe.last_words(count) if self._pipe else []

    @property
    def is_alive(self) -> bool:
        return self._pipe is not None and self._pipe.is_alive

    def kill(self) -> None:
        if self._pipe:
            self._pipe.kill()

    def close(self, at_once: bool = False) -> None:
        """End the process: politely first, unless told otherwise. Afterwards it and its children are gone."""
        if self._pipe is None:
            return
        if at_once:
            self._pipe.kill()
        else:
            self._pipe.send("quit")
        self._pipe.close(GRACE_S)
        self._watchdog.forget(self._pipe)


def last_score(lines: list[bytes]) -> tuple[int | None, int | None, int | None]:
    """Score in centipawns, mate distance and depth of the last first-line report: an exact one if there is any near."""
    bound: tuple[int | None, int | None, int | None] = (None, None, None)
    for line in lines[: -_SCORE_LINES - 1 : -1]:
        if not line.startswith(b"info") or b" score " not in line:
            continue
        words = line.split()
        found = _read_score(words)
        if found is None:
            continue
        if b"lowerbound" not in words and b"upperbound" not in words:
            return found
        if bound[0] is None:
            bound = found
    return bound


def _number(word: bytes) -> int:
    """A number that an engine may report; ValueError for one that has thousands of digits, too."""
    if len(word) > _LONGEST_NUMBER:
        raise ValueError(f"a number of {len(word)} digits")
    return int(word)


def _read_score(words: list[bytes]) -> tuple[int, int | None, int | None] | None:
    try:
        if b"multipv" in words and words[words.index(b"multipv") + 1] != b"1":
            return None
        at = words.index(b"score")
        value = _number(words[at + 2])
        depth = _number(words[words.index(b"depth") + 1]) if b"depth" in words else None
    except (ValueError, IndexError):
        return None
    if words[at + 1] == b"mate":
        return (MATE_CP - value if value > 0 else -MATE_CP - value), value, depth
    return (value, None, depth) if words[at + 1] == b"cp" else None
