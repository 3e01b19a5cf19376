"""What is not ours is what it says it is, and the page asks nobody else for anything."""

import base64
import hashlib
import json
import re


def test_the_vendored_files_are_unchanged(root_dir):
    folder = root_dir / "src" / "barreleye" / "web" / "static" / "vendor"
    about = json.loads((folder / "chessground.json").read_text(encoding="utf-8"))
    assert about["licence"] == "GPL-3.0-or-later" and re.fullmatch(r"\d+\.\d+\.\d+", about["version"])
    listed = {**about["files"], **about["source"]}
    for name, integrity in listed.items():
        digest = hashlib.sha256((folder / name).read_bytes()).digest()
        assert integrity == "sha256-" + base64.b64encode(digest).decode(), name
    ours = {"chessground.json", "chessground.min.d.ts"}
    there = {str(path.relative_to(folder)).replace("\\", "/") for path in folder.rglob("*") if path.is_file()}
    assert there == set(listed) | ours


def test_nothing_is_fetched_from_elsewhere(root_dir):
    static = root_dir / "src" / "barreleye" / "web" / "static"
    ours = [path for path in static.rglob("*")
            if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts]
    assert len(ours) > 15
    for path in ours:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|@import", text), path.name
