"""Open Barreleye in the browser: a board, the engine thinking, and everything inside it to look at.

The page is served by this machine, to this machine alone, and fetches nothing from elsewhere. The address that is
printed has a token in it, without which nobody gets in. Each tab has an engine of its own, up to four.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from barreleye.extras import EXTRAS, how_to_install

EXAMPLES = """\
examples:
  barreleye web
  barreleye web --port 9000 --no-open
  barreleye web --host 0.0.0.0          for other machines too: whoever has the address can use the engine
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--port", type=port, metavar="N", help="where to listen (default: 8532, or any that is free)")
    add("--host", default="127.0.0.1", metavar="H", help="for whom to listen (default: %(default)s, this machine)")
    add("--no-open", action="store_true", help="print the address, and leave the browser alone")


def port(text: str) -> int:
    if not text.isdigit() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 (any that is free) to 65535")
    return int(text)


def run(args: argparse.Namespace) -> int:
    missing = [name for name in EXTRAS["web"] if find_spec(name) is None]
    if missing:
        raise ValueError(f"the page needs {', '.join(missing)}, not installed here: {how_to_install('web')}")
    from barreleye.web.serve import serve

    serve(args.host, args.port, not args.no_open, lambda line: print(line, flush=True))
    return 0
