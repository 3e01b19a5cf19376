"""What happens to workers, schedulers and connections shows neither in results nor as anything but one sentence."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.conftest import BARRELEYE, FAMOUS, Cluster, client_of, contents, other_net
from tests.train.conftest import SETTINGS
from tests.waiting import eventually

import barreleye
from barreleye.analysis.games import read_games
from barreleye.cli import main
from barreleye.cluster import ClusterError, connect
from barreleye.engine.bench import POSITIONS
from barreleye.lab.duel import duel
from barreleye.match import EngineSpec, Sprt, play_match
from barreleye.train.generate import generate

pytest.importorskip("distributed")
COLLECTION = ["--nodes", "3000", "--hash", "1"]
SMALL = ["annotate", str(FAMOUS), "--nodes", "100", "--hash", "1"]


def said_once(capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence that a command ended with."""
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1, said
    return said.err


@pytest.fixture
def short_tasks(monkeypatch):
    """Tasks so short that there are many of them in little work."""
    monkeypatch.setattr("barreleye.work.crew.TASK_S", 0.1)


def test_a_killed_worker_and_a_late_one_change_nothing(cluster, short_tasks):
    games = list(read_games(FAMOUS.read_text(), print))
    whole = list(barreleye.analyse_many(games, {"nodes": 1000}, 2))
    cluster.add("alice")
    cluster.add("bob")
    with connect(cluster.address) as executor:
        batch = barreleye.analyse_many(games, {"nodes": 1000}, executor=executor)
        found = [next(batch) for _ in range(100)]
        cluster.kill("alice")
        found += [next(batch) for _ in range(200)]
        cluster.add("carol")
        cluster.kill("bob")
        assert [*found, *batch] == whole


@pytest.mark.slow
def test_all_workers_may_be_gone_for_a_while(cluster):
    cluster.add("alice")
    with connect(cluster.address) as executor:
        here = duel("off=Null Move", games=24, nodes=300, threads=2)

        def disturb(standing):
            if standing.games and "alice" in cluster.workers:
                cluster.kill("alice")
                threading.Timer(3.0, cluster.add, ["bob"], {"awaited": False}).start()

        with pytest.warns(RuntimeWarning, match="no worker is left"):
            there = duel("off=Null Move", games=24, nodes=300, executor=executor, on_change=disturb)
    assert there.pairs == here.pairs


def run(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([*BARRELEYE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_lost_scheduler_is_one_sentence_and_the_same_command_goes_on(cluster, tmp_path):
    here, there = tmp_path / "here.pgn", tmp_path / "there.pgn"
    assert main(["annotate", str(FAMOUS), "-o", str(here), *COLLECTION]) == 0
    cluster.add("alice")
    words = ["annotate", str(FAMOUS), "-o", str(there), *COLLECTION, "--cluster", cluster.address]
    process = run(*words)
    progress = tmp_path / "there.pgn.progress"
    eventually(lambda: progress.exists() and progress.read_bytes().count(b"\n") > 20)
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    out, error = process.communicate(timeout=60)
    assert process.returncode == 2 and out == "" and error.count("\n") == 1, error
    assert "give the same command again" in error and cluster.address in error
    assert not there.exists()
    kept = progress.read_bytes().count(b"\n")
    cluster.start_scheduler()
    cluster.add("bob")
    again = run(*words)
    _, error = again.communicate(timeout=120)
    assert again.returncode == 0 and "going on after the" in error
    assert there.read_bytes() == here.read_bytes() and kept > 20 and not progress.exists()


@pytest.mark.slow
def test_a_scheduler_that_comes_back_at_once_is_used_again(cluster, tmp_path):
    """A connection that was cut: everything under way is lost, and is sent again."""
    cluster.add("alice")
    settings = SETTINGS
    generate(tmp_path / "here", settings, positions=4000)
    with connect(cluster.address) as executor:
        def cut(tally):
            if tally.positions and cluster.scheduler.poll() is None and cluster.port not in done:
                done.append(cluster.port)
                cluster.scheduler.kill()
                cluster.scheduler.wait()
                cluster.start_scheduler()
                cluster.add("bob", awaited=False)

        done: list[int] = []
        generate(tmp_path / "there", settings, positions=4000, executor=executor, progress=cut)
    assert done and contents(tmp_path / "there") == contents(tmp_path / "here")


def test_interrupts_end_the_workers_games_too(pair, tmp_path):
    from distributed import Client

    notes = tmp_path / "notes"
    process = run("lab", "duel", "off=Null Move", "--games", "2000", "--nodes", "2000", "--notes", str(notes),
                  "--cluster", pair.address)
    eventually(lambda: notes.exists() and notes.read_bytes().count(b"\n") > 3)
    with Client(pair.address, set_as_default=False) as client:
        assert any(client.processing().values())
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 130 and "give the same command again" in error, error
        eventually(lambda: not any(client.processing().values()) and not any(client.run(busy).values()))


def busy() -> bool:
    from barreleye.work.task import _keeper

    return bool(_keeper._lent)


busy.__module__ = "__main__"            # pickled by value: the workers do not have the tests


def test_a_decided_test_stops_the_games(pair):
    with connect(pair.address) as executor:
        sprt = Sprt(elo0=0, elo1=200)
        here = duel("default", "nodes=10", games=2000, nodes=400, threads=1, sprt=sprt)
        there = duel("default", "nodes=10", games=2000, nodes=400, executor=executor, sprt=sprt)
        assert there.verdict == here.verdict == "H1" and there.pairs == here.pairs
        eventually(lambda: not any(client_of(executor).processing().values())
                 and not any(client_of(executor).run(busy).values()))


def test_a_decided_test_stops_a_match(pair, tmp_path):
    strong, weak = (EngineSpec(BARRELEYE, name, options={"Hash": "1", "Skill Level": level, "Strength Seed": "1"})
                    for name, level in (("strong", "20"), ("weak", "1")))
    files = [tmp_path / name for name in ("here", "there", "many")]
    with connect(pair.address) as executor:
        ways: list[dict[str, Any]] = [{}, {"executor": executor}, {"concurrency": 3}]
        for file, more in zip(files, ways, strict=True):
            result = play_match([strong, weak], "nodes=30", games=400, sprt=Sprt(elo0=0, elo1=200), json=str(file),
                                max_moves=60, openings=None, **more)
            assert result.verdict == "H1" and len(result.games) < 100
        eventually(lambda: not any(client_of(executor).processing().values()))
    here, there, many = (file.read_bytes() for file in files)
    assert there == here
    assert many.partition(b'"summary"')[2] == here.partition(b'"summary"')[2]


@pytest.mark.parametrize(("address", "words"), [
    ("tcp://127.0.0.1:9", "no scheduler answers"), ("127.0.0.1:8786", "is not the address"), ("local:0", "from 1 to"),
    ("local:many", "is not the address"), ("tcp://127.0.0.1", "is not the address"), ("nowhere.json", "nowhere.json"),
    ("", "is not the address"), ("tcp://127.0.0.1:99999", "from 1 to 65535"),
    ("tls://127.0.0.1:9", "set DASK_DISTRIBUTED__COMM__TLS__CA_FILE")])
def test_a_wrong_address_is_one_sentence(tmp_path, capsys, monkeypatch, address, words):
    monkeypatch.setattr("barreleye.cluster.address.ANSWER_S", 0.5)
    out = tmp_path / "out.pgn"
    assert main([*SMALL, "-o", str(out), "--cluster", address]) == 2
    error = said_once(capsys)
    assert words in error and "CancelledError" not in error and not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", '"tcp://127.0.0.1:9"', '{"type": "Scheduler"}', '{"address": null}'])
def test_a_damaged_file_of_a_scheduler_is_one_sentence(tmp_path, capsys, text):
    (tmp_path / "scheduler.json").write_text(text)
    assert main([*SMALL, "-o", str(tmp_path / "out.pgn"), "--cluster", str(tmp_path / "scheduler.json")]) == 2
    assert "scheduler.json says nothing of a scheduler" in said_once(capsys)
    assert not (tmp_path / "out.pgn").exists()


def test_certificates_that_are_not_there_are_one_sentence(tmp_path):
    lost = str(tmp_path / "lost.pem")
    names = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
    environment = {**os.environ, **{f"DASK_DISTRIBUTED__COMM__TLS__{name}": lost for name in names}}
    said = subprocess.run([*BARRELEYE, *SMALL, "--cluster", "tls://127.0.0.1:9"], env=environment, capture_output=True,
                          text=True)
    assert said.returncode == 2 and said.stderr.count("\n") == 1 and "files that are not there" in said.stderr


def test_no_workers_is_one_sentence(cluster, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("barreleye.cluster.address.ARRIVAL_S", 0.5)
    for words in (["lab", "duel", "off=ProbCut", "--games", "2"], SMALL,
                  ["train", "generate", str(tmp_path / "data"), "--games", "2"],
                  ["match", "--engine", "cmd=a", "--engine", "cmd=b"]):
        assert main([*words, "--cluster", cluster.address]) == 2
        assert f"there are no workers at {cluster.address}" in said_once(capsys)


def stranger(tmp_path: Path, lines: str) -> Path:
    """A folder that changes what a worker's Python finds."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(lines)
    return folder


STRANGERS = {
    "has Barreleye 0.0.1": "import barreleye; barreleye.__version__ = '0.0.1'",
    "has no Barreleye": "import sys; sys.modules['barreleye'] = None",
    "has no network in its package": "import barreleye.nets as nets; nets.DEFAULT = nets.DEFAULT.with_name('none')",
    "searches differently": "import barreleye.work.facts as facts; facts.SIGNATURE_DEPTH = 5",
}


@pytest.mark.parametrize("words", [pytest.param(words, marks=() if number == 0 else pytest.mark.slow)
                                   for number, words in enumerate(STRANGERS)])
def test_a_worker_that_differs_is_refused_by_name(cluster, tmp_path, capsys, words):
    cluster.add("alice")
    cluster.add("mallory", path=stranger(tmp_path, STRANGERS[words]))
    out, progress = tmp_path / "out.pgn", tmp_path / "out.pgn.progress"
    progress.write_bytes(b'{"barreleye":"kept"}\n')
    assert main([*SMALL, "-o", str(out), "--cluster", cluster.address]) == 2
    error = said_once(capsys)
    assert words in error and ("mallory" in error or "no Barreleye" in error), error
    assert progress.read_bytes() == b'{"barreleye":"kept"}\n' and not out.exists()


def test_a_package_that_a_worker_lacks_is_named(cluster, tmp_path, capsys):
    pytest.importorskip("numpy")
    cluster.add("mallory", path=stranger(tmp_path, (
        "import sys\nclass Lost:\n    def find_spec(self, name, *_):\n        if name == 'numpy':\n"
        "            raise ModuleNotFoundError(\"No module named 'numpy'\", name=name)\n"
        "sys.meta_path.insert(0, Lost())\n")))
    assert main(["train", "generate", str(tmp_path / "data"), "--games", "2", "--cluster", cluster.address]) == 2
    error = said_once(capsys)
    assert "has no numpy" in error and "Barreleye" not in error, error


@pytest.mark.filterwarnings("ignore:.*Mismatched versions")
def test_versions_that_differ_are_one_sentence_or_none(cluster, tmp_path):
    """Dask draws a table of them, also of packages that nothing here sends anything of."""
    for name, package in (("alice", "numpy"), ("bob", "toolz")):
        (tmp_path / name).mkdir()
        cluster.add(name, path=stranger(tmp_path / name, (
            "import distributed.versions as versions; found = versions.get_package_info; "
            f"versions.get_package_info = lambda packages: {{**found(packages), {package!r}: '0.0.1'}}")))
        done = subprocess.run([*BARRELEYE, "lab", "duel", "off=ProbCut", "--games", "2", "--nodes", "10", "--cluster",
                               cluster.address], capture_output=True, text=True)
        assert done.returncode == 0 and "numpy" not in done.stderr and "Mismatched" not in done.stderr, done.stderr
        assert done.stderr.count("differ in their version of toolz") == (name == "bob")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner and no limit here")
def test_a_worker_that_cannot_keep_networks_is_refused_by_name(cluster, tmp_path, capsys):
    """Its folder for temporary files has a file where the networks go, or takes none that is as large."""
    net = other_net(tmp_path / "other.net")
    (tmp_path / f"barreleye-networks-{os.getuid()}").touch()
    cluster.add("mallory", path=stranger(tmp_path, f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}"))
    words = ["lab", "duel", f"net={net}", "--games", "2", "--nodes", "10", "--cluster", cluster.address]
    assert main(words) == 2
    assert "worker mallory" in (error := said_once(capsys)) and "networks cannot be kept in" in error, error
    cluster.kill("mallory")
    (tmp_path / f"barreleye-networks-{os.getuid()}").unlink()
    small = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    (tmp_path / "stranger" / "sitecustomize.py").write_text(
        f"{small}import tempfile; tempfile.tempdir = {str(tmp_path)!r}; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))")
    cluster.add("trent", path=tmp_path / "stranger")
    assert main(words) == 2
    assert "worker trent" in (error := said_once(capsys)) and "File too large" in error, error
    assert not list((tmp_path / f"barreleye-networks-{os.getuid()}").iterdir())


@pytest.mark.slow
def test_a_scheduler_without_barreleye_is_one_sentence(tmp_path, capsys):
    (tmp_path / "cluster").mkdir()
    found = Cluster(tmp_path / "cluster", stranger(tmp_path, STRANGERS["has no Barreleye"]))
    try:
        found.add("alice")
        assert main([*SMALL, "--cluster", found.address]) == 2
        assert f"the scheduler at {found.address} has no Barreleye" in said_once(capsys)
    finally:
        found.close()


@pytest.mark.slow
def test_a_stranger_that_comes_late_is_left_alone(cluster, tmp_path, short_tasks):
    games = list(read_games(FAMOUS.read_text(), print))
    whole = list(barreleye.analyse_many(games, {"nodes": 1000}, 2))
    cluster.add("alice")
    with connect(cluster.address) as executor, pytest.warns(RuntimeWarning, match=r"mallory .*0\.0\.1.*given no work"):
        batch = barreleye.analyse_many(games, {"nodes": 1000}, executor=executor)
        found = [next(batch) for _ in range(60)]
        cluster.add("mallory", path=stranger(tmp_path, STRANGERS["has Barreleye 0.0.1"]))
        assert [*found, *batch] == whole


def test_engines_and_tables_that_a_worker_lacks(pair, tmp_path, capsys):
    assert main(["match", "--engine", "cmd=no-such-engine", "--engine", "cmd=barreleye", "--games", "2", "--json",
                 str(tmp_path / "out.json"), "--cluster", pair.address]) == 2
    error = said_once(capsys)
    assert "there is no program 'no-such-engine'" in error and "worker" in error and not list(tmp_path.iterdir())
    assert main([*SMALL, "--syzygy", str(tmp_path), "--cluster", pair.address]) == 0


@pytest.mark.slow
def test_engines_that_are_not_the_same_everywhere_are_refused(cluster, tmp_path, capsys):
    """Both workers have a program of that name, but not the same engine."""
    for name in ("alice", "bob"):
        (tmp_path / name).mkdir()
        program = tmp_path / name / "engine"
        program.write_text(f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n"
                           f"    if line == 'uci\\n': print('id name {name}s engine\\nuciok', flush=True)\n"
                           "    elif line == 'isready\\n': print('readyok', flush=True)\n"
                           "    elif line == 'quit\\n': break\n")
        program.chmod(0o755)
        cluster.add(name, programs=tmp_path / name)
    assert main(["match", "--engine", "cmd=engine", "--engine", f"cmd={' '.join(BARRELEYE)}", "name=other",
                 "--cluster", cluster.address]) == 2
    error = said_once(capsys)
    assert "alices engine for engine" in error and "bobs engine for engine" in error and error.count("worker ") == 2


def test_an_engine_that_does_not_start_is_one_sentence(pair, tmp_path, capsys):
    bad = tmp_path / "bad"
    bad.write_text(f"#!{sys.executable}\nprint('hello')\n")
    bad.chmod(0o755)
    assert main(["match", "--engine", f"cmd={bad}", "--engine", f"cmd={' '.join(BARRELEYE)}", "name=other",
                 "--games", "2", "--tc", "nodes=10", "--cluster", pair.address]) == 2
    assert "did not start" in said_once(capsys)


def test_without_distributed_it_says_what_to_install():
    program = ("import sys; sys.modules['distributed'] = None; from barreleye.cli import main; "
               f"sys.exit(main({[*SMALL, '--cluster', 'local:2']!r}))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "pip install dask distributed" in done.stderr


@pytest.mark.slow
def test_workers_of_this_machine(tmp_path):
    here, there = tmp_path / "here.pgn", tmp_path / "there.pgn"
    assert main([*SMALL, "-o", str(here)]) == 0
    done = subprocess.run([*BARRELEYE, *SMALL, "-o", str(there), "--cluster", "local:2"], capture_output=True,
                          text=True)
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr
    assert there.read_bytes() == here.read_bytes()


def test_tasks_have_names_that_tell_what_they_do(pair):
    with connect(pair.address) as executor:
        list(barreleye.analyse_many(POSITIONS, {"nodes": 100}, executor=executor))
        duel("off=ProbCut", games=2, nodes=50, executor=executor)
        names = client_of(executor).run_on_scheduler(prefixes)
    assert {"analyse-positions", "duel-pairs"} <= set(names)


def prefixes(dask_scheduler):
    return list(dask_scheduler.task_prefixes)


prefixes.__module__ = "__main__"


def test_a_worker_keeps_its_engine(pair):
    with connect(pair.address) as executor:
        before = client_of(executor).run(engines)
        for _ in range(3):
            list(barreleye.analyse_many(POSITIONS, {"nodes": 50}, executor=executor, options={"Hash": 2}))
        after = client_of(executor).run(engines)
    assert {address: after[address] - before[address] for address in after}.keys() == before.keys()
    assert all(after[address] <= before[address] + 1 for address in after), (before, after)


def engines() -> int:
    from barreleye.work.task import _keeper

    return len(_keeper._idle)


engines.__module__ = "__main__"


def test_a_closed_executor_is_one_sentence():
    from concurrent.futures import ThreadPoolExecutor

    executor = ThreadPoolExecutor(1)
    batch = barreleye.analyse_many([POSITIONS[0]] * 4000, {"nodes": 2000}, chunk=1, executor=executor)
    next(batch)
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(ClusterError, match="shutdown"):
        list(batch)
