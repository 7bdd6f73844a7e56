"""The fenced blocks of a page of docs/, read and run as a reader of the page would type them.

A block with a title is a file to write. `bash` is typed, `sql` is asked of the current folder's lake, and
`python` is run. What cannot be run in a test stands under a comment `<!-- shown only: why -->`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
_BLOCK = re.compile(
    r"^(?P<only><!-- shown only: [^\n]+ -->\n)?"
    r'```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
_INCLUDED = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """`place`: page and line. `title`: the file that it is; empty where it is something to run."""

    place: str
    language: str
    title: str
    text: str
    is_run: bool


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page, in order, with what they include."""
    content = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(content):
        line = content[: match.start()].count("\n") + 1
        text = _INCLUDED.sub(lambda named: (PROJECT / named[1]).read_text(encoding="utf-8"), match["text"])
        yield Block(
            f"{page.name}:{line}", match["language"], match["title"] or "", text, match["only"] is None
        )


def pages(*folders: str) -> list[Path]:
    """Return the pages of folders of docs/, or all that people wrote."""
    if folders:
        return sorted(page for folder in folders for page in (DOCS / folder).glob("*.md"))
    return sorted(page for page in DOCS.rglob("*.md") if page.name not in ("results.md", "printed.md"))


class Reader:
    """Somebody who types what a page says, beginning in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs = folder / "programs"
        programs.mkdir(parents=True)
        command = programs / "evidence-assets"
        command.write_text(
            f'#!/bin/sh\nexec {sys.executable} -m evidence_assets.cli "$@"\n', encoding="utf-8"
        )
        command.chmod(0o755)
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("EVIDENCE_", "DAGSTER_"))
        }
        self.environment = {
            **inherited,
            "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
        }

    def follow(self, page: Path) -> str:
        """Do what a page says; return all that was printed. Fails with the block's place and its output."""
        return "".join(self._do(block) for block in blocks(page) if block.is_run)

    def _do(self, block: Block) -> str:
        if block.title:
            (self.folder / block.title).write_text(block.text, encoding="utf-8")
            return ""
        if block.language == "bash":
            return self._typed(block)
        if block.language == "sql":
            return self._asked(block)
        if block.language == "python":
            return self._run(block, [sys.executable, "-c", block.text])
        return ""

    def _typed(self, block: Block) -> str:
        shown = self._run(block, ["bash", "-euo", "pipefail", "-c", f"{block.text}\nprintf '\\n%s' \"$PWD\""])
        printed, _, folder = shown.rpartition("\n")
        self.folder = Path(folder)
        return printed

    def _asked(self, block: Block) -> str:
        import duckdb

        with duckdb.connect(str(self.folder / "data_lake" / "evidence.duckdb"), read_only=True) as connection:
            answers = [connection.sql(statement) for statement in duckdb.extract_statements(block.text)]
            assert all(len(answer) for answer in answers), f"{block.place}: a query finds nothing"
            return "".join(f"{answer}\n" for answer in answers)

    def _run(self, block: Block, command: list[str]) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{block.place}: status {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout
