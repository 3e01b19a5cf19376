"""PlayingSearcher: plays and analyses as python-chess's engines do, with boards, Limits and dictionaries."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from barreleye.core.position import Position
from barreleye.engine import options as option_table
from barreleye.engine.limits import Limits
from barreleye.engine.own_book import BOOK_LIMIT
from barreleye.engine.python_chess import InfoDict, legal_moves_of, position_of
from barreleye.engine.search_thread import Result, Search
from barreleye.engine.searcher import Searcher

if TYPE_CHECKING:
    import chess
    import chess.engine

    from barreleye.engine.analysis_result import Analysis, Feed
    from barreleye.engine.limits import AnyLimit
    from barreleye.engine.python_chess import Place

INFO_NONE, INFO_ALL = 0, 31           # chess.engine.Info, without loading it


@dataclass(slots=True)
class Turn:
    """One move asked for: the search for it, and what a later ponder hit is compared with."""

    search: Search
    feed: Feed
    position: Position
    game: object
    options: Mapping[str, object]
    started: float


class PlayingSearcher(Searcher):
    """play, analyse and analysis. A new command ends the one before."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self._first_game = True
        self._game: object = None
        self._pondering: Turn | None = None

    # Playing and analysing, as python-chess does

    def play(self, board: Place, limit: AnyLimit, *, game: object = None, info: int = INFO_NONE,
             ponder: bool = False, draw_offered: bool = False, root_moves: Iterable[chess.Move | str] | None = None,
             options: Mapping[str, object] = {}, opponent: chess.engine.Opponent | None = None,
             on_info: Callable[[InfoDict], None] | None = None) -> chess.engine.PlayResult:
        """Choose a move. With ponder the engine goes on thinking about its answer to the reply it expects.

        on_info is called with every report, on the thread of the search; an exception it raises ends the search.
        """
        turn = self._begin_turn(board, limit, game, info, ponder, root_moves, options, on_info)
        return self._end_turn(turn, turn.search.wait(), limit, ponder)

    @overload
    def analyse(self, board: Place, limit: AnyLimit, *, multipv: None = None, game: object = None,
                info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                options: Mapping[str, object] = {}, on_info: Callable[[InfoDict], None] | None = None) -> InfoDict: ...

    @overload
    def analyse(self, board: Place, limit: AnyLimit, *, multipv: int, game: object = None,
                info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                options: Mapping[str, object] = {},
                on_info: Callable[[InfoDict], None] | None = None) -> list[InfoDict]: ...

    def analyse(self, board: Place, limit: AnyLimit, *, multipv: int | None = None, game: object = None,
                info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                options: Mapping[str, object] = {},
                on_info: Callable[[InfoDict], None] | None = None) -> InfoDict | list[InfoDict]:
        """Search, and return what is known of the best line; with multipv a list of lines, best first."""
        search, feed = self._begin_analysis(board, ending(limit), multipv, game, info, root_moves, options, (on_info,))
        search.wait()
        return feed.lines[0] if multipv is None else feed.lines

    def analysis(self, board: Place, limit: AnyLimit | None = None, *, multipv: int | None = None,
                 game: object = None, info: int = INFO_ALL, root_moves: Iterable[chess.Move | str] | None = None,
                 options: Mapping[str, object] = {}, on_info: Callable[[InfoDict], None] | None = None) -> Analysis:
        """An analysis in the background, to be read report by report; without a limit it goes on until stopped."""
        from barreleye.engine.analysis_result import Analysis

        reports: queue.SimpleQueue[InfoDict | None] = queue.SimpleQueue()
        search, feed = self._begin_analysis(board, Limits.of(limit), multipv, game, info, root_moves, options,
                                            (reports.put, on_info))
        return Analysis(self, search, feed, reports)

    def _begin_analysis(self, board: Place, limits: Limits, multipv: int | None, game: object, info: int,
                        root_moves: Iterable[chess.Move | str] | None, options: Mapping[str, object],
                        tell: tuple[Callable[[InfoDict], None] | None, ...], **listeners: Any) -> tuple[Search, Feed]:
        position = position_of(board)
        feed = self._feed(position, info, options, tell)
        try:
            lines = option_table.find("MultiPV").parse(1 if multipv is None else multipv)
        except ValueError as error:
            raise engine_error(error) from None
        return self._begin(position, limits, root_moves, game, options, int(lines or 1), on_info=feed.listener,
                           **listeners), feed

    def _begin(self, position: Position, limits: Limits, root_moves: Iterable[chess.Move | str] | None, game: object,
               options: Mapping[str, object], multipv: int = 1, ponder: bool = False, **listeners: Any) -> Search:
        self._check(options)
        wanted = None if root_moves is None else legal_moves_of(position, root_moves)
        if wanted == []:
            raise ValueError("root_moves is empty: there is no move to choose from")
        self._pondering = None
        search = self._go(position, limits, wanted, multipv, ponder, options,
                          new_game=self._first_game or self._game != game, **listeners)
        self._first_game, self._game = False, game
        return search

    def _feed(self, position: Position, info: int, options: Mapping[str, object],
              tell: tuple[Callable[[InfoDict], None] | None, ...]) -> Feed:
        from barreleye.engine.analysis_result import Feed

        asked = {name.lower(): value for name, value in options.items()}
        show_wdl = str(asked.get("uci_showwdl", self.lasting("UCI_ShowWDL"))).lower() == "true"
        return Feed(position, info, show_wdl, tell=tell)

    # A turn of a game, with what comes after it when we may ponder

    def _begin_turn(self, board: Place, limit: AnyLimit, game: object, info: int, ponder: bool,
                    root_moves: Iterable[chess.Move | str] | None, options: Mapping[str, object],
                    on_info: Callable[[InfoDict], None] | None) -> Turn:
        position, started, pondering = position_of(board), time.perf_counter(), self._pondering
        if (pondering is not None and ponder and root_moves is None and pondering.search.is_busy
                and (pondering.game, pondering.options) == (game, options)
                and pondering.position.fen() == position.fen()):
            pondering.feed.selected = info
            pondering.feed.tell = [] if on_info is None else [on_info]
            pondering.started = started
            self._pondering = None
            self.ponderhit()
            return pondering
        feed = self._feed(position, info, options, (on_info,))
        limits = ending(limit)
        if root_moves is None and (known := self.own_book.move(position, limits, self.values)) is not None:
            limits, root_moves, ponder = Limits.of(BOOK_LIMIT), [known], False
        search = self._begin(position, limits, root_moves, game, options, ponder=ponder, on_info=feed.listener)
        return Turn(search, feed, position, game, options, started)

    def _end_turn(self, turn: Turn, result: Result, limit: AnyLimit, ponder: bool) -> chess.engine.PlayResult:
        from chess.engine import PlayResult

        from barreleye.engine.analysis_result import best_move

        if ponder and result.best_move and result.ponder and turn.search is self._search:
            expected = turn.position.copy()
            expected.push(result.best_move)
            expected.push(result.ponder)
            feed = self._feed(expected, INFO_ALL, turn.options, ())
            limits = Limits.of(limit).pondering(expected.turn, time.perf_counter() - turn.started)
            search = self._go(expected, limits, None, 1, True, turn.options, on_info=feed.hear)
            self._pondering = Turn(search, feed, expected, turn.game, turn.options, turn.started)
        best = best_move(result)
        return PlayResult(best.move, best.ponder, turn.feed.lines[0] if turn.feed.selected else None)

    # What is refused

    def _check(self, options: Mapping[str, object]) -> None:
        """Refuse what SimpleEngine refuses, before anything is changed."""
        self._check_open()
        for name, value in options.items():
            try:
                option = option_table.find(name)
                parsed = option.parse(value)
                if option.check is not None and parsed != self.values[option.name]:
                    option.check(parsed)
            except OSError as error:
                raise engine_error(f"{name} {value} cannot be read: {error.strerror or error}") from None
            except ValueError as error:
                raise engine_error(error) from None
            if option.is_managed:
                raise engine_error(f"cannot set {name} which is automatically managed")


def engine_error(problem: object) -> chess.engine.EngineError:
    """python-chess's word for what an engine refuses."""
    from chess.engine import EngineError

    return EngineError(str(problem))


def ending(limit: AnyLimit) -> Limits:
    """The limits of a search that somebody waits for; ValueError when nothing would end it."""
    limits = Limits.of(limit)
    if not limits.ends:
        raise ValueError(f"{limit} would never end the search: give a time, a clock, a depth, nodes or a mate")
    return limits
