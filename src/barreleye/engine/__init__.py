"""The engine as a Python object. What most programs need is named here, and loaded on first use."""

from importlib import import_module

__all__ = ["ID", "Engine", "Limits", "Result"]

TYPE_CHECKING = False  # type checkers know the name; importing typing for it would cost more than all of this
if TYPE_CHECKING:
    from barreleye.engine.engine import ID, Engine
    from barreleye.engine.limits import Limits
    from barreleye.engine.search_thread import Result
else:
    _HOME = {
        "Engine": "barreleye.engine.engine",
        "ID": "barreleye.engine.engine",
        "Limits": "barreleye.engine.limits",
        "Result": "barreleye.engine.search_thread",
    }

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module 'barreleye.engine' has no attribute {name!r}")
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
