"""What is taken along is read by libraries that know nothing of us, and holds what the lake holds."""

from __future__ import annotations

import json
from functools import reduce
from importlib.resources import files
from operator import getitem
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import prov.model
import pyarrow.parquet as pq
import pytest
import rdflib
from jsonschema import Draft7Validator
from openlineage.client.event_v2 import RunState
from rocrate.rocrate import ROCrate

import evidence_assets.api
from evidence_assets.audit.exports.crate import LINEAGE, PREVIEW, PROVENANCE, TRACED, write_crate
from evidence_assets.audit.exports.experiment import Exported, read_experiment
from evidence_assets.audit.exports.lineage_events import lineage_events
from evidence_assets.audit.exports.provenance import provenance
from evidence_assets.audit.pages.index_page import index_pages
from evidence_assets.audit.pages.rendering import folder_of
from evidence_assets.cli.main import main
from evidence_assets.lake.filesystem import replace_folder
from evidence_assets.lake.lake import Lake, PartitionVersion, WrittenPartition
from evidence_assets.lake.schemas import ARTICLES, CHUNKS, EVIDENCE_PAGES, PREDICTIONS, TABLES
from evidence_assets.stages.inputs import SOURCE_FILES
from evidence_assets_tests.testing.openlineage_types import mismatches
from evidence_assets_tests.testing.page_samples import (
    ARM,
    PLACE,
    SCRIPT,
    Page,
    build_page_lake,
    outside,
    pages_of,
    read_pages,
    rewritten,
)
from evidence_assets_tests.testing.restored_lake import Restored
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import BENCHMARK, SHARD, SYSTEM

FILE = PartitionVersion(SOURCE_FILES, "articles/heart.md", "sha256:1")
# The published vocabulary of what answers rest on.
_PROV = "http://www.w3.org/ns/prov#"


@pytest.fixture(scope="module")
def restored(tmp_path_factory: pytest.TempPathFactory) -> Restored:
    """Answers from every kind of source, with pages, and the record of what they were made from."""
    lake = build_page_lake(str(tmp_path_factory.mktemp("exports") / "lake"))
    articles, chunks = lake.version(ARTICLES, SHARD), lake.version(CHUNKS, SHARD)
    for version, made_from in (
        (articles, [FILE]),
        (chunks, [articles]),
        (lake.version(PREDICTIONS, PLACE), [chunks]),
    ):
        lake.record(WrittenPartition(version, "", 4, 2_000, True), made_from, "a run", "code 1", 2.0)
    folder = folder_of(SYSTEM, ARM, BENCHMARK)
    shown = read_pages(lake)
    pages = [*index_pages(shown)]
    for answer in shown.answers:
        pages += pages_of(shown, answer.prediction["question_id"]).items()
    rows = [
        {
            **PLACE,
            "page": file.name,
            "path": f"{folder}/{file.name}",
            "bytes": file.size,
            "file_hash": file.content_hash,
            "prediction_id": None,
        }
        for file in replace_folder(lake.filesystem, f"{lake.path}/{folder}", pages)
    ]
    lake.write(EVIDENCE_PAGES, PLACE, table_of(EVIDENCE_PAGES, *rows))
    return Restored(lake)


@pytest.fixture
def lake(restored: Restored) -> Lake:
    return restored()


@pytest.fixture
def exported(lake: Lake) -> Exported:
    return read_experiment(lake, SYSTEM, ARM, BENCHMARK)


def test_provenance_fits_its_published_schema(exported: Exported) -> None:
    written = json.loads(provenance(exported))
    # Its schema knows a context by its address alone; ours is the same, written out.
    contexts = written["@context"]
    prefixes = [context for context in contexts if all(isinstance(value, str) for value in context.values())]
    written["@context"] = [*prefixes, "https://openprovenance.org/prov-jsonld/context.jsonld"]
    schema = files("prov").joinpath("tests", "schemas", "prov-jsonld.schema.json")
    Draft7Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(written)


def test_provenance_is_read_as_prov_o(exported: Exported) -> None:
    graph = rdflib.Graph().parse(data=provenance(exported), format="json-ld")
    term = rdflib.Namespace(_PROV)
    answers = {row["prediction_id"] for rows in exported.traced.values() for row in rows}
    derived = {
        str(graph.value(subject, term.entity)).rpartition(":")[2]
        for subject in graph.subjects(rdflib.RDF.type, term.Derivation)
    }
    evidence = {row["evidence_id"] for rows in exported.traced.values() for row in rows}
    assert evidence <= derived
    texts = {str(value) for value in graph.objects(None, term.value)}
    assert {row["evidence_text"] for rows in exported.traced.values() for row in rows} <= texts
    assert len(answers) == 3


def test_every_answer_leads_to_its_files(exported: Exported) -> None:
    document = prov.model.ProvDocument.deserialize(content=provenance(exported), format="jsonld")
    above: dict[str, set[str]] = {}
    for record in document.get_records(prov.model.ProvDerivation):
        generated, used = (str(value) for _, value in record.formal_attributes[:2])
        above.setdefault(generated, set()).add(used)
    for answer, rows in exported.traced.items():
        reached, waiting = set(), {f"answer:{answer}"}
        while waiting:
            reached |= waiting
            waiting = {upstream for name in waiting for upstream in above.get(name, ())} - reached
        assert any(name.startswith("file:") for name in reached) == any(row["source_uri"] for row in rows)


def test_a_file_with_a_semicolon_in_its_name_is_one_file(lake: Lake) -> None:
    rewritten(lake, TABLES, {"source": BENCHMARK}, source_uri="beats; 2011.csv")
    written = provenance(read_experiment(lake, SYSTEM, ARM, BENCHMARK))
    labels = set(rdflib.Graph().parse(data=written, format="json-ld").objects(None, rdflib.RDFS.label))
    assert rdflib.Literal("beats; 2011.csv") in labels
    assert rdflib.Literal("2011.csv") not in labels


def test_the_same_rows_are_the_same_text(exported: Exported, lake: Lake) -> None:
    assert provenance(exported) == provenance(read_experiment(lake, SYSTEM, ARM, BENCHMARK))


def test_events_are_what_the_specification_asks_for(exported: Exported) -> None:
    events = list(lineage_events(exported))
    assert [problem for event in events for problem in mismatches(event)] == []
    assert [(entry["eventType"], entry["job"]["name"]) for entry in events] == [
        (state.value, name)
        for name in ("articles", "chunks", "predictions")
        for state in (RunState.START, RunState.COMPLETE)
    ]
    for start, end in zip(events[::2], events[1::2], strict=True):
        assert start["run"] == end["run"]
        assert start["eventTime"] < end["eventTime"]
    first = events[1]
    assert [(entry["namespace"], entry["name"]) for entry in first["inputs"]] == [("file", FILE.partition)]
    [written] = first["outputs"]
    assert written["outputFacets"]["outputStatistics"]["rowCount"] == 4
    assert written["facets"]["version"]["datasetVersion"] == exported_version(exported, "articles")


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (["eventTime"], "yesterday", "event.eventTime"),
        (["eventType"], "DONE", "event.eventType: 'DONE' is no EventType"),
        (["producer"], None, "event.producer is missing"),
        (["run", "runId"], "a run", "event.run.runId"),
        (["job", "name"], None, "event.job.name is missing"),
        (["inputs", 0, "name"], 3, "event.inputs[0].name: 3 is no <class 'str'>"),
        (["inputs", 0, "key"], "x", "event.inputs[0].key is not of InputDataset"),
        (["outputs", 0, "facets", "version", "datasetVersion"], None, "datasetVersion is missing"),
        (["outputs", 0, "facets", "schema", "fields", 0, "name"], None, "schema.fields[0].name is missing"),
        (["outputs", 0, "facets", "schema", "_schemaURL"], "x", "schema names no schema of a DatasetFacet"),
        (["outputs", 0, "outputFacets", "outputStatistics", "rowCount"], 1.5, "rowCount: 1.5 is no"),
    ],
)
def test_an_event_that_the_specification_refuses_is_told_apart(
    exported: Exported, path: list[str | int], value: object, problem: str
) -> None:
    event: Any = list(lineage_events(exported))[1]
    *above, last = path
    changed = reduce(getitem, above, event)
    if value is None:
        del changed[last]
    else:
        changed[last] = value
    assert any(problem in mismatch for mismatch in mismatches(event)), mismatches(event)


def exported_version(exported: Exported, table: str) -> str:
    [version] = [made.version for made in exported.lineage if made.version.table == table]
    return version.content_hash


def test_a_crate_is_whole_without_the_lake(exported: Exported, lake: Lake, tmp_path: Path) -> None:
    folder = tmp_path / "crate"
    write_crate(lake, exported, folder)
    crate = ROCrate(folder)
    assert crate.name == f"Evidence of {SYSTEM}/{ARM} on {BENCHMARK}"
    held = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    described = {unquote(entity.id) for entity in crate.data_entities}
    folders = tuple(name for name in described if name.endswith("/"))
    left = {name for name in held - described if not name.startswith(folders)}
    # These two are what a crate is known by.
    assert left == {"ro-crate-metadata.json", PREVIEW}
    assert all((folder / name).exists() for name in described)
    traced = pq.read_table(folder / TRACED).to_pylist()
    assert traced == [row for rows in exported.traced.values() for row in rows]
    rows = pq.read_table(folder / "rows" / "predictions.parquet")
    assert rows.num_rows == 4


def test_pages_of_a_crate_lead_nowhere_else(exported: Exported, lake: Lake, tmp_path: Path) -> None:
    folder = tmp_path / "crate"
    write_crate(lake, exported, folder)
    for path in folder.rglob("*.html"):
        page = Page.of(path.read_bytes())
        assert not list(outside(page))
        for link in page.links():
            target = (path.parent / unquote(link.partition("#")[0])).resolve()
            assert target.is_relative_to(folder.resolve())
            assert target.exists(), f"{path.name} leads to {link}"
    assert SCRIPT not in (folder / PREVIEW).read_text(encoding="utf-8")


def test_the_command_and_python_give_the_same(
    exported: Exported,
    lake: Lake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", lake.path)
    folder = tmp_path / "crate"
    assert main(["export", BENCHMARK, f"{SYSTEM}/{ARM}", str(folder)]) == 0
    assert capsys.readouterr().out == f"open {(folder / PREVIEW).as_uri()}\n"
    opened = evidence_assets.api.open(lake.path)
    written = (folder / PROVENANCE).read_text(encoding="utf-8")
    assert opened.provenance(BENCHMARK, SYSTEM, ARM) == written == provenance(exported)
    events = [json.loads(line) for line in (folder / LINEAGE).read_text(encoding="utf-8").splitlines()]
    assert opened.lineage_events(BENCHMARK, SYSTEM, ARM) == events
    assert main(["export", BENCHMARK, f"{SYSTEM}/{ARM}", str(folder)]) == 1
    assert "crate holds something; remedy:" in capsys.readouterr().err


def test_what_cannot_be_exported_says_why(exported: Exported, lake: Lake, tmp_path: Path) -> None:
    with pytest.raises(LookupError, match=r"nothing was answered by x/y on z; remedy: .* demo z --arms x/y"):
        read_experiment(lake, "x", "y", "z")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(LookupError, match=r"full holds something; remedy: name a folder that is not there"):
        write_crate(lake, exported, tmp_path / "full")
    lake.delete(EVIDENCE_PAGES, PLACE)
    with pytest.raises(LookupError, match=r"has no pages yet; remedy: evidence-assets pages --benchmark"):
        write_crate(lake, exported, tmp_path / "crate")
