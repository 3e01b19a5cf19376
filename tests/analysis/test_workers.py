"""Threads that search: tasks of their own, and a prompt end."""

import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from tests.waiting import eventually

from barreleye.analysis.workers import Workers
from barreleye.core.position import Position

ENDLESS = {"nodes": 1 << 40}


def test_a_task_finds_nothing_of_the_tasks_before_it():
    def score(pool, _):
        *_, info = pool.search(Position(), {"nodes": 3000})
        return info.score, info.pv, pool.nodes

    with Workers(1, {"Hash": 1}) as workers:
        assert len({str(workers.submit(score).result()) for _ in range(3)}) == 1


def test_a_task_taken_up_at_the_last_moment_does_not_hold_up_the_end():
    class Late(Workers):
        def _do(self, task):
            eventually(lambda: self._over.is_set() and not self._searchers)
            return super()._do(task)

    workers = Late(1, {"Hash": 1})
    never_done = workers.submit(lambda pool, over: True)
    eventually(never_done.running)
    closing = threading.Thread(target=workers.close, daemon=True)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()
    assert isinstance(never_done.exception(), CancelledError)


def test_leaving_ends_what_is_running_and_drops_what_is_not():
    begun = threading.Semaphore(0)

    def search_on(pool, over):
        searches = 0
        while not over.is_set():
            begun.release()
            pool.search(Position(), ENDLESS)
            searches += 1
        return searches

    with Workers(2, {"Hash": 1}) as workers:
        tasks = [workers.submit(search_on) for _ in range(6)]
        begun.acquire()
        begun.acquire()
    assert all(task.done() for task in tasks) and sum(task.cancelled() for task in tasks) == 4
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("barreleye analysis")]
    workers.close()                     # once more does no harm


def test_what_cannot_be_shows_when_there_is_work():
    with Workers(1, {"Hash": 0}) as workers, pytest.raises(ValueError, match="Hash"):
        workers.submit(lambda pool, over: None)


def test_a_task_that_fails_leaves_its_thread_to_the_next():
    with Workers(1, {"Hash": 1}) as workers:
        with pytest.raises(ZeroDivisionError):
            workers.submit(lambda pool, over: 1 // 0).result()
        assert workers.submit(lambda pool, over: 2).result() == 2


def test_broken_tablebases_are_named(tmp_path: Path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"no table")

    def search(pool, _):
        pool.search(Position("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), {"nodes": 100})

    with Workers(1, {"Hash": 1, "SyzygyPath": str(tmp_path)}) as workers, pytest.warns(RuntimeWarning, match="KQvK"):
        workers.submit(search).result()


@pytest.mark.parametrize("work", ["list(barreleye.analyse_many([barreleye.Position()] * 9, {'nodes': 10 ** 12}, 2))",
                                  "barreleye.perft(depth=12, threads=2)", "barreleye.Engine(Hash=1).search(depth=200)"])
def test_work_in_a_daemon_thread_does_not_hold_up_the_exit(work: str):
    program = (f"import threading, time, barreleye\nthreading.Thread(target=lambda: {work}, daemon=True).start()\n"
               "time.sleep(0.5)\nprint('over')")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (0, "over\n"), said.stderr
