"""The table of options."""

import re
from pathlib import Path

import chess
import pytest

import barreleye
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine, options


def test_every_option_takes_its_own_default():
    engine = Engine(Hash=1)
    for option in options.OPTIONS:
        if option.kind != "button" and option.name not in ("Hash", "Debug Log File"):
            engine.set_option(option.name, str(option.default).lower() if option.kind == "check" else option.default)
            assert engine.values[option.name] == option.default


@pytest.mark.parametrize(("name", "text", "value"), [
    ("threads", "2", 2), ("CLEAR  hash", "", None), ("ponder", "TRUE", True), ("UCI_showwdl", "false", False),
    ("Hash", " 8 ", 8), ("Debug Log File", "<empty>", ""), ("debug log file", "a b.txt", "a b.txt"),
])
def test_names_have_no_case_and_values_are_parsed(name: str, text: str, value: object):
    assert options.find(name).parse(text) == value


@pytest.mark.parametrize(("name", "text"), [
    ("Hash", "0"), ("Hash", "33554433"), ("Hash", "1.5"), ("Hash", ""), ("Threads", "1025"), ("MultiPV", "0"),
    ("Ponder", "yes"), ("Ponder", ""), ("Use Null Move", "1"), ("Move Overhead", "-1"), ("Move Overhead", "5001"),
])
def test_values_out_of_range_say_what_would_be_right(name: str, text: str):
    with pytest.raises(ValueError, match=f"{name} is .*, expected"):
        options.find(name).parse(text)


def test_more_lines_than_there_are_moves_are_all_of_them():
    """GUIs offer what other engines take, which is up to 500."""
    engine = Engine(Hash=1)
    engine.set_option("MultiPV", 500)
    assert engine.values["MultiPV"] == options.find("MultiPV").maximum
    assert len(engine.analyse(chess.STARTING_FEN, {"nodes": 100}, multipv=1000)) == 20


def test_unknown_option():
    with pytest.raises(ValueError, match="no such option: Contempt"):
        options.find("Contempt")
    with pytest.raises(ValueError, match="no such option: Threds; did you mean Threads"):
        options.find("Threds")


def test_every_option_does_something():
    """An option without an effect of its own is read where a search begins."""
    package = Path(barreleye.__file__).parent
    source = "".join(path.read_text() for folder in ("engine", "uci", ".") for path in (package / folder).glob("*.py"))
    idle = [option.name for option in options.OPTIONS if option.effect is None
            and not re.search(rf"""(values\[|lasting\()["']{option.name}["']""", source)]
    assert idle == []


def test_every_technique_has_its_switch():
    names = {option.name for option in options.OPTIONS}
    assert {f"Use {technique.name}" for technique in TECHNIQUES} <= names
    engine = Engine(Hash=1)
    engine.set_option("use null move", "false")
    engine.set_option("Use Killers", True)
    techniques = engine.stats()["techniques"]
    assert not techniques["Null Move"]["enabled"] and techniques["Killers"]["enabled"]


def test_options_as_arguments_of_the_engine():
    engine = Engine(Hash=2, Threads=2, Move_Overhead=30, UCI_ShowWDL=True)
    assert engine.pool.tt.size_mb == 2 and len(engine.pool.workers) == 2
    assert engine.values["Move Overhead"] == 30 and engine.values["UCI_ShowWDL"] is True
    with pytest.raises(ValueError):
        Engine(Contempt=1)


def test_a_table_too_large_is_refused_and_the_old_one_kept():
    engine = Engine(Hash=2)
    with pytest.raises(MemoryError, match="choose a smaller Hash"):
        engine.set_option("Hash", 33_554_432)
    assert engine.values["Hash"] == 2 and engine.pool.tt.size_mb == 2
    assert engine.search(depth=3).best_move
