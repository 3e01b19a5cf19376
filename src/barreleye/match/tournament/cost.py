"""What the runner itself costs: its CPU time beside that of the engines it has started and seen end."""

from __future__ import annotations

import sys


def cpu_seconds() -> tuple[float, float]:
    """CPU time of this process and of its ended children; zeros where the system does not tell."""
    if sys.platform == "win32":
        return 0.0, 0.0
    import resource

    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def cpu_line() -> str:
    own, engines = cpu_seconds()
    share = f" ({100 * own / engines:.1f} %)" if engines else ""
    return f"CPU time: engines {engines:.1f} s, runner {own:.1f} s{share}"
