"""Every named technique of the search: its switch, its counters, its one-line description.

The same word names it everywhere: here, in the UCI option `Use <Name>`, in the step comments and in docs/techniques.md.
"""
from typing import NamedTuple

import cython
from cython.cimports.barreleye.core.techniques import TECHNIQUE_COUNT


class TechniqueInfo(NamedTuple):
    """A technique as people know it."""

    name: str
    item: str
    description: str
    default: bool = True
    behind: str = ""                  # the technique that leaves it little to do while it is on

    @property
    def option(self) -> str:
        """Its UCI option."""
        return f"Use {self.name}"


# In the order of the enum in techniques.pxd.
TECHNIQUES = (
    TechniqueInfo("Aspiration", "A2", "search within a narrow window around the last score, widen it when it fails"),
    TechniqueInfo("Mate Distance", "B3", "skip nodes that cannot beat a shorter mate already found"),
    TechniqueInfo("TT Cutoff", "B4", "end a node when the table knows a sufficient bound"),
    TechniqueInfo("Tablebases", "B5", "end nodes whose result the endgame tables know, rank root moves by them"),
    TechniqueInfo("TT Eval", "B6", "let the table's value replace the static evaluation where its bound allows"),
    TechniqueInfo("Correction History", "D6", "correct the evaluation by how wrong it was in similar positions"),
    TechniqueInfo("Upcoming Repetition", "B23", "count on a draw when a reversible move repeats a position"),
    TechniqueInfo("Draw Randomisation", "B23", "shake draw scores by a point so that draws are explored"),
    TechniqueInfo("NNUE", "G1", "evaluate by the network, without it by hand-written terms"),
    TechniqueInfo("Positional Terms", "G2", "evaluate by hand more than material and squares, where no network does",
                  behind="NNUE"),
    TechniqueInfo("Rule50 Damping", "G3", "let the evaluation fade as the fifty-move limit nears"),
    TechniqueInfo("Hindsight", "B6", "correct the depth when the evaluation shows that a reduction was wrong"),
    TechniqueInfo("Razoring", "B7", "far below alpha, ask only quiescence", False),
    TechniqueInfo("Futility", "B8", "far above beta at low depth, trust the evaluation"),
    TechniqueInfo("Null Move", "B9", "if passing still fails high, cut off"),
    TechniqueInfo("Null Verification", "B9", "at high depth check a null-move cutoff without passing"),
    TechniqueInfo("Internal Reduction", "B10", "without a table move, search one ply less"),
    TechniqueInfo("ProbCut", "B11", "a capture that beats beta by a margin at low depth cuts off"),
    TechniqueInfo("Small ProbCut", "B12", "a table bound far above beta cuts off"),
    TechniqueInfo("Late Move Pruning", "B14", "after enough quiet moves skip the rest"),
    TechniqueInfo("Capture Futility", "B14", "skip captures that cannot reach alpha"),
    TechniqueInfo("Capture SEE", "B14", "skip captures and checks that lose too much material"),
    TechniqueInfo("History Pruning", "B14", "skip quiet moves that never worked as an answer"),
    TechniqueInfo("Quiet Futility", "B14", "skip quiet moves when the evaluation is far below alpha"),
    TechniqueInfo("Quiet SEE", "B14", "skip quiet moves that lose the moved piece"),
    TechniqueInfo("Singular Extension", "B15", "extend a table move that is much better than all others"),
    TechniqueInfo("Double Extension", "B15", "extend a very singular move by two or three plies"),
    TechniqueInfo("Multi Cut", "B15", "cut off when several moves beat beta"),
    TechniqueInfo("Negative Extension", "B15", "reduce a table move that is not singular after all"),
    TechniqueInfo("Check Extension", "B24", "extend deep moves that give check"),
    TechniqueInfo("Late Move Reduction", "B17", "search later moves less deeply, again when they surprise"),
    TechniqueInfo("Deeper Research", "B17", "search deeper or shallower again by how far the first look surprised"),
    TechniqueInfo("Full Depth Reduction", "B18", "reduce also moves that late-move reduction leaves alone"),
    TechniqueInfo("Alpha Reduction", "B20", "after a raise of alpha search the other moves less deeply"),
    TechniqueInfo("Fail High Blend", "C3", "pull fail-high scores towards beta"),
    TechniqueInfo("Quiescence Checks", "C4", "try quiet checks on quiescence's first ply"),
    TechniqueInfo("Quiescence Move Count", "C5", "in quiescence try only the first few captures"),
    TechniqueInfo("Quiescence Futility", "C5", "in quiescence skip captures that cannot reach alpha"),
    TechniqueInfo("Quiescence SEE", "C5", "in quiescence skip captures that lose material"),
    TechniqueInfo("Quiescence History", "C5", "in quiescence skip quiet moves that history knows nothing good of"),
    TechniqueInfo("Main History", "D1", "order quiet moves by how often they cut off"),
    TechniqueInfo("Capture History", "D2", "order captures by how often they cut off"),
    TechniqueInfo("Continuation History", "D3", "order quiet moves by how they worked after the last six moves"),
    TechniqueInfo("Pawn History", "D4", "order quiet moves by how they worked in this pawn structure"),
    TechniqueInfo("Low Ply History", "D4", "order quiet moves near the root by what worked there"),
    TechniqueInfo("TT Move History", "D8", "learn how far the table's move can be trusted"),
    TechniqueInfo("Prior Move Bonus", "D8", "reward the opponent's quiet move that made a node fail low"),
    TechniqueInfo("Eval History", "D8", "reward a quiet move by how it changed the evaluation"),
    TechniqueInfo("Killers", "D5", "try quiet moves that cut off at the same ply", False),
    TechniqueInfo("Counter Moves", "D5", "try the quiet move that last refuted the opponent's move", False),
    TechniqueInfo("Threat Ordering", "F3", "prefer moves away from attacks by lesser pieces, shun moves into them"),
    TechniqueInfo("Threat History", "D1", "keep main history apart for moves from and to attacked squares"),
    TechniqueInfo("Check Ordering", "F3", "prefer quiet moves that give check safely"),
    TechniqueInfo("Prefetch", "E1", "load a position's table entry before it is needed"),
)

if len(TECHNIQUES) != cython.cast(cython.int, TECHNIQUE_COUNT):
    raise ImportError("techniques.py and techniques.pxd list different techniques")

# What may overlook a mate in its hurry: a search for mate goes without.
MATE_BLIND = frozenset({
    "Hindsight", "Razoring", "Futility", "Null Move", "Internal Reduction", "ProbCut", "Small ProbCut",
    "Late Move Pruning", "Capture Futility", "Capture SEE", "History Pruning", "Quiet Futility", "Quiet SEE",
    "Multi Cut", "Tablebases",
})
MATE_MASK = ~sum(1 << index for index, technique in enumerate(TECHNIQUES) if technique.name in MATE_BLIND) % (1 << 64)
DEFAULT_MASK = sum(1 << index for index, technique in enumerate(TECHNIQUES) if technique.default)
INDEX = {technique.name.lower(): index for index, technique in enumerate(TECHNIQUES)}


def index_of(name: str) -> int:
    """The number of a technique, by its name in any case."""
    try:
        return INDEX[name.lower().removeprefix("use ")]
    except KeyError:
        raise ValueError(f"{name!r} is not a technique; there are: "
                         + ", ".join(technique.name for technique in TECHNIQUES)) from None
