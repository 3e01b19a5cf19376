"""Output files: whole or not at all, with what was there kept, and what is no file left in place."""

import os
import stat
import subprocess
import sys
import tempfile
import threading

import pytest

from barreleye import output

WRITER = "import sys; from barreleye import output\n" \
         "with output.writing(sys.argv[1]) as file: file.write('x'); print('open', flush=True); sys.stdin.read()"


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    with output.writing(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new" and os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_goes_wrong_leaves_everything_as_it_was(tmp_path, error):
    path = tmp_path / "out.txt"
    path.write_text("old")
    with pytest.raises(error), output.writing(path) as file:
        file.write("half")
        raise error
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_permissions_and_links_are_kept(tmp_path):
    path, link = tmp_path / "real.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("real.txt")
    output.write_text(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "made.txt")
    output.write_bytes(dangling, b"made")
    assert dangling.is_symlink() and (tmp_path / "made.txt").read_bytes() == b"made"
    assert sorted(os.listdir(tmp_path)) == ["dangling", "link.txt", "made.txt", "real.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    output.write_text(path, "through")
    reader.join()
    assert read == ["through"] and stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="there are no devices")
def test_a_device_stays_one(tmp_path):
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    for path in ("/dev/null", link):
        assert not output.is_replaced(path)
        output.write_text(path, "gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode) and link.is_symlink()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no /dev/stdout")
def test_standard_output_is_written_on(tmp_path):
    path = tmp_path / "out.txt"
    program = "from barreleye import output; output.write_text('/dev/stdout', 'second')"
    with path.open("w") as file:
        file.write("first ")
        file.flush()
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert path.read_text() == "first second"


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no file system in memory")
def test_files_in_memory_are_files():
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = os.path.join(folder, "out.txt")
        assert output.is_replaced(path)
        for text in ("first, and long", "second"):
            output.write_text(path, text)
        with open(path) as file:
            assert file.read() == "second"


@pytest.mark.skipif(sys.platform == "win32", reason="files that are open cannot be renamed there")
def test_one_writer_at_a_time_and_a_killed_one_is_no_obstacle(tmp_path):
    path = tmp_path / "out.txt"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "open\n"
        with pytest.raises(BlockingIOError, match=r"out.txt is in use by another run"), output.writing(path):
            pass
        process.kill()
    assert os.listdir(tmp_path) == ["out.txt.partial"]
    output.write_text(path, "whole")
    assert path.read_text() == "whole" and os.listdir(tmp_path) == ["out.txt"]


def test_what_cannot_be_written_is_said_before_the_work(tmp_path):
    output.check(tmp_path / "new.txt")
    with pytest.raises(ValueError, match="there is no folder"):
        output.check(tmp_path / "nowhere" / "new.txt")
    with pytest.raises(ValueError, match="is a folder: name a file"):
        output.check(tmp_path)


def test_one_file_is_not_given_for_two(tmp_path):
    one, link = tmp_path / "one", tmp_path / "link"
    link.symlink_to(one)
    output.check_apart({"-o": one, "--html": tmp_path / "two", "--json": None})
    with pytest.raises(ValueError, match="both for -o and for --html"):
        output.check_apart({"-o": one, "--html": link})
    output.check_apart({"-o": "/dev/null", "--html": "/dev/null"})
