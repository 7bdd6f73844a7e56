"""Readers by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evidence_assets.sources.articles.registry import READERS, reader


def test_names() -> None:
    assert list(READERS) == [
        "mediawiki_xml",
        "wikipedia_parquet",
        "json",
        "jsonl",
        "squad",
        "text_folder",
        "lines",
        "paraphrased_facts",
        "worldtree_tables",
    ]
    assert all(reader(name) is READERS[name] for name in READERS)


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(ValueError, match="no article reader 'xml': choose one of mediawiki_xml, "):
        reader("xml")


def test_import_leaves_heavy_libraries_alone() -> None:
    program = (
        "import sys, evidence_assets.sources.articles.registry\n"
        "print([n for n in ('mwxml', 'mwparserfromhell', 'pyarrow', 'huggingface_hub', 's3fs') "
        "if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
