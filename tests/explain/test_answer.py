"""Answers: sentences with evidence, as text, as data, as pictures."""

import json
from dataclasses import dataclass

import chess
import pytest

from barreleye.explain.answer import Answer, Sentence
from barreleye.pictures.notebook import DATA


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss(Answer):
    """An answer of a kind of its own."""

    reply: str
    pieces: frozenset[str]


@pytest.fixture
def answer():
    return Loss(question="Why not Nf5?", fen=chess.STARTING_FEN, arrow="g1f3", reply="g6f5",
                pieces=frozenset({"n", "b"}),
                sentences=(Sentence("Nf5 loses a knight.", {"reply": "g6f5"}), Sentence("It is gone.", {"cp": (1, 2)})))


def test_an_answer_reads_as_a_paragraph(answer):
    assert str(answer) == "Nf5 loses a knight. It is gone."


def test_an_answer_is_plain_data_with_what_its_kind_found(answer):
    data = json.loads(json.dumps(answer.to_json()))
    assert data["kind"] == "Loss" and data["reply"] == "g6f5" and data["pieces"] == ["b", "n"]
    assert data["sentences"][1] == {"text": "It is gone.", "evidence": {"cp": [1, 2]}}


def test_an_answer_has_a_picture(answer):
    bundle = answer._repr_mimebundle_()
    assert bundle["text/plain"] == str(answer) and bundle[DATA]["kind"] == "Loss"
    assert "Why not Nf5?" in bundle["text/html"] and "<svg" in bundle["text/html"]


@pytest.mark.parametrize(("text", "evidence"), [("", {"cp": 1}), ("It is so.", {})])
def test_nothing_is_said_without_evidence(text, evidence):
    with pytest.raises(ValueError, match="evidence"):
        Sentence(text, evidence)
