import pytest

from barreleye.match.engines.spec import EngineSpec
from barreleye.match.engines.uci_options import UciOption
from barreleye.match.games.clock import TimeControl


def test_words_of_one_engine_override_those_of_all():
    spec = EngineSpec.parse(
        ["cmd=/opt/x --uci", "option.hash=64", "tc=st=0.5"], each=["option.Hash=16", "option.Threads=1", "depth=4"]
    )
    assert spec.command == ("/opt/x", "--uci")
    assert spec.name == "x"
    assert spec.options == {"hash": "64", "Threads": "1"}
    assert spec.control == TimeControl(movetime_ms=500)


def test_option_names_and_values_may_hold_spaces_and_equal_signs():
    spec = EngineSpec.parse(["cmd=x", "option.Skill Level=3", "option.Path=a=b"])
    assert spec.options == {"Skill Level": "3", "Path": "a=b"}


@pytest.mark.parametrize("words", [["cmd="], ["name=a"], ["cmd=x", "colour=red"], ["cmd=x", "tc=soon"], ["x"]])
def test_bad_words_are_errors(words):
    with pytest.raises(ValueError):
        EngineSpec.parse(words)


def test_a_relative_command_is_found_from_here_and_from_its_directory(tmp_path, monkeypatch):
    program = tmp_path / "there" / "engine"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert EngineSpec(("there/engine",)).resolved_command() == [str(program)]
    assert EngineSpec(("./engine",), directory=str(program.parent)).resolved_command() == [str(program)]
    program.chmod(0o644)
    with pytest.raises(ValueError, match="not executable"):
        EngineSpec(("there/engine",)).resolved_command()


@pytest.mark.parametrize(
    ("line", "value", "sent"),
    [
        ("option name A B type spin default 1 min 0 max 8", "8", "8"),
        ("option name A type check default true", "FALSE", "false"),
        ("option name A type combo default Very Wild var Very Wild var Calm", "very wild", "Very Wild"),
        ("option name A type string default <empty>", "/a b/c", "/a b/c"),
    ],
)
def test_values_that_fit_are_sent(line, value, sent):
    option = UciOption.parse(line)
    assert option is not None
    assert option.checked(value) == sent


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("option name A type spin default 1 min 0 max 8", "9"),
        ("option name A type spin default 1 min 0 max 8", "much"),
        ("option name A type check default true", "yes"),
        ("option name A type combo default a var a var b", "c"),
    ],
)
def test_values_that_do_not_fit_are_errors(line, value):
    option = UciOption.parse(line)
    assert option is not None
    with pytest.raises(ValueError, match="option A"):
        option.checked(value)
