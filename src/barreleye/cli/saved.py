"""Games played in the terminal as PGN: appended to a file, written again when they have gone on, and resumed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye import levels

if TYPE_CHECKING:
    import chess.pgn

LEVEL = re.compile(r"Barreleye\b.*\(((?P<name>[^,()]+), )?(?P<elo>\d+)( Elo)?\)")


class SavedGame:
    """A game's place in a file. Saved again it takes the place of what was saved before, if that is still the end."""

    def __init__(self, path: Path, text: str = "") -> None:
        self.path = path
        self.text = text            # as it was written last

    def check(self) -> None:
        """OSError now rather than at the end of the game."""
        existed = self.path.exists()
        self.path.open("a", encoding="utf-8").close()
        if not existed:
            self.path.unlink()

    def write(self, game: chess.pgn.Game) -> None:
        """Append the game, or replace what was appended before."""
        text = f"{game}\n\n"
        with self.path.open("ab") as file:
            end = file.tell() if file.seekable() else 0
            before = end - len(self.text.encode())
            if self.text and self.path.is_file() and self.path.read_bytes()[max(0, before):] == self.text.encode():
                file.truncate(before)
            file.write(text.encode())
        self.text = text


@dataclass(frozen=True)
class Resumed:
    """An unfinished game as it was left: the game, its place, and what its headers tell of the players."""

    game: chess.pgn.Game
    saved: SavedGame
    is_white: bool
    name: str
    level: levels.Level | None
    seed: int


def resume(path: Path, number: int | None) -> Resumed:
    """A game that was saved, the last one unless a number is given; ValueError says why it cannot go on."""
    from barreleye.analysis.games import plain, read_text
    from barreleye.cli.position import read_game

    text = read_text(str(path))
    starts = [found.start() for found in re.finditer(r"^\[Event ", text, re.MULTILINE)]
    wanted = max(1, len(starts)) if number is None else number
    if wanted < 1:
        raise ValueError(f"--game is {wanted}, expected a number from 1 on")
    game, problem = read_game(text, wanted, str(path))
    if problem:
        raise ValueError(problem)
    headers = game.headers
    players = {white: plain(headers.get("White" if white else "Black", "")) for white in (True, False)}
    engines = [white for white, name in players.items() if name.startswith("Barreleye ")]
    what = f"game {wanted} of {path}"
    if len(engines) != 1:
        raise ValueError(f"{what} is not one against Barreleye; 'barreleye play {path} --game {wanted}' begins a new "
                         "game from its last position")
    if headers.get("Result", "*") != "*":
        raise ValueError(f"{what} has ended: {headers['Result']}; 'barreleye play {path} --game {wanted} --move ...' "
                         "begins a new game from one of its positions")
    seed = headers.get("Seed", "")
    # Only the end of a file can be written again without touching other games.
    tail = text[starts[-1]:] if wanted == len(starts) else ""
    return Resumed(game, SavedGame(path, tail), not engines[0], players[not engines[0]], level_of(players[engines[0]]),
                   int(seed) if seed.isdigit() and 0 <= int(seed) < levels.SEED_LIMIT else 1)


def level_of(name: str) -> levels.Level | None:
    """The level that an opponent's name tells of, None for full strength."""
    found = LEVEL.match(name)
    if found is None:
        return None
    return levels.of_name(found["name"]) if found["name"] in levels.NAMES else levels.of_elo(int(found["elo"]))
