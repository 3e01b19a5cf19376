"""One side of a duel in words: the engine as it is, or with another network, switches, options or parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from barreleye import levels, nets
from barreleye.core.contender import Contender
from barreleye.core.techniques import TECHNIQUES, index_of
from barreleye.levels import Level

AS_IT_IS = "default"
NO_NET = "none"
HASH_MB = 16
HARD_FACTOR = 2             # a search that has begun another iteration may spend so many times its nodes
MOST_SCALE = 10_000
WORDS = ("name=, net=, scale=, on=, off=, Hash=, nodes=, hard=, level= and the parameters of the search, "
         "as in RAZOR_BASE=250")
_NEXT_WORD = re.compile(r"\s+(?=[A-Za-z_]\w*=)")
_PARAMETER = re.compile(r"[A-Z][A-Z0-9_]+")


@dataclass(frozen=True)
class Entrant:
    """An engine that differs from the one at hand in what is said here. `nodes` overrides those of the duel."""

    name: str = ""
    net: str = ""                                   # a file; "" is the network of the package, "none" goes without
    scale: int | None = None                        # centipawns at a logit of one, instead of what the file says
    switches: Mapping[str, bool] = field(default_factory=dict)      # by the technique's name
    hash_mb: int = HASH_MB
    nodes: int | None = None
    hard_nodes: int | None = None
    level: Level | None = None                      # plays by that, whatever the nodes of the duel
    params: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = {TECHNIQUES[index_of(name)].name: bool(on) for name, on in self.switches.items()}
        object.__setattr__(self, "switches", names)
        for word, value in (("nodes", self.nodes), ("hard", self.hard_nodes), ("Hash", self.hash_mb)):
            if value is not None and value < 1:
                raise ValueError(f"{word}={value}: expected at least 1")
        if self.level is not None and (self.nodes or self.hard_nodes):
            raise ValueError(f"level={self.level.name} has nodes of its own: leave out nodes= and hard=")
        if self.scale is not None and not 1 <= self.scale <= MOST_SCALE:
            raise ValueError(f"scale={self.scale}: expected a number from 1 to {MOST_SCALE}")

    @classmethod
    def parse(cls, text: str) -> Entrant:
        """Read `name=new net=new.net off=Null Move, ProbCut Hash=8`; "" or `default` is the engine as it is.

        >>> Entrant.parse("off=null move nodes=800").switches
        {'Null Move': False}
        """
        values: dict[str, Any] = {"switches": {}, "params": {}}
        text = text.strip()
        for word in _NEXT_WORD.split(text):
            if word in ("", AS_IT_IS):
                continue
            key, equals, value = (part.strip() for part in word.partition("="))
            value = value.strip("'\"")
            if not equals or not value:
                raise ValueError(f"{word!r} is not a setting of an engine; there are {AS_IT_IS}, {WORDS}")
            if key in ("on", "off"):
                values["switches"] |= {name.strip(): key == "on" for name in value.split(",")}
            elif key in ("name", "net"):
                values[key] = value
            elif key == "level":
                values[key] = levels.of_name(value)
            elif key.lower() == "hash" or key in ("scale", "nodes", "hard"):
                values[{"hard": "hard_nodes", "hash": "hash_mb"}.get(key.lower(), key)] = _number(key, value)
            elif _PARAMETER.fullmatch(key):
                values["params"][key] = _number(key, value)
            else:
                raise ValueError(f"{key}= is not a setting of an engine; there are {WORDS}")
        return cls(**{"name": text or AS_IT_IS} | values)

    @property
    def title(self) -> str:
        """What the results call it."""
        return self.name or AS_IT_IS

    def limits(self, nodes: int) -> tuple[int, int]:
        """Soft and hard nodes of its searches in a duel at so many nodes; 0 is no limit."""
        if self.level is not None:
            return self.level.limits
        soft = self.nodes or nodes
        return soft, self.hard_nodes or HARD_FACTOR * soft

    def contender(self, nodes: int) -> Contender:
        """Somebody to play its games; ValueError or OSError says what is wrong with its network or parameters."""
        player = Contender(self.hash_mb)
        player.soft_nodes, player.hard_nodes = self.limits(nodes)
        path = self._net_path()
        if path is not None:
            player.use_network(nets.load(path, self.scale))
        for name, on in self.switches.items():
            player.switch(index_of(name), on)
        if self.level is not None:
            player.use_level(self.level.lines, self.level.spread)
        player.set_params(dict(self.params))
        return player

    def described(self, nodes: int) -> dict[str, Any]:
        """All that its play depends on, with what is in the files and not how they are called."""
        path = self._net_path()
        soft, hard = self.limits(nodes)
        level = {"lines": self.level.lines, "spread": self.level.spread} if self.level is not None else None
        changed = {name: on for name, on in sorted(self.switches.items()) if TECHNIQUES[index_of(name)].default != on}
        return {"net": nets.inspect(path).digest[:16] if path else NO_NET, "scale": self.scale,
                "switches": changed, "hash": self.hash_mb, "nodes": soft, "hard": hard,
                "level": level, "params": dict(sorted(self.params.items()))}

    def _net_path(self) -> Path | None:
        if self.net == NO_NET:
            return None
        return Path(self.net) if self.net else nets.DEFAULT if nets.DEFAULT.exists() else None


def _number(key: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{key}={value}: expected a whole number") from None
