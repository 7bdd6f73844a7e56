"""Graph readers by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evidence_assets.sources.graphs.registry import READERS, reader


def test_names() -> None:
    assert list(READERS) == ["conceptnet_assertions", "relation_head_tail"]
    assert all(reader(name) is READERS[name] for name in READERS)


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(ValueError, match="no graph reader 'obo': choose one of conceptnet_assertions, "):
        reader("obo")


def test_import_leaves_heavy_libraries_alone() -> None:
    program = (
        "import sys, evidence_assets.sources.graphs.registry\n"
        "print([n for n in ('ijson', 'pyarrow', 'huggingface_hub', 's3fs') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
