"""Engine: a chess engine as a Python object. Options, position, go, stop, wait; the UCI loop is one of its users."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from barreleye import levels, nets, options
from barreleye.core.notation import START_FEN, move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.core.techniques import INDEX, index_of

Limits = dict[str, Any]
ENDING_LIMITS = {"wtime", "btime", "movetime", "depth", "nodes", "softnodes", "mate"}
KNOWN_LIMITS = ENDING_LIMITS | {"winc", "binc", "movestogo", "infinite", "ponder"}


@dataclass(frozen=True, slots=True)
class Result:
    """What a search decided, moves as UCI text; best_move is None when there is no legal move."""

    best_move: str | None
    ponder: str | None
    info: SearchInfo
    nodes: int


def check_limits(limits: Limits) -> Limits:
    """The limits of a search, whole and possible; ValueError names what is not."""
    for name, value in limits.items():
        if name not in KNOWN_LIMITS:
            raise ValueError(f"no such limit: {name}; there are {', '.join(sorted(KNOWN_LIMITS))}")
        least = 1 if name in ("depth", "nodes", "softnodes", "mate", "movetime") else 0
        if name not in ("infinite", "ponder") and not least <= value <= 1 << 62:
            raise ValueError(f"{name} is {value}, expected at least {least}")
    return dict(limits)


class Engine:
    """One engine: its threads, its table, its position. Any number of them live in one process.

    >>> engine = Engine(Hash=1)
    >>> engine.position("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    >>> engine.search(depth=4).info.score > 30000
    True
    """

    def __init__(self, **settings: object) -> None:
        self.pool = Pool(network=nets.load_default())
        self.board = Position()
        self.values: dict[str, options.Value] = {option.name: option.default for option in options.OPTIONS}
        self.on_note: Callable[[str], None] | None = None
        self._searching: threading.Thread | None = None
        self._busy = False
        self._result: Result | None = None
        self._error: BaseException | None = None
        for name, value in settings.items():
            self.set_option(name.replace("_", " ") if name not in self.values else name, value)

    # Settings

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option by its UCI name. Waits for a running search to be stopped first."""
        option = options.find(name)
        parsed = option.parse(value)
        self.finish()
        if option.name == "Threads":
            assert isinstance(parsed, int)
            self.pool.set_threads(parsed)
        elif option.name == "Hash":
            assert isinstance(parsed, int)
            self.pool.set_hash(parsed)
        elif option.name == "Clear Hash":
            self.pool.new_game()
        elif option.name == "MultiPV":
            assert isinstance(parsed, int)
            self.pool.set_multipv(parsed)
        elif option.name == "nodestime":
            assert isinstance(parsed, int)
            self.pool.set_nodestime(parsed)
        elif option.name == "EvalFile":
            self.set_network(str(parsed or ""))
        elif option.name.startswith("Syzygy"):
            self.values[option.name] = parsed
            self.set_tables(reopen=option.name == "SyzygyPath")
        elif option.name.lower().removeprefix("use ") in INDEX:
            self.pool.switch(index_of(option.name), bool(parsed))
        self.values[option.name] = parsed

    def set_network(self, path: str) -> None:
        """Evaluate by the network in this file, "" for the one in the package. On an error the old one stays."""
        try:
            network = nets.load(path) if path else nets.load_default()
        except OSError as error:
            raise ValueError(f"EvalFile {path} cannot be read: {error.strerror or error}") from error
        self.pool.set_network(network)

    def set_tables(self, reopen: bool) -> None:
        """Hand the tablebases to the search as the options say; files are opened when they are first needed."""
        from barreleye import tablebase

        tables = self.pool.tables
        if reopen:
            path = str(self.values["SyzygyPath"] or "")
            tables = tablebase.open_tables(path, self.note)
            if path:
                results = sum(not file.is_dtz for file in tables.files)
                self.note(f"Found {results} WDL and {len(tables.files) - results} DTZ tablebase files "
                          f"(up to {tables.cardinality}-man)")
        self.pool.set_tables(tables, int(self.values["SyzygyProbeLimit"] or 0),
                             int(self.values["SyzygyProbeDepth"] or 1), bool(self.values["Syzygy50MoveRule"]))

    def note(self, text: str) -> None:
        """Tell whoever listens something worth knowing; without a listener it is a Python warning if it is bad news."""
        if self.on_note is not None:
            self.on_note(text)
        elif not text.startswith("Found"):
            warnings.warn(text, RuntimeWarning, stacklevel=4)

    def note_broken_tables(self) -> None:
        """Name each tablebase file that turned out to be unusable, once."""
        if self.pool.tables.files:
            from barreleye import tablebase

            for problem in tablebase.new_problems(self.pool.tables):
                self.note(problem)

    def handicap(self, board: Position) -> levels.Handicap | None:
        """What holds the next search back, None at full strength."""
        level = levels.of_options(self.values)
        if level is None:
            return None
        return levels.Handicap(level, int(self.values["Strength Seed"] or 0), board, int(self.values["MultiPV"] or 1))

    def new_game(self) -> None:
        """Forget everything about earlier games."""
        self.finish()
        self.pool.new_game()

    def position(self, fen: str = START_FEN, moves: Iterable[str] = ()) -> None:
        """Set the position to search: a FEN and the moves played from it. On ValueError the old one stays."""
        board = Position(fen, bool(self.values["UCI_Chess960"]))
        for move in moves:
            board.push(move)
        self.finish()
        self.board = board

    # Searching

    def go(self, limits: Limits | None = None, *, searchmoves: Iterable[str] | None = None,
           on_info: Callable[[SearchInfo], None] | None = None,
           on_done: Callable[[Result], None] | None = None,
           on_error: Callable[[BaseException], None] | None = None) -> None:
        """Start to search in the background; wait() or on_done gives the result, on_error hears what went wrong.

        limits has any of wtime, btime, winc, binc, movestogo, movetime (ms), depth, nodes, mate, infinite, ponder.
        """
        asked = check_limits(limits or {"infinite": True})
        self.finish()
        wanted = None if searchmoves is None else [self.board.move_number(move) for move in searchmoves]
        board = self.board.copy()
        started = threading.Event()
        handicap = self.handicap(board)
        if handicap is not None:
            asked = handicap.limited(asked)
        self.pool.set_multipv(handicap.width if handicap else int(self.values["MultiPV"] or 1))
        listener = handicap.hear if handicap else on_info

        def run() -> None:
            try:
                try:
                    best, ponder, info = self.pool.search(
                        board, asked, wanted, listener, int(self.values["Move Overhead"] or 0),
                        bool(self.values["Ponder"]), started.set)
                finally:
                    self._busy = False
                self.note_broken_tables()
                if handicap is not None:
                    best, ponder, info = handicap.decide((best, ponder, info), on_info)
                self._result = Result(self.text(best), self.text(ponder), info, self.pool.nodes)
                if on_done is not None:
                    on_done(self._result)
            except BaseException as error:      # handed to whoever waits
                self._error = error
                if on_error is not None:
                    on_error(error)
            finally:
                started.set()

        self._result = self._error = None
        self._busy = True
        self._searching = threading.Thread(target=run, name="barreleye search", daemon=True)
        self._searching.start()
        started.wait()

    def wait(self) -> Result:
        """The result of the search started last, once it has ended."""
        if self._searching is None:
            raise ValueError("no search has been started")
        self._searching.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def search(self, *, searchmoves: Iterable[str] | None = None,
               on_info: Callable[[SearchInfo], None] | None = None, **limits: Any) -> Result:
        """Search to the end on the present position: search(depth=12), search(movetime=100), search(nodes=5000)."""
        if not limits.keys() & ENDING_LIMITS:
            raise ValueError("a search that is waited for needs a limit that ends it: "
                             + ", ".join(sorted(ENDING_LIMITS)))
        self.go(limits, searchmoves=searchmoves, on_info=on_info)
        return self.wait()

    def stop(self) -> None:
        """End the running search; its result comes through wait() as usual."""
        self.pool.stop()

    def ponderhit(self) -> None:
        """The opponent played the move we pondered on: our clock runs now."""
        self.pool.ponderhit()

    def finish(self) -> None:
        """Stop a running search and wait for its end."""
        if self._searching is threading.current_thread():
            if self._busy:
                raise RuntimeError("a listener cannot change the engine while it searches: stop() it first")
        elif self.is_searching:
            self.stop()
            assert self._searching is not None
            self._searching.join()

    @property
    def is_searching(self) -> bool:
        """Whether a search is running."""
        return self._searching is not None and self._searching.is_alive()

    # Knowing

    def text(self, move: int) -> str | None:
        """UCI text of a 16-bit move, None for no move."""
        return move_name(move, self.board.chess960) if move else None

    def stats(self) -> dict[str, Any]:
        """What the last search did: counters of the table, the nodes and every technique."""
        stats: dict[str, Any] = self.pool.stats()
        return stats
