"""The file of games after faults at any moment."""

import errno

import pytest

from barreleye.match.tournament.games_file import GamesFile


def game(number, event="Barreleye match"):
    return f'[Event "{event}"]\n[Round "{number // 2 + 1}.{number % 2 + 1}"]\n[Result "1-0"]\n\n1. e4 {{x}} 1-0\n\n'


def written(path, *numbers):
    file, end = GamesFile(str(path)), None
    for number in numbers:
        end = file.append(game(number))
    file.close()
    return end


@pytest.mark.parametrize("before", ["", game(0), game(0, "Tata Steel")], ids=["alone", "ours", "others"])
def test_half_a_game_is_removed_before_the_next(tmp_path, before):
    path = tmp_path / "games.pgn"
    for cut in range(len(game(1)) - len("1-0\n\n")):
        path.write_text(before + game(1)[:cut])
        file = GamesFile(str(path))
        file.mend()
        file.append(game(1))
        file.close()
        assert path.read_text() == before + game(1)


def test_a_game_that_was_not_recorded_is_not_there_twice(tmp_path):
    path = tmp_path / "games.pgn"
    end = written(path, 0, 1)
    written(path, 2)
    file = GamesFile(str(path))
    file.mend(end, {0, 1})
    assert path.read_text() == game(0) + game(1)
    file.append(game(2))
    file.close()
    assert path.read_text() == game(0) + game(1) + game(2)


def test_the_games_of_others_stay(tmp_path):
    path = tmp_path / "games.pgn"
    other = game(7, "Tata Steel")
    for foreign in (other, other.strip(), other[:30], game(0).strip(), game(5) + game(6), game(1)):
        path.write_text(game(0) + foreign)
        file = GamesFile(str(path))
        file.mend(len(game(0)), {0, 1})
        file.append(game(1))
        file.close()
        assert path.read_text() == (game(0) + foreign).rstrip() + "\n\n" + game(1)


def test_a_full_disk_leaves_no_half_of_a_game(tmp_path, monkeypatch):
    path = tmp_path / "games.pgn"
    file = GamesFile(str(path))
    file.append(game(0))

    class Full:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def write(self, data):
            if len(data) < 20:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self.inner.write(data[:20])

    monkeypatch.setattr(file, "_file", Full(file._file))
    with pytest.raises(ValueError, match="No space left on device; the games before this one are safe"):
        file.append(game(1))
    assert path.read_text() == game(0)


def test_a_second_match_does_not_write_into_the_same_file(tmp_path):
    path = tmp_path / "games.pgn"
    file = GamesFile(str(path))
    with pytest.raises(ValueError, match=r"games.pgn is in use by another run"):
        GamesFile(str(path))
    file.close()
    GamesFile(str(path)).close()
