"""Warnings that name the line of the program which called for them, however deep inside the package they arise."""

from __future__ import annotations

import sys
import warnings


def warn(problem: str) -> None:
    """A RuntimeWarning at the nearest caller outside of Barreleye."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(problem, RuntimeWarning, stacklevel=level)
