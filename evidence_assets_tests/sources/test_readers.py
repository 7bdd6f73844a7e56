"""What holds of every reader of articles and graphs, and of the two registries that name them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.sources.articles import registry as articles
from evidence_assets.sources.graphs import registry as graphs
from evidence_assets.sources.records import UnusableSourceError

EVERY_READER = pytest.mark.parametrize(
    "reader",
    [*articles.READERS.values(), *graphs.READERS.values()],
    ids=[f"{kind}-{name}" for kind in (articles, graphs) for name in kind.READERS],
)


@EVERY_READER
def test_a_field_that_a_format_does_not_know_is_refused(reader: Any, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("", encoding="utf-8")
    with pytest.raises(UnusableSourceError, match="fields maps unheard_of, unknown to this format") as raised:
        next(reader(str(tmp_path / "there"), {"unheard_of": "1"}))
    assert raised.value.record == "before the first record"
    assert raised.value.remedy.startswith(("remove `fields`", "map only "))


@EVERY_READER
def test_a_file_that_is_absent_is_named(reader: Any, tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match="no such file") as raised:
        list(reader(str(tmp_path / "absent.txt"), {}))
    assert raised.value.file == str(tmp_path / "absent.txt")


def test_names_of_article_readers() -> None:
    assert list(articles.READERS) == [
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


def test_names_of_graph_readers() -> None:
    assert list(graphs.READERS) == [
        "conceptnet_assertions",
        "disease_database",
        "drug_indications",
        "drugbank_vocabulary",
        "hetionet",
        "lake_triples",
        "metaqa",
        "node_edge_tables",
        "obo",
        "paraphrased_facts",
        "primekg",
        "relation_head_tail",
        "stark_skb",
        "umls_rrf",
    ]
    assert all(graphs.READERS[name].__module__.endswith(f".{name}") for name in graphs.READERS)


@pytest.mark.parametrize("registry", [articles, graphs], ids=["articles", "graphs"])
def test_an_unknown_name_lists_the_known(registry: Any) -> None:
    assert all(registry.reader(name) is registry.READERS[name] for name in registry.READERS)
    with pytest.raises(ValueError, match=rf"reader 'owl': choose one of {next(iter(registry.READERS))}, "):
        registry.reader("owl")


@pytest.mark.parametrize("registry", [articles, graphs], ids=["articles", "graphs"])
def test_import_leaves_heavy_libraries_alone(registry: Any) -> None:
    heavy = ("mwxml", "mwparserfromhell", "ijson", "pyarrow", "huggingface_hub", "s3fs")
    program = f"import sys, {registry.__name__}\nprint([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
