"""Searcher: position, go, stop, wait, in the words of UCI. The UCI loop talks to it; Engine speaks python-chess too."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from barreleye import caution, levels, nets
from barreleye.core.evaluate.nnue import Network
from barreleye.core.notation import START_FEN, move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.core.syzygy.probe import Tablebase
from barreleye.engine import options
from barreleye.engine.limits import ENDING, Limits
from barreleye.engine.own_book import OwnBook
from barreleye.engine.search_thread import Result, Search, SearchThread
from barreleye.ledger import Ledger

if TYPE_CHECKING:
    from barreleye.engine.limits import AnyLimit


class Searcher:
    """Threads, a table, options and a position to search. Any number of them live in one process.

    >>> searcher = Searcher(Hash=1)
    >>> searcher.position("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    >>> searcher.search(depth=4).info.score > 30000
    True
    """

    def __init__(self, **settings: object) -> None:
        self.values: dict[str, options.Value] = {option.name: option.default for option in options.OPTIONS}
        chosen = {options.find(name.replace("_", " ") if name not in self.values else name): value
                  for name, value in settings.items()}
        first = {option.name: option.parse(value) for option, value in chosen.items()}
        hash_mb, threads = ({**self.values, **first}[name] for name in ("Hash", "Threads"))
        self.pool: Pool = Pool(int(hash_mb or 0), int(threads or 0), nets.load_default())
        self.board = Position()
        self.own_book: OwnBook = OwnBook()
        self.on_note: Callable[[str], None] | None = None      # hears what is worth knowing
        self.on_log: Callable[[str], None] | None = None       # hears where a conversation is to be written down
        self._game_seed = levels.drawn_seed()
        self._closed = False
        self._turn = threading.RLock()          # held by whoever changes something between two searches
        self._search: Search | None = None
        self._thread: SearchThread | None = None      # the thread of all searches, from the first one on
        self._lent: dict[str, options.Value] = {}      # what options were before the last search borrowed them
        _living.add(self)
        for option, value in chosen.items():
            if option.name in ("Hash", "Threads"):
                self.values[option.name] = option.parse(value)
            else:
                self._set(option, option.parse(value))

    def _check_open(self) -> None:
        """Refuse to do anything after quit()."""
        if self._closed:
            from chess.engine import EngineTerminatedError

            raise EngineTerminatedError("this engine has been closed")

    def __del__(self) -> None:
        search = getattr(self, "_search", None)
        if search is not None:
            search.stop()

    # Settings

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option by its UCI name. Waits for a running search to be stopped first."""
        option = options.find(name)
        parsed = option.parse(value)
        with self._idle():
            self._borrow({})
            self._set(option, parsed)

    def _set(self, option: options.Option, parsed: options.Value) -> None:
        if option.effect is not None:
            option.effect(self, parsed)
        self.values[option.name] = parsed

    def _borrow(self, wanted: Mapping[str, object]) -> None:
        """Have these options for one search, and give back those that the search before had borrowed."""
        asked = {options.find(name): value for name, value in wanted.items()}
        parsed = {option: option.parse(value) for option, value in asked.items()}
        now = {**{options.find(name): value for name, value in self._lent.items()}, **parsed}
        for option, value in now.items():
            before = self.lasting(option.name)
            if value != self.values[option.name] or option.kind == "button":
                self._set(option, value)
            if option in parsed:
                self._lent[option.name] = before
            else:
                self._lent.pop(option.name, None)

    def lasting(self, name: str) -> options.Value:
        """What an option is set to, whatever the last search borrowed."""
        return self._lent.get(name, self.values[name])

    def configuration(self) -> dict[str, options.Value]:
        """The lasting options that are not as they are by default."""
        return {option.name: self.lasting(option.name) for option in options.OPTIONS
                if self.lasting(option.name) != option.default}

    def set_network(self, path: str) -> None:
        """Evaluate by the network in this file, "" for the one in the package. On an error the old one stays."""
        try:
            network = nets.load(path) if path else nets.load_default()
        except OSError as error:
            raise ValueError(f"EvalFile {path} cannot be read: {error.strerror or error}") from error
        self.pool.set_network(network)

    def open_tables(self, path: str) -> None:
        """Look for tablebases in these folders; files are opened when they are first needed."""
        from barreleye import syzygy_files

        tables = syzygy_files.open_tables(path, self.note)
        if path:
            results = sum(not file.is_dtz for file in tables.files)
            self.note(f"Found {results} WDL and {len(tables.files) - results} DTZ tablebase files "
                      f"(up to {tables.cardinality}-man)")
        self.use_tables(tables)

    def use_tables(self, tables: Tablebase | None = None, **changed: options.Value) -> None:
        """Hand the tablebases to the search as the options say, some of them changed."""
        limit, depth, rule50 = ({**self.values, **changed}[name]
                                for name in ("SyzygyProbeLimit", "SyzygyProbeDepth", "Syzygy50MoveRule"))
        tables = self.pool.tables if tables is None else tables
        self.pool.set_tables(tables, int(limit or 0), int(depth or 1), bool(rule50))

    def note(self, text: str) -> None:
        """Tell whoever listens something worth knowing; without a listener it is a Python warning if it is bad news."""
        if self.on_note is not None:
            self.on_note(text)
        elif not text.startswith("Found"):
            caution.warn(text)

    def note_broken_tables(self) -> None:
        """Name each tablebase file that turned out to be unusable, once."""
        if self.pool.tables.files:
            from barreleye import syzygy_files

            for problem in syzygy_files.new_problems(self.pool.tables):
                self.note(problem)

    def handicap(self, board: Position, shown: int) -> levels.Handicap | None:
        """What holds the next search back, None at full strength."""
        level = levels.of_options(self.values)
        return None if level is None else levels.Handicap(level, int(self.values["Strength Seed"] or self._game_seed),
                                                          board, shown)

    def new_game(self) -> None:
        """Forget everything about earlier games."""
        with self._idle():
            self.pool.new_game()
            self._game_seed = levels.drawn_seed()

    def position(self, fen: str = START_FEN, moves: Iterable[str] = ()) -> None:
        """Set the position to search: a FEN and the moves played from it. On ValueError the old one stays."""
        self._check_open()
        board = Position(fen, bool(self.values["UCI_Chess960"]))
        for move in moves:
            board.push(move)
        self.finish()
        self.board = board

    def play_on(self, moves: Iterable[str]) -> None:
        """Play further moves from the position to search. On ValueError the old one stays."""
        self._check_open()
        board = self.board.copy()
        for move in moves:
            board.push(move)
        self.finish()
        self.board = board

    # Searching

    def go(self, limits: AnyLimit | None = None, *, searchmoves: Iterable[str] | None = None,
           on_info: Callable[[SearchInfo], None] | None = None,
           on_done: Callable[[Result], None] | None = None,
           on_error: Callable[[BaseException], None] | None = None, sparing: bool = False) -> Search:
        """Start to search in the background; wait() or on_done gives the result, on_error hears what went wrong.

        limits has any of wtime, btime, winc, binc, movestogo, movetime (ms), depth, nodes, mate, infinite, ponder.
        sparing, where a clock runs, leaves out reports that come soon after another, and the last one: the result has
        it, and pool.is_untold says whether it holds anything new.
        """
        return self._go(self.board, limits, searchmoves, int(self.values["MultiPV"] or 1), bool(self.values["Ponder"]),
                        {}, on_info=on_info, on_done=on_done, on_error=on_error, sparing=sparing)

    def _go(self, board: Position, limits: AnyLimit | None, searchmoves: Iterable[str] | None, multipv: int,
            ponder: bool, borrowed: Mapping[str, object], *, new_game: bool = False, **listeners: Any) -> Search:
        """Start a search in which nothing is left to the options that a GUI sets from search to search."""
        self._check_open()
        asked = Limits.of(limits)
        wanted = None if searchmoves is None else [board.move_number(move) for move in searchmoves]
        with self._idle():
            if borrowed or self._lent:
                self._borrow(borrowed)
            if new_game:
                self.pool.new_game()
            self.board = board
            handicap = self.handicap(board, multipv)
            if handicap is not None:
                asked = asked.capped(*handicap.level.limits)
            self.pool.set_multipv(handicap.width if handicap else multipv)
            afterwards = weakref.WeakMethod(self.note_broken_tables) if self.pool.tables.files else None
            search = Search(self.pool, board.chess960, handicap, afterwards=afterwards, **listeners)
            thread = self._free_thread()
            self.pool.prepare(board, asked.words(), wanted, int(self.values["Move Overhead"] or 0), ponder)
            try:
                thread.take(search)
                self._search = search
            except BaseException:           # Ctrl-C: nobody would know of this search
                search.abandon()
                raise
        return search

    def _free_thread(self) -> SearchThread:
        """The thread for the next search: another one if a listener asks for it before its own search has ended."""
        thread, search = self._thread, self._search
        if thread is None or thread.ident == threading.get_ident() or (search is not None and not search.is_over):
            self._thread = thread = SearchThread()
        return thread

    def wait(self) -> Result:
        """The result of the search started last, once it has ended. Ctrl-C while waiting ends the search."""
        if self._search is None:
            raise ValueError("no search has been started")
        return self._search.wait()

    def search(self, *, searchmoves: Iterable[str] | None = None,
               on_info: Callable[[SearchInfo], None] | None = None, **limits: Any) -> Result:
        """Search to the end on the present position: search(depth=12), search(movetime=100), search(nodes=5000)."""
        asked = Limits.of(limits)
        if not asked.ends:
            raise ValueError(f"search() needs a limit that ends it: one of {', '.join(ENDING)}")
        fen = self.board.fen()
        return replace(self.go(asked, searchmoves=searchmoves, on_info=on_info).wait(), fen=fen)

    def stop(self) -> None:
        """End the running search; its result comes through wait() as usual."""
        if self._search is not None:
            self._search.stop()

    def ponderhit(self) -> None:
        """The opponent played the move we pondered on: our clock runs now."""
        self.pool.ponderhit()

    def finish(self) -> None:
        """Stop a running search and wait for its end."""
        search = self._search
        if search is None or search.is_over:
            return
        if not search.is_mine:
            search.end()
        elif search.is_busy:
            raise RuntimeError("a callback cannot change the engine during its search: call stop() first")

    @contextlib.contextmanager
    def _idle(self, is_closing: bool = False) -> Iterator[None]:
        """While this is held, nothing is searched and nobody else changes anything."""
        while True:
            self.finish()                   # without the lock, because a listener may want it before it ends
            with self._turn:
                if self._search is None or not self._search.is_alive or self._search.is_mine:
                    if not is_closing:
                        self._check_open()
                    yield
                    return

    @property
    def is_searching(self) -> bool:
        """Whether a search is running."""
        return self._search is not None and self._search.is_alive

    @property
    def last_error(self) -> BaseException | None:
        """What made the search that was started last fail, None when nothing did so far."""
        search = self._search
        return search.future.exception() if search is not None and search.future.done() else None

    # Knowing

    @property
    def network(self) -> Network | None:
        """The network that evaluates, None when the hand-written terms do."""
        return self.pool.network if self.values["Use NNUE"] else None

    def text(self, move: int) -> str | None:
        """UCI text of a 16-bit move, None for no move."""
        return move_name(move, self.board.chess960) if move else None

    def stats(self) -> dict[str, Any]:
        """What the last search did: counters of the table, the nodes and every technique."""
        stats: dict[str, Any] = self.pool.stats()
        return stats

    @property
    def ledger(self) -> Ledger:
        """What the last search thought of each root move, iteration by iteration; of the thread that won the vote."""
        with self._turn:
            search = self._search
            if search is None:
                raise ValueError("no search has been started: there is no ledger yet")
            if search.is_alive and search.is_busy:
                raise RuntimeError("the search is still writing its ledger: wait() for its end, or stop() it")
            return Ledger.of(self.pool.ledger())

    def _forked(self) -> None:
        """In a new process only the thread that forked is left; locks that others held would never open."""
        was_searching = self._search is not None and not self._search.is_over
        self._turn = threading.RLock()
        self._search = None
        self._thread = None
        self.pool.after_fork(was_searching)


_living: weakref.WeakSet[Searcher] = weakref.WeakSet()


def _forked() -> None:
    for searcher in _living:
        searcher._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
