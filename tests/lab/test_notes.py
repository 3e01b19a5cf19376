"""Notes of duels: nothing lost, nothing twice, nobody else's file touched."""

import json

import pytest

from barreleye.lab.notes import FIRST_LINE, Notes
from barreleye.lab.standing import DuelGame, Pair

SETTINGS = {"nodes": 100, "first": {"hash": 16, "net": "a"}}


def made_up(number, points=1.0):
    return Pair(number, (DuelGame(points, "checkmate", 80), DuelGame(0.5, "fifty moves", 200)), (1000, 1100))


def test_pairs_come_back_by_number(tmp_path):
    path = tmp_path / "duel.notes"
    with Notes(path) as notes:
        duel, known = notes.take_up(SETTINGS)
        assert known == []
        for number in (0, 2, 1):
            notes.keep(duel, made_up(number))
    with Notes(path) as notes:
        assert notes.take_up(SETTINGS) == (duel, [made_up(0), made_up(1), made_up(2)])
        notes.keep(duel, made_up(3, 0.0))
    assert json.loads(path.read_text().splitlines()[0]) == FIRST_LINE
    with Notes(path) as notes:
        assert len(notes.take_up(SETTINGS)[1]) == 4


def test_a_line_cut_short_is_dropped_wherever_it_was_cut(tmp_path):
    path = tmp_path / "duel.notes"
    with Notes(path) as notes:
        duel, _ = notes.take_up(SETTINGS)
        for number in range(3):
            notes.keep(duel, made_up(number))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with Notes(path) as notes:
            duel, known = notes.take_up(SETTINGS)
            assert len(known) == max(0, whole[:length].count(b"\n") - 2)
            notes.keep(duel, made_up(7))
        with Notes(path) as notes:
            assert [pair.number for pair in notes.take_up(SETTINGS)[1]] == [*range(len(known)), 7]


def test_several_duels_share_a_file_unless_one_wants_to_be_alone(tmp_path):
    path = tmp_path / "duel.notes"
    other = {**SETTINGS, "nodes": 200, "first": {"hash": 16, "net": "b"}}
    with Notes(path) as notes:
        first, _ = notes.take_up(SETTINGS, is_alone=True)
        notes.keep(first, made_up(0))
        with pytest.raises(ValueError, match=r'other settings \(first net: "a" there, "b" now; nodes: 100 there, 200 '
                                             r"now\): name another file"):
            notes.take_up(other, is_alone=True)
        second, known = notes.take_up(other)
        assert second != first and known == []
    with Notes(path) as notes:
        assert notes.take_up(other) == (second, []) and len(notes.take_up(SETTINGS)[1]) == 1


def test_one_run_at_a_time(tmp_path):
    path = tmp_path / "duel.notes"
    with Notes(path), pytest.raises(BlockingIOError, match=r"duel\.notes is in use by another run"):
        Notes(path)
    Notes(path).close()


@pytest.mark.parametrize("text", ["hello", "hello\n", "[]\n", '{"barreleye": "duels", "version": 2}\n',
                                  json.dumps(FIRST_LINE) + '\n{"pair": 1}\n', json.dumps(FIRST_LINE) + "\nnonsense\n"])
def test_other_files_are_left_as_they_are(tmp_path, text):
    path = tmp_path / "letter.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match="does not hold notes of duels: name another file"):
        Notes(path)
    assert path.read_text() == text
