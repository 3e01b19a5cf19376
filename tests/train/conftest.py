"""A small data set that every test here may read."""

from pathlib import Path

import pytest

from barreleye.train.generate import PlaySettings, generate

SETTINGS = PlaySettings(nodes=60, seed=77, shard_games=6, group_games=2, opening_limit=2000)


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("data")
    generate(folder, SETTINGS, games=30, threads=2)
    return folder
