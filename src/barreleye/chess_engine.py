"""Barreleye for code that insists on python-chess's own classes: a true Protocol, and a true SimpleEngine around it.

>>> import chess, chess.engine
>>> with simple_engine(Hash=1) as engine:
...     board = chess.Board("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
...     isinstance(engine, chess.engine.SimpleEngine), engine.play(board, chess.engine.Limit(depth=4)).move is not None
(True, True)
"""

from barreleye.engine.protocol import NativeProtocol, NativeTransport, open_native, simple_engine

__all__ = ["NativeProtocol", "NativeTransport", "open_native", "simple_engine"]
