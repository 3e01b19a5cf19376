"""What an engine takes it gives back to the system when it is closed."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """if True:
    import gc
    import barreleye

    def resident_mb() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096 >> 20

    barreleye.Engine(Hash=16).search(depth=2)
    gc.collect()
    before = resident_mb()
    engines = [barreleye.Engine(Hash=16) for _ in range(12)]
    for engine in engines:
        engine.search(depth=2)
    held = resident_mb() - before
    for engine in engines:
        engine.quit()
    del engine, engines
    gc.collect()
    print(held, resident_mb() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells what a process holds")
@pytest.mark.skipif("libasan" in Path("/proc/self/maps").read_text() if Path("/proc/self/maps").exists() else False,
                    reason="a sanitizer keeps what is freed, to see who still uses it")
def test_closed_engines_hold_no_memory():
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    held, kept = map(int, result.stdout.split())
    assert held > 12 * 16
    assert kept < held // 10
