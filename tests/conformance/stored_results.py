"""Results on disk, in one file for each folder of the suite, so that a second run continues the first."""
from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from .testlists import Test


class Results:
    """The stored results of one side. A file with another fingerprint, from another front or runtime, is ignored."""

    def __init__(self, root: Path, fingerprint: str):
        self.root, self.fingerprint = root, fingerprint
        self.lock = threading.RLock()
        self.folders: dict[str, dict[str, dict]] = {}

    def path(self, folder: str) -> Path:
        return self.root / (folder.replace("/", "-") + ".json")

    def folder(self, folder: str) -> dict[str, dict]:
        with self.lock:
            if folder not in self.folders:
                self.folders[folder] = self.read(folder)
            return self.folders[folder]

    def read(self, folder: str) -> dict[str, dict]:
        try:
            stored = json.loads(self.path(folder).read_text())
        except FileNotFoundError:
            return {}
        return stored["tests"] if stored["fingerprint"] == self.fingerprint else {}

    def get(self, test: Test) -> dict | None:
        return self.folder(test.folder).get(test.name)

    def put(self, test: Test, result: dict) -> None:
        with self.lock:
            self.folder(test.folder)[test.name] = result
            self.root.mkdir(parents=True, exist_ok=True)
            partial = self.path(test.folder).with_suffix(".new")
            partial.write_text(json.dumps({"fingerprint": self.fingerprint, "tests": self.folder(test.folder)}, indent=1))
            os.replace(partial, self.path(test.folder))

    def forget(self, tests: list[Test]) -> None:
        for test in tests:
            self.folder(test.folder).pop(test.name, None)
