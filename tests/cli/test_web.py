"""`barreleye web`: it starts, says where it is, ends by Ctrl-C; what is missing or wrong is one sentence."""

import http.client
import importlib.util
import re
import signal
import socket
import subprocess
import sys

import pytest

from barreleye.cli import main, web

NEEDED = ("starlette", "uvicorn", "websockets")
without_packages = pytest.mark.skipif(any(importlib.util.find_spec(name) is None for name in NEEDED),
                                      reason="the page's server is not installed")


def test_missing_packages_are_named_with_the_command_that_works(monkeypatch, capsys):
    monkeypatch.setattr(web, "find_spec", lambda name: None if name == "uvicorn" else object())
    assert main(["web"]) == 2
    said = capsys.readouterr().err
    assert said == (f"barreleye web: the page needs uvicorn, not installed here: {sys.executable} -m pip install "
                    "starlette uvicorn websockets\n")


@pytest.mark.parametrize("port", ["x", "-1", "65536", "1.5"])
def test_bad_ports_are_refused(port, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["web", f"--port={port}"])
    assert ended.value.code == 2 and f"{port} is no port" in capsys.readouterr().err


@without_packages
def test_a_port_in_use_is_said_to_be(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["web", "--no-open", "--port", str(port)]) == 2
    assert re.search(rf"127.0.0.1 port {port} cannot be used: .*; choose another with --port", capsys.readouterr().err)


@without_packages
@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_a_host_that_is_not_ours_is_said_to_be(capsys, host):
    assert main(["web", "--no-open", "--host", host]) == 2
    assert re.search(rf" {host} cannot be used: .*; choose another with --host", capsys.readouterr().err)


@without_packages
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a child here")
def test_it_serves_until_ctrl_c():
    command = [sys.executable, "-m", "barreleye", "web", "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.fullmatch(r"Barreleye is at http://127\.0\.0\.1:(\d+)(/\?token=[\w-]{32})\n", first)
        assert found, first
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=10)
        connection.request("GET", found[2])
        assert connection.getresponse().status == 303
        connection.close()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and errors == ""
