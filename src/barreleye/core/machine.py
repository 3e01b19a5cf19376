"""What this machine gives to the process: processors, and threads with room to search on."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

# A node at the end of the longest line lies 246 plies down; with a singular search at each of them that is 2.3 MiB of
# stack in an ordinary build, and more where a debugger or a sanitizer looks on. musl gives a thread 128 KiB, Windows
# 1 MiB. What is not touched is not taken.
STACK_BYTES = 16 << 20
_starting = threading.Lock()


def processors() -> int:
    """How many processors this process may use; by default there are as many threads."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def search_stack() -> Iterator[None]:
    """Threads started in this block can search."""
    with _starting:
        try:
            before = threading.stack_size(STACK_BYTES)
        except (RuntimeError, ValueError):     # the system does not let us choose
            yield
            return
        try:
            yield
        finally:
            threading.stack_size(before)


def start(thread: threading.Thread) -> None:
    """Start a thread that searches; RuntimeError when the system gives no more threads."""
    with search_stack():
        thread.start()
