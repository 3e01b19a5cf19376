"""Groups of games of self-play: what a thread or a cluster's worker does at a time.

A group begins with an empty table and empty histories, and its games share what they learn, because forgetting costs as
much as several searches. It depends on its seeds, its starts and the settings alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from barreleye import nets
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.core.selfplay import SelfPlay
from barreleye.train import dataset
from barreleye.work import parcels

if TYPE_CHECKING:
    from barreleye.train.generate import PlaySettings

PACKAGED = "packaged"           # the network that comes with Barreleye, which every worker has


@dataclass(frozen=True)
class Group:
    """Games of a shard that are played in a row: their seeds, and where those begin that do not begin as usual."""

    first_seed: int
    count: int
    starts: dict[int, str] = field(default_factory=dict)


@dataclass
class PlayedGroup:
    """What came of a group."""

    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    rejected: int = 0
    positions: bytearray = field(default_factory=bytearray)
    games: bytearray = field(default_factory=bytearray)
    nodes: int = 0


class PlayerTool:
    """Somebody who plays both sides."""

    def __init__(self, player: SelfPlay) -> None:
        self.player = player

    def stop(self) -> None:
        """A game is short: it is played to its end, and the group then left."""

    def close(self) -> None:
        """Nothing is held that is not freed with it."""


@dataclass(frozen=True)
class GroupWork:
    """Groups played by these settings. The network is one that is loaded here; elsewhere it is told by its digest."""

    settings: PlaySettings
    network: Any = None

    def tool(self) -> PlayerTool:
        network = self.network
        if network == PACKAGED:
            network = nets.load_default()
        elif isinstance(network, str):
            network = nets.load(parcels.path_of(network))
        return PlayerTool(self.settings.player(network))

    def do(self, tool: PlayerTool, item: Group, over: threading.Event) -> PlayedGroup | None:
        """A whole group, or none of it: what is interrupted leaves nothing behind."""
        player, played = tool.player, PlayedGroup()
        before = player.nodes
        player.new_game()
        for seed in range(item.first_seed, item.first_seed + item.count):
            if over.is_set():
                return None
            start = item.starts.get(seed, START_FEN)
            result, kept, moves = player.play(Position(start), seed)
            if result < 0:
                played.rejected += 1
                continue
            played.results[result] += 1
            played.positions += kept
            played.games += dataset.StoredGame(seed, result, start, False, moves).pack()
        played.nodes = player.nodes - before
        return played

    def identity(self) -> str:
        return ""
