"""The compiled engine. Its modules run as native code or not at all: there is no interpreted fallback."""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

from barreleye.core import linking

_SEVERAL = "compiled"                  # the folder of a wheel's cores, each in its own; see core/variants.py


def _extension(folder: str, name: str) -> str | None:
    """The file built for this interpreter from a module, if there is one."""
    paths = [os.path.join(folder, name + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((path for path in paths if os.path.exists(path)), None)


def _modules(folder: str, package: str) -> list[str]:
    """The modules that have a body and a header."""
    files = set(os.listdir(folder))
    names = {name[:-4] for name in files if name.endswith(".pxd") and name[:-4] + ".py" in files} - {"__init__"}
    return [f"{package}.{name}" for name in sorted(names)]


def _packages(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_dir() and entry.name != "__pycache__"]


def _files(folder: str, modules: list[str]) -> dict[str, str | None]:
    """Where each module is compiled, if it is: folder holds a core."""
    library = _extension(folder, linking.LIBRARY.rpartition(".")[2])
    found = {}
    for module in modules:
        *rooms, name = module.removeprefix(f"{__name__}.").split(".")
        found[module] = library if module in linking.MODULES else _extension(os.path.join(folder, *rooms), name)
    return found


def _chosen(folder: str) -> str:
    """The name of the core that this CPU gets, of those in a wheel's folder."""
    names = []
    if os.path.exists(path := os.path.join(folder, "names.txt")):
        with open(path, encoding="utf-8") as file:
            names = file.read().split()
    if missing := "names.txt" if not names else "cpu" if not _extension(os.path.dirname(folder), "cpu") else "":
        raise ImportError(f"Barreleye cannot tell which of its cores is for this CPU (without {missing}): install "
                          "Barreleye again.")
    from barreleye.core import cpu, variants

    return variants.choose(names, variants.features(cpu.leaf, cpu.saved_state), os.environ.get("BARRELEYE_CORE"))


def _require_cpu() -> None:
    """The one core that was built from source may have been built for another CPU than this."""
    from barreleye.core import cpu, variants

    variants.require(cpu.NEEDS, variants.features(cpu.leaf, cpu.saved_state))


def _require_compiled() -> None:
    here = os.path.dirname(__file__)
    rooms = _packages(here)
    modules = _modules(here, __name__)
    for name in set(rooms) - {_SEVERAL}:
        modules += _modules(os.path.join(here, name), f"{__name__}.{name}")
    core = _chosen(os.path.join(here, _SEVERAL)) if _SEVERAL in rooms else None
    if core:
        modules.remove(f"{__name__}.cpu")                # which was asked what to choose, and belongs to no core
    files = _files(os.path.join(here, _SEVERAL, core) if core else here, modules)
    missing = ", ".join(name.rpartition(".")[2] for name, path in files.items() if not path)
    if core and not any(files.values()):
        raise ImportError(f"Barreleye's core for this CPU, {core}, is missing: install Barreleye again, or choose "
                          "another of its cores with BARRELEYE_CORE.")
    if missing and core:
        raise ImportError(f"Barreleye's core for this CPU, {core}, is incomplete ({missing}): install Barreleye again.")
    if missing:
        raise ImportError(
            f"Barreleye's core is not compiled here ({missing}): run 'pip install .' or "
            "'python setup.py build_ext --inplace' in the source folder, or leave that folder if it is installed."
        )
    if not core and os.environ.get("BARRELEYE_CORE"):
        raise ImportError(f"BARRELEYE_CORE={os.environ['BARRELEYE_CORE']} chooses among the cores of a wheel, and this "
                          "Barreleye was built as one: unset it.")
    if not core:
        _require_cpu()
    hidden = {name: path for name, path in files.items() if path and (core or name in linking.MODULES)}
    if hidden:
        sys.meta_path.insert(0, linking.Finder(hidden))


_require_compiled()
