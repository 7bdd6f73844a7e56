"""ConceptNet's file of assertions."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.conceptnet_assertions import read
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource
from evidence_assets_tests.testing.records_read import only_of

METADATA = {
    "dataset": "/d/conceptnet/4/en",
    "license": "cc:by/4.0",
    "sources": [{"contributor": "/s/contributor/omcs/dev"}],
    "weight": 1.0,
}


def assertion(
    start: str = "/c/en/cat",
    end: str = "/c/en/animal",
    relation: str = "/r/IsA",
    metadata: object = METADATA,
    **changes: object,
) -> str:
    """One line of the file; `changes` replace members of the metadata."""
    if isinstance(metadata, dict):
        metadata = json.dumps({**metadata, **changes})
    return f"/a/[{relation}/,{start}/,{end}/]\t{relation}\t{start}\t{end}\t{metadata}"


def written(folder: Path, *lines: str | bytes, name: str = "assertions.csv") -> str:
    path = folder / name
    content = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(path)


def only_rejection(folder: Path, line: str | bytes) -> RejectedRecord:
    """The rejection of a line, which leaves the lines around it as they are."""
    first, rejected, last = read(written(folder, assertion(), line, assertion()), {})
    assert isinstance(first, Triple)
    assert isinstance(last, Triple)
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "line 2"
    assert rejected.remedy
    return rejected


@pytest.mark.parametrize("name", ["assertions.csv", "assertions.csv.gz"])
def test_edges_become_triples(tmp_path: Path, name: str) -> None:
    jazz = assertion(
        "/c/en/ice_cream/n/wn/food",
        "/c/en/crème_brûlée/n",
        "/r/dbpedia/genre",
        dataset="/d/dbpedia/en",
        license="cc:by-sa/4.0",
        weight=2,
        surfaceText="[[ice cream]] is like [[crème brûlée]]",
        sources=[
            {"activity": "/s/activity/omcs/vote", "contributor": "/s/contributor/omcs/dev"},
            {"activity": "/s/activity/omcs/vote", "process": "/s/process/split_words"},
            {"activity": "/s/activity/omcs/vote"},
        ],
    )
    assert list(read(written(tmp_path, assertion(), jazz + "\r", name=name), {})) == [
        Triple(
            head="cat",
            relation="IsA",
            tail="animal",
            weight=1.0,
            sources=(
                TripleSource("/s/contributor/omcs/dev", "line 1 of /d/conceptnet/4/en", licence="cc:by/4.0"),
            ),
        ),
        Triple(
            head="ice cream",
            relation="dbpedia/genre",
            tail="crème brûlée",
            weight=2.0,
            sources=tuple(
                TripleSource(source, "line 2 of /d/dbpedia/en", licence="cc:by-sa/4.0")
                for source in ("/s/contributor/omcs/dev", "/s/process/split_words", "/s/activity/omcs/vote")
            ),
        ),
    ]


@pytest.mark.parametrize("sources", [[], None, "absent"])
def test_without_sources_the_dataset_states_the_edge(tmp_path: Path, sources: object) -> None:
    metadata = {**METADATA, "sources": sources}
    if sources == "absent":
        del metadata["sources"]
    triple = only_of(Triple, read(written(tmp_path, assertion(metadata=metadata)), {}))
    assert triple.sources == (
        TripleSource("/d/conceptnet/4/en", "line 1 of /d/conceptnet/4/en", licence="cc:by/4.0"),
    )


@pytest.mark.parametrize(
    "line",
    [
        assertion("/c/fr/chat", "/c/fr/animal"),
        assertion("/c/fr/chat", "/c/en/cat"),
        assertion("/c/en/cat", "/c/fr/chat"),
        assertion("/c/enm/cat", "/c/en/cat"),
        assertion("/c/en/cat", "http://dbpedia.org/resource/Cat", "/r/ExternalURL"),
        assertion("/c/fr/chat", "/c/fr/animal", metadata='{"surfaceText": "/c/en/", '),
        assertion("/c/fr/chat", "/c/fr/animal").encode() + b"\xff",
        "",
        "\r",
    ],
)
def test_other_languages_and_blank_lines_are_passed_over(tmp_path: Path, line: str | bytes) -> None:
    triple = only_of(Triple, read(written(tmp_path, line, assertion()), {}))
    assert triple.sources[0].record == "line 2 of /d/conceptnet/4/en"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("words", "1 columns where 5 are expected"),
        (assertion().rpartition("\t")[0], "4 columns where 5 are expected"),
        (assertion() + "\tmore", "6 columns where 5 are expected"),
        (assertion("/c/fr/chat", "/c/fr/animal") + "\tmore", "6 columns where 5 are expected"),
        (assertion(metadata='{"dataset": '), "broken JSON in the metadata: Expecting value"),
        (assertion(metadata="[" * 100_000), "broken JSON"),
        (assertion(metadata="[]"), "the metadata is not an object but list"),
        (assertion("/c/en/"), "the label of the start is empty"),
        (assertion(end="/c/en/_/n"), "the label of the end is empty"),
        (assertion(relation="IsA"), "relation 'IsA' does not begin with /r/"),
        (assertion(relation="/r/"), "the relation is empty"),
        (assertion("/c/en/run/n", "/c/en/run/v"), "start and end are both 'run' once sense"),
        (assertion().encode() + b"\xff", "0xff, is not UTF-8"),
        (b"bad \xff", "byte 5 of the line, 0xff, is not UTF-8"),
        (assertion(dataset=None), "dataset is missing"),
        (assertion(dataset=7), "dataset is not text but int"),
        (assertion(license=""), "license is empty"),
        (assertion(license="\ud800"), "license holds bytes that are not valid UTF-8"),
        (assertion(sources="omcs"), "sources is not a list but str"),
        (assertion(sources=["omcs"]), "source 1 is not an object but str"),
        (assertion(sources=[{"process": "a"}, {}]), "source 2 has no contributor, process or activity"),
        (assertion(sources=[{"contributor": "\udfff"}]), "contributor of source 1 holds bytes"),
        (assertion(sources=[{"contributor": 7}]), "contributor of source 1 is not text but int"),
    ],
)
def test_bad_line_is_rejected_alone(tmp_path: Path, line: str | bytes, reason: str) -> None:
    assert reason in only_rejection(tmp_path, line).reason


@pytest.mark.parametrize(
    "weight", ["0", "-1.0", "NaN", "Infinity", "1e999", "1" + "0" * 400, "true", "null", '"1.0"', "[]"]
)
def test_weight_that_is_no_finite_number_above_zero_is_rejected(tmp_path: Path, weight: str) -> None:
    line = assertion().replace('"weight": 1.0', f'"weight": {weight}')
    assert "not a finite number above 0" in only_rejection(tmp_path, line).reason


def test_several_files_and_archives(tmp_path: Path) -> None:
    written(tmp_path, assertion(), name="a.csv")
    written(tmp_path, "words", assertion(), name="b.csv.gz")
    first, rejected, second = read(str(tmp_path / "*.csv*"), {})
    assert isinstance(first, Triple)
    assert first.sources[0].record == "a.csv:line 1 of /d/conceptnet/4/en"
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "b.csv.gz, line 1"
    assert isinstance(second, Triple)
    assert second.sources[0].record == "b.csv.gz:line 2 of /d/conceptnet/4/en"
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.write(tmp_path / "a.csv", "inner/a.csv")
    archived = only_of(Triple, read(f"zip://inner/a.csv::{tmp_path / 'c.zip'}", {}))
    assert archived.head == "cat"
