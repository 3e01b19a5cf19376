"""Every named technique of the search: its switch, its counters, its one-line description.

The same word names it everywhere: here, in the UCI option `Use <Name>`, in the step comments and in docs/techniques.md.
"""
from typing import NamedTuple

import cython
from cython.cimports.barreleye.core.techniques import TECHNIQUE_COUNT


class TechniqueInfo(NamedTuple):
    """A technique as people know it."""

    name: str
    item: str                         # where docs/search.md tells of it: a step of the node, or a section
    description: str
    default: bool = True
    behind: str = ""                  # the technique that leaves it little to do while it is on

    @property
    def option(self) -> str:
        """Its UCI option."""
        return f"Use {self.name}"


# In the order of the enum in techniques.pxd.
TECHNIQUES = (
    TechniqueInfo("Aspiration", "deepening",
                  "search within a narrow window around the last score, widen it when it fails"),
    TechniqueInfo("Mate Distance", "step 3", "skip nodes that cannot beat a shorter mate already found"),
    TechniqueInfo("TT Cutoff", "step 4", "end a node when the table knows a sufficient bound"),
    TechniqueInfo("Tablebases", "step 5", "end nodes whose result the endgame tables know, rank root moves by them"),
    TechniqueInfo("TT Eval", "step 6", "let the table's value replace the static evaluation where its bound allows"),
    TechniqueInfo("Correction History", "histories", "correct the evaluation by how wrong it was in similar positions"),
    TechniqueInfo("Upcoming Repetition", "draws", "count on a draw when a reversible move repeats a position"),
    TechniqueInfo("Draw Randomisation", "draws", "shake draw scores by a point so that draws are explored"),
    TechniqueInfo("NNUE", "evaluation", "evaluate by the network, without it by hand-written terms"),
    TechniqueInfo("Positional Terms", "evaluation",
                  "evaluate by hand more than material and squares, where no network does",
                  behind="NNUE"),
    TechniqueInfo("Rule50 Damping", "evaluation", "let the evaluation fade as the fifty-move limit nears"),
    TechniqueInfo("Hindsight", "step 6", "correct the depth when the evaluation shows that a reduction was wrong"),
    TechniqueInfo("Razoring", "step 7", "far below alpha, ask only quiescence", False),
    TechniqueInfo("Futility", "step 8", "far above beta at low depth, trust the evaluation"),
    TechniqueInfo("Null Move", "step 9", "if passing still fails high, cut off"),
    TechniqueInfo("Null Verification", "step 9", "at high depth check a null-move cutoff without passing"),
    TechniqueInfo("Internal Reduction", "step 10", "without a table move, search one ply less"),
    TechniqueInfo("ProbCut", "step 11", "a capture that beats beta by a margin at low depth cuts off"),
    TechniqueInfo("Small ProbCut", "step 12", "a table bound far above beta cuts off"),
    TechniqueInfo("Late Move Pruning", "step 14", "after enough quiet moves skip the rest"),
    TechniqueInfo("Capture Futility", "step 14", "skip captures that cannot reach alpha"),
    TechniqueInfo("Capture SEE", "step 14", "skip captures and checks that lose too much material"),
    TechniqueInfo("History Pruning", "step 14", "skip quiet moves that never worked as an answer"),
    TechniqueInfo("Quiet Futility", "step 14", "skip quiet moves when the evaluation is far below alpha"),
    TechniqueInfo("Quiet SEE", "step 14", "skip quiet moves that lose the moved piece"),
    TechniqueInfo("Singular Extension", "step 15", "extend a table move that is much better than all others"),
    TechniqueInfo("Double Extension", "step 15", "extend a very singular move by two or three plies"),
    TechniqueInfo("Multi Cut", "step 15", "cut off when several moves beat beta"),
    TechniqueInfo("Negative Extension", "step 15", "reduce a table move that is not singular after all"),
    TechniqueInfo("Check Extension", "step 15", "extend deep moves that give check"),
    TechniqueInfo("Late Move Reduction", "step 17", "search later moves less deeply, again when they surprise"),
    TechniqueInfo("Deeper Research", "step 17", "search deeper or shallower again by how far the first look surprised"),
    TechniqueInfo("Full Depth Reduction", "step 18", "reduce also moves that late-move reduction leaves alone"),
    TechniqueInfo("Alpha Reduction", "step 20", "after a raise of alpha search the other moves less deeply"),
    TechniqueInfo("Fail High Blend", "step 21", "pull fail-high scores towards beta"),
    TechniqueInfo("Quiescence Checks", "quiescence step 4", "try quiet checks on quiescence's first ply"),
    TechniqueInfo("Quiescence Move Count", "quiescence step 5", "in quiescence try only the first few captures"),
    TechniqueInfo("Quiescence Futility", "quiescence step 5", "in quiescence skip captures that cannot reach alpha"),
    TechniqueInfo("Quiescence SEE", "quiescence step 5", "in quiescence skip captures that lose material"),
    TechniqueInfo("Quiescence History", "quiescence step 5",
                  "in quiescence skip quiet moves that history knows nothing good of"),
    TechniqueInfo("Main History", "histories", "order quiet moves by how often they cut off"),
    TechniqueInfo("Capture History", "histories", "order captures by how often they cut off"),
    TechniqueInfo("Continuation History", "histories", "order quiet moves by how they worked after the last six moves"),
    TechniqueInfo("Pawn History", "histories", "order quiet moves by how they worked in this pawn structure"),
    TechniqueInfo("Low Ply History", "histories", "order quiet moves near the root by what worked there"),
    TechniqueInfo("TT Move History", "histories", "learn how far the table's move can be trusted"),
    TechniqueInfo("Prior Move Bonus", "histories", "reward the opponent's quiet move that made a node fail low"),
    TechniqueInfo("Eval History", "histories", "reward a quiet move by how it changed the evaluation"),
    TechniqueInfo("Killers", "histories", "try quiet moves that cut off at the same ply", False),
    TechniqueInfo("Counter Moves", "histories", "try the quiet move that last refuted the opponent's move", False),
    TechniqueInfo("Threat Ordering", "ordering",
                  "prefer moves away from attacks by lesser pieces, shun moves into them"),
    TechniqueInfo("Threat History", "histories", "keep main history apart for moves from and to attacked squares"),
    TechniqueInfo("Check Ordering", "ordering", "prefer quiet moves that give check safely"),
    TechniqueInfo("Prefetch", "table", "load a position's table entry before it is needed"),
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
