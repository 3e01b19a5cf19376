"""Barreleye, a chess engine you can see into. Public names load on first use, so importing it costs next to nothing."""

import os
import sys
from importlib import import_module
from itertools import pairwise


def _is_command() -> bool:
    """Whether this is being imported by the `barreleye` command, which nobody can catch an error of."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":                                     # until Python has found what it is to run
        return ("-m", "barreleye") in pairwise(sys.orig_argv)
    return os.path.basename(name) in ("barreleye", "barreleye.exe", "barreleye-script.py")


try:
    import barreleye.core  # noqa: F401  (a core that is not compiled says so here, before anything needs it)
except ImportError as _error:
    if not _is_command():
        raise
    print(f"barreleye: {_error}", file=sys.stderr)
    sys.exit(2)

__version__ = "0.1.0"
__all__ = ["Engine", "Game", "Position", "__version__", "analyse_many", "divide", "opening", "perft"]

TYPE_CHECKING = False  # type checkers know the name; importing typing for it would cost more than all of this
if TYPE_CHECKING:
    from barreleye.analysis.chunks import Game
    from barreleye.analysis.many import analyse_many
    from barreleye.core.position import Position
    from barreleye.engine import Engine
    from barreleye.engine.perft import divide, perft
    from barreleye.openings import opening
else:
    _HOME = {
        "Engine": "barreleye.engine",
        "Game": "barreleye.analysis.chunks",
        "Position": "barreleye.core.position",
        "analyse_many": "barreleye.analysis.many",
        "divide": "barreleye.engine.perft",
        "opening": "barreleye.openings",
        "perft": "barreleye.engine.perft",
    }

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module 'barreleye' has no attribute {name!r}")
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value


if (_ipython := sys.modules.get("IPython")) is not None and (_shell := _ipython.get_ipython()) is not None:
    from barreleye.pictures import show_positions

    show_positions(_shell)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
