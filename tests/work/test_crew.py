"""Work on any executor: in order, a bounded number under way, networks sent once, tools kept and closed."""

import multiprocessing
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from tests.cluster.conftest import other_net
from tests.waiting import eventually

import barreleye
from barreleye import nets
from barreleye.cluster import ClusterError
from barreleye.engine.bench import POSITIONS
from barreleye.lab.duel import duel
from barreleye.work import crew, parcels, task
from barreleye.work.crew import Crew
from barreleye.work.facts import Facts, Needs, facts, needs_of
from barreleye.work.keeper import Keeper
from barreleye.work.threads import ThreadCrew


class Counter:
    """A tool that counts what it is used for."""

    made = 0

    def __init__(self) -> None:
        Counter.made += 1
        self.is_stopped = self.is_closed = False

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True


@dataclass(frozen=True)
class Doubling:
    """Twice a number, after a while that gets shorter."""

    name: str = ""
    delay: float = 0.0

    def tool(self) -> Counter:
        return Counter()

    def do(self, tool: Counter, item: int, over: threading.Event) -> int:
        over.wait(self.delay / (1 + item))
        return 2 * item

    def identity(self) -> str:
        return ""


def crew_of(executor, work, **more):
    needs, files = needs_of([], [])
    return Crew(executor, work, "test-doubling", needs, files)


@pytest.mark.parametrize("make", [lambda work: crew_of(ThreadPoolExecutor(3), work), lambda work: ThreadCrew(3, work)])
def test_results_come_in_order_and_only_so_much_is_asked_for(make):
    asked = []

    def numbers():
        for number in range(200):
            asked.append(number)
            yield number

    with make(Doubling("order", 0.02)) as workers:
        results = workers.in_order(numbers())
        assert next(results) == 0 and len(asked) < 80
        assert list(results) == list(range(2, 400, 2)) and len(asked) == 200


@pytest.mark.parametrize("make", [lambda work: crew_of(ThreadPoolExecutor(2), work), lambda work: ThreadCrew(2, work)])
def test_nobody_gets_more_than_is_waited_for(make):
    found: list[int] = []
    with make(Doubling("until")) as workers:
        for result in workers.in_order(iter(range(10**9)), lambda: len(found) >= 7):
            found.append(result)
    assert found == [0, 2, 4, 6, 8, 10, 12]


class Watched(ThreadPoolExecutor):
    """Threads that note how many items each task has."""

    def __init__(self, count, sizes):
        super().__init__(count)
        self._sizes = sizes

    def submit(self, piece, /, *words, **more):
        self._sizes.append(len(piece.items))
        return super().submit(piece, *words, **more)


def test_tasks_grow_to_what_is_worth_sending(monkeypatch):
    monkeypatch.setattr(crew, "TASK_S", 0.05)
    sizes: list[int] = []
    with crew_of(Watched(1, sizes), Doubling("growing")) as workers:
        assert sum(workers.in_order(range(5000))) == 5000 * 4999
    assert sizes[0] == 1 and max(sizes) > 200 and len(sizes) < 100
    with crew_of(Watched(1, sizes), Doubling("slow", 0.06)) as workers:
        sizes.clear()
        assert list(workers.in_order([0] * 6)) == [0] * 6 and sizes == [1] * 6


def test_the_last_tasks_are_small_where_the_end_is_known():
    sizes: list[int] = []
    with crew_of(Watched(2, sizes), Doubling("ending")) as workers:
        assert list(workers.in_order(range(1000), total=1000)) == list(range(0, 2000, 2))
    assert max(sizes) > 20 and sizes[-6:] == [1] * 6 and sum(sizes) == 1000


def test_what_fails_on_a_worker_fails_here():
    @dataclass(frozen=True)
    class Failing(Doubling):
        def do(self, tool, item, over):
            if item == 3:
                raise ValueError("three is too many")
            return item

    for workers in (crew_of(ThreadPoolExecutor(2), Failing()), ThreadCrew(2, Failing())):
        with workers, pytest.raises(ValueError, match="three is too many"):
            list(workers.in_order(range(10)))


def test_tools_are_kept_and_closed_when_idle():
    keeper = Keeper(idle_s=0.0)
    with keeper.lent("job", "kind", Counter) as first, keeper.lent("job", "kind", Counter) as second:
        assert first is not second
    with keeper.lent("job", "kind", Counter) as again, keeper.lent("job", "other", Counter) as other:
        assert again in (first, second) and other not in (first, second)
    with pytest.raises(KeyError), keeper.lent("job", "kind", Counter) as broken:
        raise KeyError
    assert broken.is_closed                 # what has failed is not trusted any more
    eventually(lambda: other.is_closed and first.is_closed and second.is_closed)


def test_a_job_that_is_called_off_stops_its_own_tools():
    keeper = Keeper()
    with keeper.lent("mine", "kind", Counter) as mine, keeper.lent("yours", "kind", Counter) as yours:
        keeper.call_off("mine")
        assert mine.is_stopped and not yours.is_stopped
        assert keeper.over("mine").is_set() and not keeper.over("yours").is_set()
    assert mine.is_closed and not yours.is_closed


@pytest.mark.parametrize(("other", "words"), [
    (Facts("0.0.9", 1, "ab"), "has Barreleye 0.0.9"), (Facts("1", 2, "ab"), "signature 2"),
    (Facts("1", 1, ""), "has no network"), (Facts("1", 1, "cd"), "the network cd"), (Facts("1", 1, "ab"), None)])
def test_differences_are_told_in_words(other, words):
    said = Facts("1", 1, "ab").difference(other)
    assert said is None if words is None else said is not None and words in said


def test_parameters_need_a_tuning_build():
    tuned = Facts("1", 1, "ab", is_tuning=True)
    assert "tuning build" in (tuned.difference(Facts("1", 1, "ab")) or "")
    assert Facts("1", 1, "ab").difference(tuned) is None


def test_other_tablebases_are_refused(tmp_path):
    for name, size in (("one", 10), ("same", 10), ("other", 11), ("none", 0)):
        (tmp_path / name).mkdir()
        if size:
            (tmp_path / name / "KQvK.rtbw").write_bytes(bytes(size))
    needs, _ = needs_of([], [str(tmp_path / "one")])
    digest = needs.tables[0][1]
    here = facts()
    assert needs.problem(here) is None
    assert Needs(here, (), ((str(tmp_path / "same"), digest),)).problem(here) is None
    for name, words in (("other", "has other tablebases"), ("none", "has no tablebases"), ("nowhere", "cannot read")):
        said = Needs(here, (), ((str(tmp_path / name), digest),)).problem(here)
        assert said is not None and words in said


def test_processes_give_what_threads_give(tmp_path, monkeypatch):
    """Processes tell nothing of themselves but by their answers; a network reaches them with a task."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))         # where networks are kept: none has been sent here before
    net = other_net(tmp_path / "other.net")
    options = {"EvalFile": str(net), "Hash": 1}
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        there = list(barreleye.analyse_many(POSITIONS, {"nodes": 200}, executor=executor, options=options))
        again = duel(f"net={net}", games=6, nodes=50, executor=executor)
    assert there == list(barreleye.analyse_many(POSITIONS, {"nodes": 200}, 1, options=options))
    assert again.pairs == duel(f"net={net}", games=6, nodes=50, threads=1).pairs
    folder = next(tmp_path.glob("barreleye-networks-*"))
    assert [path.name for path in folder.iterdir()] == [f"{nets.inspect(net).digest}.net"]


def test_a_process_that_dies_is_one_sentence():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        batch = barreleye.analyse_many(POSITIONS * 50, {"nodes": 3000}, chunk=1, executor=executor)
        next(batch)
        for process in list((executor._processes or {}).values()):
            process.kill()
        with pytest.raises(ClusterError, match="give the same command again"):
            list(batch)


def test_a_damaged_network_is_sent_again(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    net = other_net(tmp_path / "other.net")
    digest = nets.inspect(net).digest
    parcels.store({digest: net.read_bytes()})
    assert parcels.lacking((digest,)) == ()
    parcels.path_of(digest).write_bytes(net.read_bytes()[:-1])
    assert parcels.lacking((digest,)) == (digest,)
    parcels.store({digest: net.read_bytes()})
    assert parcels.lacking((digest,)) == ()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_networks_are_not_kept_where_somebody_else_may_write(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"barreleye-networks-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"belongs to somebody else: remove it, or set TMPDIR to a folder of your own"):
        parcels.store({"0" * 64: b""})
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_network_is_sent_only_to_those_that_lack_it(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sent = []

    class Watched(ThreadPoolExecutor):
        def submit(self, piece, /, *words, **more):
            sent.append(len(piece.networks))
            return super().submit(piece, *words, **more)

    net = other_net(tmp_path / "other.net")
    with Watched(1) as executor:
        for _ in range(2):
            list(barreleye.analyse_many(POSITIONS * 20, {"nodes": 50}, chunk=1, executor=executor,
                                        options={"EvalFile": str(net), "Hash": 1}))
    assert 1 <= sum(sent) <= crew.AHEAD and len(sent) > 10


def test_what_is_no_executor_is_said():
    with pytest.raises(TypeError, match="is no executor"):
        barreleye.analyse_many(POSITIONS, {"nodes": 10}, executor="tcp://127.0.0.1:8786")  # type: ignore[arg-type]


def test_a_task_that_is_lost_again_and_again_is_given_up():
    class Losing(ThreadPoolExecutor):
        def submit(self, piece, /, *words, **more):
            future: Future[task.Answer] = Future()
            future.set_result(task.Answer("somewhere", "nobody"))
            return future

    with crew_of(Losing(1), Doubling("lost")) as workers, pytest.raises(ClusterError, match="was lost"):
        list(workers.in_order(range(3)))
