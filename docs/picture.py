"""Draw docs/analyse.svg: the live view of `barreleye analyse`, as a terminal with colours shows it."""

import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from barreleye.cli.position import set_up
from barreleye.cli.thinking import Thinking
from barreleye.cli.view import View
from barreleye.engine import Engine, Limits

PICTURE = Path(__file__).resolve().parent / "analyse.svg"
MOVES = "e4 e5 Nf3 Nc6 Bb5"
SEA = TerminalTheme((8, 18, 26), (214, 228, 236), [(8, 18, 26)] * 8, [(90, 110, 125)] * 8)


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    engine = Engine(Hash=64, MultiPV=3)
    thinking = Thinking(engine, set_up(moves=MOVES).show(engine), Limits.of({"time": seconds}))
    thinking.start()
    while not thinking.wait(1):
        pass
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=100, file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(View(thinking, console))
        svg = console.export_svg(title="barreleye analyse", theme=SEA)
    # The fonts of the reader's own system will do; nothing is to be fetched.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    PICTURE.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
