# Barreleye as a homemade engine of lichess-bot (https://github.com/lichess-bot-devs/lichess-bot): nothing to download,
# no path to a program, no second process. Append this file to lichess-bot's homemade.py:
#
#     cat examples/homemade.py >> ../lichess-bot/homemade.py
#
# and put `protocol: "homemade"` and `name: "Barreleye"` under `engine:` in its config.yml. What stands there under
# `homemade_options` (Hash, Threads, SyzygyPath, ...) are options of the engine.

from lib.engine_wrapper import EngineWrapper, MinimalEngine  # type: ignore[import-not-found]

import barreleye


class Barreleye(MinimalEngine):
    """One engine for the whole game, which thinks on the opponent's time where it may."""

    def __init__(self, commands, options, *more, **popen_args):
        super().__init__(commands, options, *more, **popen_args)
        # It has the methods of python-chess's SimpleEngine, so lichess-bot can use it as it uses any other engine:
        # with its own go_commands, and offering draws and resigning as config.yml says.
        self.engine = barreleye.Engine(**options)

    search = EngineWrapper.search
