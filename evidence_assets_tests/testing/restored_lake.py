"""A lake made once, and given anew to each test that damages it."""

from __future__ import annotations

import shutil
from pathlib import Path

from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake


class Restored:
    """Puts a lake back in its place as it was, whatever a test did to it.

    Its catalogue names its folder, and takes longer to make than most tests: so the copy is given, with the
    catalogue, where the lake was made.
    """

    def __init__(self, lake: Lake) -> None:
        catalogue.build(lake)
        self._folder = Path(lake.path)
        self._kept = self._folder.with_name(f"{self._folder.name}-kept")
        shutil.copytree(self._folder, self._kept)

    def __call__(self) -> Lake:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._kept, self._folder)
        return Lake(str(self._folder))
