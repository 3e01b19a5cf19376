"""Games out of PGN files, also out of those that are not as they should be."""

import gzip
import io
import re
import zipfile

import chess.pgn
import pytest

from barreleye import packed
from barreleye.analysis.games import braced, read_games, read_text, split

GOOD = '[Event "a"]\n[White "Good"]\n\n1. e4 e5 2. Nf3 *\n\n'
BAD = {
    "null move": '[Event "b"]\n[White "Bad"]\n\n1. e4 -- 2. d4 *\n\n',
    "Z0": '[Event "b"]\n[White "Bad"]\n\n1. e4 Z0 2. d4 *\n\n',
    "malformed": '[Event "b"]\n[White "Bad"]\n\n1. e4 e5 2. Ke3) 2... Nc6? 3. Bb5 *\n\n',
    "bad FEN": '[Event "b"]\n[White "Bad"]\n[FEN "8/8 w"]\n[SetUp "1"]\n\n1. e4 *\n\n',
    "no moves": '[Event "b"]\n[White "Bad"]\n\n*\n\n',
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_one_bad_game_ends_no_collection(bad):
    problems: list[str] = []
    skipped: list[str] = []
    games = list(read_games(GOOD + bad + GOOD, problems.append, skipped.append))
    assert [game.headers["White"] for game in games] == ["Good", "Good"] and skipped == [bad]
    assert len(problems) == 1 and problems[0].startswith("game 2 (Bad - ?): ")
    assert problems[0].endswith("; kept as it is")


def test_a_null_move_is_named():
    problems: list[str] = []
    assert not list(read_games(BAD["Z0"], problems.append))
    assert problems == ["game 1 (Bad - ?): move 1... is a null move, which no game has; left out"]
    [game] = read_games("1. e4 (1. -- e5) e5 *", problems.append)
    assert len(problems) == 1 and game.variations[1].move == chess.Move.null()


def test_comments_to_the_end_of_a_line_are_kept():
    problems: list[str] = []
    [game] = read_games('; above\n[Event "a"]\n\n; before\n1. e4 ; best by test {see}\n1... e5 {; not one} 2. Nf3 ;\n*',
                        problems.append)
    nodes = list(game.mainline())
    assert not problems and [node.san() for node in nodes] == ["e4", "e5", "Nf3"]
    assert game.comment == "before" and [node.comment for node in nodes] == ["best by test {see)", "; not one", ""]
    assert braced("1. e4 {a\nb; c} e5 ; d") == "1. e4 {a\nb; c} e5 {d}"


def test_games_are_told_apart_as_python_chess_does(data_dir):
    """Also where headers follow without an empty line, and comments hold empty lines and brackets."""
    [book] = packed.unpacked((data_dir / "books" / "8moves_v3.pgn.zip").read_bytes(), "book", (".pgn",))
    text = packed.text(book[1]).replace("\r\n", "\n")[:200_000].rsplit("\n[Event ", 1)[0]
    text += '\n\n[Event "x"]\n\n1. e4 {two\n\n[White "no header"]\nlines} e5 *\n\n1. d4 d5\n\n1. c4 *\n'
    parts, file, count = list(split(text)), io.StringIO(text), 0
    assert "".join(parts).split() == text.split()
    for part in parts:
        expected = chess.pgn.read_game(file)
        found = chess.pgn.read_game(io.StringIO(part))
        assert found is not None and str(found) == str(expected)
        count += 1
    assert chess.pgn.read_game(file) is None and count > 500
    assert len(list(split(GOOD.strip() + "\n" + GOOD))) == 2


@pytest.mark.parametrize("packing", ["plain", "gzip", "zip", "windows"])
@pytest.mark.parametrize("is_input", [False, True])
def test_packed_files_are_read(tmp_path, monkeypatch, packing, is_input):
    data = (GOOD + GOOD.replace("Good", "Müller")).encode()
    if packing == "gzip":
        data = gzip.compress(data)
    elif packing == "zip":
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("readme.md", "free")
            file.writestr("a.pgn", GOOD)
            file.writestr("more/B.PGN", GOOD.replace("Good", "Müller"))
        data = archive.getvalue()
    elif packing == "windows":
        data = data.decode().replace("\n", "\r\n").encode("latin-1")
    path = tmp_path / "games"
    path.write_bytes(data)
    if is_input:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    text = read_text("-" if is_input else str(path))
    assert re.findall(r'White "(\w+)"', text) == ["Good", "Müller"] and len(list(split(text))) == 2


def encrypted():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.pgn", GOOD)
    data = bytearray(archive.getvalue())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + offset] |= 1
    return bytes(data)


@pytest.mark.parametrize(("data", "complaint"), [
    (gzip.compress(GOOD.encode())[:-12], "cannot be unpacked"),
    (gzip.compress(GOOD.encode())[:20] + b"\xff" * 60, "cannot be unpacked"),
    (b"PK\x03\x04" + b"x" * 100, "cannot be unpacked"),
    (encrypted(), "is encrypted: unpack it first"),
    (gzip.compress(bytes(packed.ROOM + 1)), "unpacks to more than 64 MiB"),
    (b"PK\x05\x06" + bytes(18), "there is no file that ends with .pgn or .txt in the archive"),
], ids=["cut", "damaged", "no zip", "encrypted", "bomb", "empty"])
def test_archives_that_cannot_be_read(tmp_path, data, complaint):
    path = tmp_path / "games.bin"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_text(str(path))


def test_what_the_parser_cannot_follow_is_said_in_plain_words():
    problems: list[str] = []
    assert not list(read_games(BAD["malformed"], problems.append))
    assert problems == ["game 1 (Bad - ?): a variation ends that never began: there is a ) without its (; left out"]


@pytest.mark.parametrize(("mark", "coding"), [(b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"\xef\xbb\xbf", "latin-1"),
                                              (b"", "latin-1"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_a_file_in_any_coding_begins_with_its_first_game(tmp_path, mark, coding):
    path = tmp_path / "games.pgn"
    path.write_bytes(mark + '[Event "a"]\n[White "Müller"]\n\n1. e4 *\n'.encode(coding))
    problems: list[str] = []
    [game] = read_games(read_text(str(path)), problems.append)
    assert problems == [] and game.headers["White"] == "Müller" and game.headers["Event"] == "a"
