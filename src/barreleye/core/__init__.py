"""The compiled engine. Its modules run as native code or not at all: there is no interpreted fallback."""

import os
from importlib.machinery import EXTENSION_SUFFIXES


def _uncompiled(folder: str) -> list[str]:
    """Names of the modules that have a body and a header but no extension built for this interpreter."""
    files = set(os.listdir(folder))
    names = {name[:-4] for name in files if name.endswith(".pxd") and name[:-4] + ".py" in files} - {"__init__"}
    return sorted(name for name in names if not any(name + suffix in files for suffix in EXTENSION_SUFFIXES))


def _require_compiled() -> None:
    here = os.path.dirname(__file__)
    missing = [name for folder in (here, *_packages(here)) for name in _uncompiled(folder)]
    if missing:
        raise ImportError(
            f"Barreleye's core is not compiled here ({', '.join(missing)}): run 'pip install .' or "
            "'python setup.py build_ext --inplace' in the source folder, or leave that folder if it is installed."
        )


def _packages(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.path for entry in entries if entry.is_dir() and entry.name != "__pycache__"]


_require_compiled()
