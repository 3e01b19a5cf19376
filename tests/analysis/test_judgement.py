"""What moves are called."""

import pytest

from barreleye.analysis.accuracy import WhiteScore as Score
from barreleye.analysis.judgement import Judgement, comment, judge

INACCURACY, MISTAKE, BLUNDER = Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER


@pytest.mark.parametrize(("before", "after", "called"), [
    # Losses of winning chances, 2 / (1 + exp(-0.00368208 cp)) - 1, by bc: 0.0918, 0.1100, 0.1963, 0.2086, 0.2964,
    # 0.3031; then none, 0.0483, 0.2248, none.
    (0, -50, None), (0, -60, INACCURACY), (0, -108, INACCURACY), (0, -115, MISTAKE), (0, -166, MISTAKE),
    (0, -170, BLUNDER), (0, 300, None), (2000, 1000, None), (1000, 500, MISTAKE), (15, 15, None),
])
def test_by_winning_chances(before: int, after: int, called: Judgement | None):
    assert judge(Score(before), Score(after), True) is called
    assert judge(Score(-before), Score(-after), False) is called


@pytest.mark.parametrize(("before", "after", "called"), [
    (Score(0), Score(mate=-3), BLUNDER), (Score(-701), Score(mate=-3), MISTAKE), (Score(-700), Score(mate=-3), BLUNDER),
    (Score(-1000), Score(mate=-3), INACCURACY), (Score(-999), Score(mate=-3), MISTAKE),
    (Score(mate=2), Score(1000), INACCURACY), (Score(mate=2), Score(999), MISTAKE),
    (Score(mate=2), Score(701), MISTAKE), (Score(mate=2), Score(700), BLUNDER),
    (Score(mate=2), Score(-50), BLUNDER), (Score(mate=2), Score(mate=-2), BLUNDER),
    (Score(mate=2), Score(mate=9), None), (Score(mate=-2), Score(mate=-1), None), (Score(mate=-2), Score(-300), None),
    (Score(300), Score(mate=4), None),
])
def test_by_mates(before: Score, after: Score, called: Judgement | None):
    def turned(score: Score) -> Score:
        return Score(-score.cp, None if score.mate is None else -score.mate)

    assert judge(before, after, True) is called
    assert judge(turned(before), turned(after), False) is called


def test_words():
    assert comment(BLUNDER, Score(0), Score(-400), True, "Nf3") == "Blunder. Nf3 was best."
    assert comment(BLUNDER, Score(0), Score(mate=-4), True, "Nf3") == "Checkmate is now unavoidable. Nf3 was best."
    lost = comment(MISTAKE, Score(mate=-4), Score(-800), False, "Qh4")
    assert lost == "Lost forced checkmate sequence. Qh4 was best."
    assert [(judgement.nag, judgement.sign) for judgement in Judgement] == [(6, "?!"), (2, "?"), (4, "??")]
