"""The compiled engine. Its modules run as native code or not at all: there is no interpreted fallback."""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

from barreleye.core import linking


def _extension(folder: str, name: str) -> str | None:
    """The file built for this interpreter from a module, if there is one."""
    paths = [os.path.join(folder, name + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((path for path in paths if os.path.exists(path)), None)


def _modules(folder: str, package: str) -> dict[str, str]:
    """The modules that have a body and a header, each with its folder."""
    files = set(os.listdir(folder))
    names = {name[:-4] for name in files if name.endswith(".pxd") and name[:-4] + ".py" in files} - {"__init__"}
    return {f"{package}.{name}": folder for name in sorted(names)}


def _packages(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_dir() and entry.name != "__pycache__"]


def _require_compiled() -> None:
    here = os.path.dirname(__file__)
    modules = _modules(here, __name__)
    for name in _packages(here):
        modules |= _modules(os.path.join(here, name), f"{__name__}.{name}")
    library = _extension(here, linking.LIBRARY.rpartition(".")[2])
    missing = [name.rpartition(".")[2] for name, folder in modules.items()
               if not (library if name in linking.MODULES else _extension(folder, name.rpartition(".")[2]))]
    if missing:
        raise ImportError(
            f"Barreleye's core is not compiled here ({', '.join(missing)}): run 'pip install .' or "
            "'python setup.py build_ext --inplace' in the source folder, or leave that folder if it is installed."
        )
    if library and linking.MODULES:
        sys.meta_path.insert(0, linking.Finder(library))


_require_compiled()
