"""Engine: a chess engine as a Python object, with the methods and meanings of python-chess's SimpleEngine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeVar, overload

from barreleye import __version__
from barreleye.engine import options as option_table
from barreleye.engine.evaluation import Evaluation, evaluate
from barreleye.engine.limits import Limits
from barreleye.engine.player import INFO_ALL, INFO_NONE, PlayingSearcher, ending
from barreleye.engine.python_chess import InfoDict, legal_moves_of, position_of
from barreleye.engine.search_thread import Result, Search

if TYPE_CHECKING:
    import chess
    import chess.engine

    from barreleye.core.report import SearchInfo
    from barreleye.engine.analysis_result import AsyncAnalysis
    from barreleye.engine.limits import AnyLimit
    from barreleye.engine.python_chess import Place
    from barreleye.explain.explanation import Explanation
    from barreleye.tree import Tree

T = TypeVar("T")
ID = {"name": f"Barreleye {__version__}", "author": "the Barreleye authors"}


class Engine(PlayingSearcher):
    """A chess engine in this process. Settings are options by their UCI names, with _ for spaces.

    A position is a chess.Board with its moves, a FEN, or a FEN with moves. A new command ends the previous one.

    >>> import chess, chess.engine
    >>> with Engine(Hash=1) as engine:
    ...     print(engine.play(chess.Board("7k/8/5K2/6R1/8/8/8/8 w - - 0 1"), chess.engine.Limit(depth=8)).move)
    ...     print(engine.analyse("7k/8/5K2/6R1/8/8/8/8 w - - 0 1", chess.engine.Limit(depth=8))["score"].white())
    f6f7
    #+2
    """

    # Settings

    @property
    def options(self) -> MutableMapping[str, chess.engine.Option]:
        """Every option with its kind, default and range; names in any case."""
        from chess.engine import Option, UciOptionMap

        return UciOptionMap((option.name, Option(option.name, option.kind,
                                                 "<empty>" if option.default == "" else option.default,
                                                 option.minimum if option.kind == "spin" else None,
                                                 option.maximum if option.kind == "spin" else None, []))
                            for option in option_table.OPTIONS)

    @property
    def id(self) -> Mapping[str, str]:
        """Name and author."""
        return dict(ID)

    def configure(self, options: Mapping[str, object]) -> None:
        """Set options for all searches to come; chess.engine.EngineError says what cannot be set."""
        self._check(options)
        for name, value in options.items():
            self.set_option(name, value)

    # Living and ending

    def ping(self) -> None:
        """Return once the engine is idle."""
        self._check({})
        self.finish()

    def send_opponent_information(self, *, opponent: chess.engine.Opponent | None = None,
                                  engine_rating: int | None = None) -> None:
        """Accepted and ignored: Barreleye plays the same against everyone."""

    def send_game_result(self, board: chess.Board, winner: bool | None = None, game_ending: str | None = None,
                         game_complete: bool = True) -> None:
        """Accepted and ignored: Barreleye does not learn from results."""

    def quit(self) -> None:
        """End the running search and free the hash table; every later call is an EngineTerminatedError."""
        if not self._closed:
            self._closed = True             # first, so that nobody begins another search meanwhile
            with self._idle(is_closing=True):       # another thread may be about to clear the table
                self._thread = None
                self.pool.set_hash(1)

    close = quit

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        return remake, (type(self), self.configuration())

    def __repr__(self) -> str:
        settings = self.configuration()
        return f"Engine({'**' + repr(settings) if settings else ''})"

    # What a process cannot give

    def perft(self, depth: int, board: Place | None = None) -> int:
        """Count the move sequences of this length, on as many threads as the engine has."""
        from barreleye.engine.perft import perft

        self._check_open()
        position = self.board if board is None else position_of(board)
        return perft(depth, position.fen(shredder=True), threads=int(self.values["Threads"] or 1))

    def evaluate(self, board: Place | None = None) -> Evaluation:
        """What the position is worth without search, term by term; ValueError when the side to move is in check."""
        self._check_open()
        return evaluate(self.board if board is None else position_of(board), self.network)

    def record(self, board: Place | None = None, limit: AnyLimit | None = None, *, multipv: int | None = None,
               root_moves: chess.Move | str | Iterable[chess.Move | str] | None = None, budget_mb: float = 256,
               plies: int | None = None, iterations: tuple[int, int] | None = None,
               line: chess.Move | str | Iterable[chess.Move | str] = (),
               visits: tuple[int, int] | None = None, techniques: Iterable[str] | None = None,
               options: Mapping[str, object] = {}, on_info: Callable[[SearchInfo], None] | None = None,
               on_start: Callable[[Search], None] | None = None) -> Tree:
        """Search and write down every visit of a node and every decision in it; 100,000 nodes unless a limit says else.

        It is a search of its own, with this engine's options and a clean table, so that any part of it can be repeated.
        plies, iterations (first and last), a line of moves from the root and numbers of visits (first, and one past the
        last) say of what all is kept, the rest is only counted; techniques, whose decisions are wanted. Moves are SAN,
        UCI or chess.Move, one or several; without multipv the option MultiPV counts. on_start gets the search as it
        begins, and that of every later open(): what it stops ends there.
        """
        from barreleye.engine.recording import move_numbers, record

        self._check_open()
        position = (self.board if board is None else position_of(board)).copy()
        filters: dict[str, object] = {}
        if plies is not None:
            filters["plies"] = plies
        if iterations is not None:
            filters["iterations"] = iterations
        if visits is not None:
            filters["first"], filters["last"] = visits
        if techniques is not None:
            filters["techniques"] = tuple(techniques)
        if prefix := move_numbers(position, line):
            filters["prefix"] = prefix
        wanted = None if root_moves is None else legal_moves_of(position, root_moves)
        return record(position, limit, {**self.configuration(), **options}, multipv=multipv, root_moves=wanted,
                      budget_mb=budget_mb, on_info=on_info, on_start=on_start, **filters)

    def explain(self, board: Place | None = None, limit: AnyLimit | None = None, *,
                why_not: chess.Move | str | Iterable[chess.Move | str] | None = None, threat: bool = False,
                technique: bool = False, network: bool = False, piece: str | None = None,
                culprit: bool | None = None) -> Explanation:
        """Why it would play its move here, when it changed its mind, and how sure it is; see barreleye.explain.

        why_not names other moves, as SAN, as UCI or as chess.Move: what refutes them, and whether the search is wrong.
        threat asks what the other side would do if this one passed, technique what each technique of the search does
        here, network what each piece counts in its verdict, piece where it would like the one on that square to stand.
        culprit: look for the techniques that hide a move from the search; by itself where that is quick. The limit is
        in nodes or depth, so that everything repeats, and the searches are made by a twin of this engine: one thread,
        a clean table, the same techniques, network and tablebases.
        """
        from barreleye.engine.explaining import explain_position

        return explain_position(self, board, limit, why_not, with_threat=threat, technique=technique, network=network,
                                piece=piece, culprit=culprit)

    def twin(self) -> Engine:
        """An engine that searches the same: one thread, an empty table, and all of these options that matter to it."""
        self._check_open()
        names = {option.name for option in option_table.OPTIONS if option.is_of_search or "Syzygy" in option.name}
        return type(self)(**{name: value for name, value in self.configuration().items() if name in names})

    # Twins for asyncio; cancelling them ends the search

    async def aplay(self, board: Place, limit: AnyLimit, *, game: object = None, info: int = INFO_NONE,
                    ponder: bool = False, draw_offered: bool = False,
                    root_moves: Iterable[chess.Move | str] | None = None, options: Mapping[str, object] = {},
                    opponent: chess.engine.Opponent | None = None,
                    on_info: Callable[[InfoDict], None] | None = None) -> chess.engine.PlayResult:
        """play() for asyncio."""
        turn = await run(lambda: self._begin_turn(board, limit, game, info, ponder, root_moves, options, on_info),
                         lambda turn: turn.search.stop())
        result = await outcome(turn.search)
        return await run(lambda: self._end_turn(turn, result, limit, ponder))

    @overload
    async def aanalyse(self, board: Place, limit: AnyLimit, *, multipv: None = None, game: object = None,
                       info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                       options: Mapping[str, object] = {},
                       on_info: Callable[[InfoDict], None] | None = None) -> InfoDict: ...

    @overload
    async def aanalyse(self, board: Place, limit: AnyLimit, *, multipv: int, game: object = None,
                       info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                       options: Mapping[str, object] = {},
                       on_info: Callable[[InfoDict], None] | None = None) -> list[InfoDict]: ...

    async def aanalyse(self, board: Place, limit: AnyLimit, *, multipv: int | None = None,
                       game: object = None, info: int = INFO_ALL,
                       root_moves: Iterable[chess.Move | str] | None = None, options: Mapping[str, object] = {},
                       on_info: Callable[[InfoDict], None] | None = None) -> InfoDict | list[InfoDict]:
        """analyse() for asyncio."""
        limits = ending(limit)
        search, feed = await run(lambda: self._begin_analysis(board, limits, multipv, game, info, root_moves, options,
                                                              (on_info,)), lambda begun: begun[0].stop())
        await outcome(search)
        return feed.lines[0] if multipv is None else feed.lines

    async def aanalysis(self, board: Place, limit: AnyLimit | None = None, *, multipv: int | None = None,
                        game: object = None, info: int = INFO_ALL,
                        root_moves: Iterable[chess.Move | str] | None = None, options: Mapping[str, object] = {},
                        on_info: Callable[[InfoDict], None] | None = None) -> AsyncAnalysis:
        """analysis() for asyncio: python-chess's own AnalysisResult, to be read with `async for`."""
        from barreleye.engine.analysis_result import AsyncAnalysis

        analysis = AsyncAnalysis()
        search, _ = await run(lambda: self._begin_analysis(
            board, Limits.of(limit), multipv, game, info, root_moves, options, (analysis.hear, on_info),
            on_done=analysis.done, on_error=analysis.failed), lambda begun: begun[0].stop())
        analysis.attach(search)
        return analysis

    async def aconfigure(self, options: Mapping[str, object]) -> None:
        """configure() for asyncio."""
        await run(lambda: self.configure(options))

    async def aping(self) -> None:
        """ping() for asyncio."""
        await run(self.ping)

    async def aquit(self) -> None:
        """quit() for asyncio."""
        await run(self.quit)

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aquit()


async def run(function: Callable[[], T], undo: Callable[[T], object] = lambda _: None) -> T:
    """Do something that may have to wait for a search to end, while the loop goes on. It is not left half done."""
    import asyncio

    future = asyncio.get_running_loop().run_in_executor(None, function)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        undo(await future)
        raise


async def outcome(search: Search) -> Result:
    """The result of a search; nobody left to wait for it means its end."""
    from asyncio import wrap_future

    try:
        return await wrap_future(search.future)
    except BaseException:
        search.stop()
        raise


def remake(kind: type[Engine], settings: dict[str, option_table.Value]) -> Engine:
    """An engine like one that was pickled: its configuration, nothing of what it knew."""
    return kind(**settings)
