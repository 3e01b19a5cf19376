"""Packages that only some of Barreleye needs, and how to get them."""

import sys

# The optional dependencies of pyproject.toml that something here asks for.
EXTRAS = {"train": ("numpy",), "plot": ("matplotlib",), "arrow": ("numpy", "pyarrow"),
          "web": ("starlette", "uvicorn", "websockets"), "cluster": ("dask", "distributed")}


def how_to_install(extra: str) -> str:
    """The command that installs what an extra stands for, into the Python that runs this.

    It names the packages themselves: where Barreleye was installed from a folder, pip would look for an extra of it
    in an index that does not have it.
    """
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {' '.join(EXTRAS[extra])}"
