"""Tests that a result is written as JSON that reads back the same, a row a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import result_files

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_RESULTS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.text(),
    st.recursive(_SCALARS, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=20),
)


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(result_files, "RESULTS", tmp_path)
    return tmp_path


@given(result=_RESULTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
def test_a_result_reads_back_as_it_was(results: Path, result: dict[str, Any]) -> None:
    result_files.save("made", result)
    assert json.loads((results / "made.json").read_text(encoding="utf-8")) == result


def test_a_row_is_a_line(results: Path) -> None:
    rows = [{"arm": "full", "value": 0.5}, {"arm": "paper", "value": 0.25}]
    result_files.save("made", {"questions": 2, "scores": rows, "by_depth": {50: [1, 2]}})
    assert (results / "made.json").read_text(encoding="utf-8").splitlines() == [
        "{",
        '  "questions": 2,',
        '  "scores": [',
        '    {"arm": "full", "value": 0.5},',
        '    {"arm": "paper", "value": 0.25}',
        "  ],",
        '  "by_depth": {',
        '    "50": [1, 2]',
        "  }",
        "}",
    ]
