"""Whole commands on two workers, through everything that can happen: to the last byte what one process gives.

In each run a worker is killed in the middle and another one comes late; then the scheduler is killed, and the same
command is given again to a new one.
"""

import io
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest
from tests.cluster.conftest import BARRELEYE, Cluster, contents
from tests.waiting import eventually

from barreleye.core.notation import move_name
from barreleye.engine.bench import POSITIONS
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.duel import duel
from barreleye.lab.plan import OPENING_LIMIT

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow
MANY = """
import random, sys
import barreleye
from barreleye.cluster import ClusterError, connect
from barreleye.core.position import Position

def positions(count):
    chance, found = random.Random(1), []
    while len(found) < count:
        position = Position()
        for _ in range(chance.randrange(4, 60)):
            if moves := position.legal_moves():
                position.push(chance.choice(moves))
        found.append(position)
    return found

def main():
    options = {"nodes": 12_000}, {"resume": sys.argv[2], "chunk": 8}
    if len(sys.argv) == 3:
        list(barreleye.analyse_many(positions(2000), options[0], 1, **options[1]))
        return
    with connect(sys.argv[3]) as executor:
        list(barreleye.analyse_many(positions(2000), options[0], executor=executor, **options[1]))

if __name__ == "__main__":
    try:
        main()
    except ClusterError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
"""


def fifty_games(path: Path) -> None:
    """Games to annotate: those of a duel of weak players."""
    openings = RandomOpenings(1, OPENING_LIMIT)
    text = io.StringIO()
    for pair in duel("off=Null Move", games=50, nodes=40, threads=2).pairs:
        for number, played in enumerate(pair.games):
            game = chess.pgn.Game({"White": f"White {pair.number}", "Round": str(number)})
            game.setup(openings.opening(pair.number).fen)
            moves = [int.from_bytes(played.steps[at:at + 2], "little") for at in range(0, len(played.steps), 4)]
            game.add_line(chess.Move.from_uci(move_name(move, False)) for move in moves)
            print(game, file=text, end="\n\n")
    path.write_text(text.getvalue())


def through_everything(cluster: Cluster, words: list[str], progress: Callable[[], int], share: int) -> None:
    """Have a command done while a worker dies, another comes late, and the scheduler is lost."""
    cluster.add("alice")
    cluster.add("bob")
    process = subprocess.Popen([*words, cluster.address], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def reached(amount: int) -> bool:
        assert process.poll() is None, f"it ended too soon, with {process.returncode}: {process.stderr}"
        return progress() >= amount

    eventually(lambda: reached(share), 600)
    cluster.kill("alice")
    eventually(lambda: reached(2 * share), 600)
    cluster.add("carol", awaited=False)
    eventually(lambda: reached(3 * share), 600)
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    _, error = process.communicate(timeout=120)
    assert process.returncode == 2, error
    cluster.start_scheduler()
    cluster.add("dave")
    cluster.add("erin")
    again = subprocess.run([*words, cluster.address], capture_output=True, text=True, timeout=1200)
    assert again.returncode == 0, again.stderr


def lines_of(path: Path) -> Callable[[], int]:
    return lambda: path.read_bytes().count(b"\n") if path.exists() else 0


def test_two_thousand_positions(cluster, tmp_path):
    program = tmp_path / "many.py"
    program.write_text(MANY)
    subprocess.run([sys.executable, program, "--", tmp_path / "here"], check=True)
    through_everything(cluster, [sys.executable, str(program), "--", str(tmp_path / "there")],
                       lines_of(tmp_path / "there"), 40)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert (tmp_path / "here").read_bytes().count(b"\n") == 251


def test_fifty_games_annotated(cluster, tmp_path):
    games = tmp_path / "games.pgn"
    fifty_games(games)
    words = [*BARRELEYE, "annotate", str(games), "--nodes", "2000", "--hash", "1", "--explain"]
    here, there = ([*words, "-o", str(tmp_path / f"{place}.pgn"), "--html", str(tmp_path / f"{place}.html")]
                   for place in ("here", "there"))
    subprocess.run([*here, "--threads", "1"], check=True)
    through_everything(cluster, [*there, "--cluster"], lines_of(tmp_path / "there.pgn.progress"), 150)
    for suffix in ("pgn", "html"):
        assert (tmp_path / f"there.{suffix}").read_bytes() == (tmp_path / f"here.{suffix}").read_bytes()
    assert (tmp_path / "here.pgn").read_text().count("[Event ") == 50


def test_two_thousand_games_of_a_duel(cluster, tmp_path):
    words = [*BARRELEYE, "lab", "duel", "off=Null Move", "Hash=1", "--games", "2000", "--nodes", "60", "--notes"]
    subprocess.run([*words, str(tmp_path / "here"), "--threads", "1"], check=True, stderr=subprocess.DEVNULL)
    through_everything(cluster, [*words, str(tmp_path / "there"), "--cluster"], lines_of(tmp_path / "there"), 150)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert (tmp_path / "here").read_bytes().count(b"\n") == 1002


def test_two_hundred_games_of_a_match(cluster, tmp_path):
    book = tmp_path / "book.epd"
    chance = random.Random(1)
    book.write_text("\n".join(chance.sample(POSITIONS[:40], 40)))
    command = "cmd=" + " ".join(BARRELEYE)
    words = [*BARRELEYE, "match", "--engine", command, "name=quick", "nodes=30", "--engine", command, "name=slow",
             "nodes=90", "--each", "option.Hash=1", "--games", "200", "--max-moves", "80", "--openings", f"file={book}"]
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    subprocess.run([*words, "--json", str(here)], check=True, stdout=subprocess.DEVNULL)
    through_everything(cluster, [*words, "--json", str(there), "--cluster"], lines_of(there), 40)
    assert there.read_bytes() == here.read_bytes() and here.read_bytes().count(b'"number"') == 200


def test_a_hundred_thousand_positions_of_self_play(cluster, tmp_path):
    words = [*BARRELEYE, "train", "generate", "--positions", "100000", "--nodes", "200", "--shard-games", "100"]
    subprocess.run([*words, str(tmp_path / "here"), "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    there = tmp_path / "there"
    through_everything(cluster, [*words, str(there), "--cluster"],
                       lambda: len(os.listdir(there)) if there.exists() else 0, 5)
    assert contents(there) == contents(tmp_path / "here") and len(contents(there)) > 20
