"""A command that cannot go on: what it says, how it ends, and the question that it is tried on."""

from __future__ import annotations

import pytest

from evidence_assets.cli.main import main

QUESTION = {
    "id": "q1",
    "question": "What does a vole eat?",
    "options": ["Grass", "Stones"],
    "answer_index": 0,
}


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit status and what stands on standard error; nothing may stand on standard output."""
    status = main(arguments)
    shown = capsys.readouterr()
    assert shown.out == ""
    return status, shown.err
