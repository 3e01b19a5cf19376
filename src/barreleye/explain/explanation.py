"""Explanation: the answers to several questions about one position, and the function that asks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.changes import Changes, changes
from barreleye.explain.confidence import Confidence, confidence
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.network import NetworkView, Placement, placed, seen_by_network
from barreleye.explain.techniques import Techniques, techniques
from barreleye.explain.threat import Threat, threat
from barreleye.explain.why import Why, is_better, rivals_of, why
from barreleye.explain.why_not import WhyNot, why_not
from barreleye.explain.words import side

if TYPE_CHECKING:
    from barreleye.engine import Engine

DEFAULT_NODES = 200_000
TECHNIQUE_SHARE = 10            # the question about techniques takes some fifty searches: each has a tenth of the nodes
SEEN = "What does the network see?"
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Answers about one position, in the order in which a person would want them."""

    fen: str
    nodes: int                              # of the search that is explained
    answers: tuple[Answer, ...]

    def find(self, kind: type[A]) -> A | None:
        """The first answer of a kind, None when that was not asked."""
        return next((answer for answer in self.answers if isinstance(answer, kind)), None)

    @property
    def why(self) -> Why | None:
        """Why this move; None where there is none."""
        return self.find(Why)

    @property
    def why_not(self) -> tuple[WhyNot, ...]:
        """Why not the moves that were asked for."""
        return tuple(answer for answer in self.answers if isinstance(answer, WhyNot))

    @property
    def changes(self) -> Changes | None:
        """When it changed its mind."""
        return self.find(Changes)

    @property
    def confidence(self) -> Confidence | None:
        """How sure it is."""
        return self.find(Confidence)

    @property
    def techniques(self) -> Techniques | None:
        """Which technique decides."""
        return self.find(Techniques)

    @property
    def threat(self) -> Threat | None:
        """What the other side threatens."""
        return self.find(Threat)

    @property
    def network(self) -> NetworkView | None:
        """What the network sees."""
        return self.find(NetworkView)

    @property
    def placement(self) -> Placement | None:
        """Where the network would like a piece to stand."""
        return self.find(Placement)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def __str__(self) -> str:
        return "\n\n".join(f"{answer.question}\n{answer}" for answer in self.answers)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"fen": self.fen, "nodes": self.nodes, "answers": [answer.to_json() for answer in self.answers]}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_explanation

        return of_explanation(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Over(Answer):
    """There is no move to explain."""

    result: str


def explain(engine: Engine, *, nodes: int | None = None, depth: int | None = None, why_nots: Sequence[str] = (),
            with_threat: bool = False, technique: bool = False, network: bool = False, piece: str | None = None,
            culprit: bool | None = None) -> Explanation:
    """Answer questions about the engine's position. The engine is used up: its options change from search to search.

    Moves are UCI texts of legal moves, piece is the square of one that the network is asked about.
    """
    inquiry = Inquiry(engine, nodes, depth)
    if not engine.board.legal_moves():
        return Explanation(inquiry.fen, 0, (over(inquiry),))
    found = inquiry.search()
    rivals = rivals_of(inquiry, found)
    better = {rival.moves[0]: rival for rival in rivals if is_better(rival)}
    others = [why_not(inquiry, found, move, culprit=culprit, better=better.get(move)) for move in why_nots]
    reasons = why(inquiry, found, rivals, [answer.forced for answer in others if answer.is_search_wrong])
    answers: list[Answer] = [reasons, *others]
    if with_threat:
        answers.append(threat(inquiry, found))
    answers.append(changes(inquiry, found))
    if technique:
        wanted = next((answer.move for answer in others if answer.is_search_wrong), None)
        answers.append(techniques(inquiry, found, max(1000, found.nodes // TECHNIQUE_SHARE), wanted))
    if network:
        answers.append(asked_of_network(inquiry, lambda: seen_by_network(inquiry)))
    if piece is not None:
        answers.append(asked_of_network(inquiry, lambda: placed(inquiry, piece),
                                        f"Where would the piece on {piece} like to stand?"))
    answers.append(confidence(inquiry, found, reasons.doubt))
    return Explanation(inquiry.fen, found.nodes, tuple(answers))


def asked_of_network(inquiry: Inquiry, ask: Callable[[], Answer], question: str = SEEN) -> Answer:
    """What the network says; in check nobody asks it, which is an answer too."""
    if not inquiry.position.is_check():
        return ask()
    text = "The network is not asked about a position in check: the search looks further first."
    return Answer(question=question, fen=inquiry.fen, sentences=(Sentence(text, {"check": True}),))


def over(inquiry: Inquiry) -> Over:
    """What to say of a game that has ended."""
    board = inquiry.board
    if board.is_check():
        text, result = f"The game is over: {side(board.turn)} is mated.", "0-1" if board.turn else "1-0"
    else:
        text, result = f"The game is over: {side(board.turn)} has no legal move, a stalemate.", "1/2-1/2"
    return Over(question="What is there to play?", fen=inquiry.fen, result=result,
                sentences=(Sentence(text, {"legal_moves": 0, "check": board.is_check()}),))
