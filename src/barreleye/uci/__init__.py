"""The engine as a program that speaks UCI: `main` is the conversation, `run_once` a command given as arguments."""

from barreleye.uci.loop import Uci, main, run_once

__all__ = ["Uci", "main", "run_once"]
