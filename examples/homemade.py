"""Barreleye as a homemade engine of lichess-bot: no path to a program, no second process.

Copy this file over lichess-bot's homemade.py and put `protocol: "homemade"`, `name: "Barreleye"` into its config.yml.
Options under `homemade_options` (Hash, Threads, SyzygyPath, ...) are given to the engine.
"""

from __future__ import annotations

from typing import Any

import chess
import chess.engine

import barreleye

try:
    from lib.engine_wrapper import MinimalEngine  # type: ignore[import-not-found]
except ImportError:                               # outside lichess-bot, to try it out

    class MinimalEngine:                          # type: ignore[no-redef]
        """What lichess-bot gives its homemade engines, as far as this one needs it."""

        def __init__(self, commands: Any, options: Any, stderr: Any, draw_or_resign: Any, game: Any = None,
                     **popen_args: Any) -> None:
            self.options = options


class Barreleye(MinimalEngine):                   # type: ignore[misc,unused-ignore]
    """Plays with one engine for the whole game, and thinks on the opponent's time where it may."""

    def __init__(self, commands: Any, options: Any, stderr: Any, draw_or_resign: Any, game: Any = None,
                 **popen_args: Any) -> None:
        super().__init__(commands, options, stderr, draw_or_resign, game, **popen_args)
        self.native = barreleye.Engine(**dict(options or {}))

    def search(self, board: chess.Board, time_limit: chess.engine.Limit, ponder: bool, draw_offered: bool,
               root_moves: list[chess.Move] | chess.engine.PlayResult | None) -> chess.engine.PlayResult:
        """The move for this position."""
        moves = root_moves if isinstance(root_moves, list) else None
        return self.native.play(board, time_limit, info=chess.engine.INFO_ALL, ponder=ponder,
                                draw_offered=draw_offered, root_moves=moves)

    def quit(self) -> None:
        """The game is over."""
        self.native.quit()


def main() -> None:
    """A short game against itself."""
    player, board = Barreleye(None, {"Hash": 4}, None, None), chess.Board()
    for _ in range(6):
        result = player.search(board, chess.engine.Limit(nodes=2000), False, False, None)
        assert result.move is not None
        print(board.san(result.move), result.info["score"].white())
        board.push(result.move)
    player.quit()


if __name__ == "__main__":
    main()
