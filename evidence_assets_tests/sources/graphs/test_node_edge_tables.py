"""Tables of nodes and edges in every format, and nodes that share a name."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.graphs.concepts.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.sources.graphs.node_edge_tables import read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)
from evidence_assets.text.verbalisation import NAMES, templates

Records = list[Triple | ConceptRecord | RejectedRecord]
NODES = [
    {
        "id": "1",
        "name": "Eden",
        "type": "film",
        "aliases": "Garden|Eden| |Paradise",
        "description": "A film.",
    },
    {"id": "ex:2", "name": "Ann, A.", "type": "", "aliases": "", "description": ""},
]
EDGES = [{"head": "1", "relation": "directed_by", "tail": "ex:2", "weight": "0.5"}]


def text_of(rows: list[dict[str, str]], delimiter: str) -> str:
    quote = '"' if delimiter == "," else ""
    lines = [delimiter.join(rows[0])]
    lines += [delimiter.join(f"{quote}{value}{quote}" for value in row.values()) for row in rows]
    return "\r\n".join(lines)


def write(folder: Path, name: str, rows: list[dict[str, str]], suffix: str) -> None:
    path = folder / f"{name}{suffix}"
    match suffix:
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
        case ".jsonl":
            path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        case ".tsv.gz":
            path.write_bytes(gzip.compress(text_of(rows, "\t").encode()))
        case _:
            path.write_text(text_of(rows, "," if suffix == ".csv" else "\t"), encoding="utf-8")


def folder_of(path: Path, **content: str) -> str:
    folder = path / "films"
    folder.mkdir(exist_ok=True)
    for name, text in content.items():
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    return str(folder)


def parts(uri: str, fields: Mapping[str, str] | None = None) -> Records:
    return list(read(uri, fields or {}))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".tsv.gz", ".jsonl", ".parquet"])
def test_every_format_is_read_alike(tmp_path: Path, suffix: str) -> None:
    folder = Path(folder_of(tmp_path))
    write(folder, "nodes", NODES, suffix)
    write(folder, "edges", EDGES, suffix)
    first, second = {".jsonl": ("line 1", "line 2"), ".parquet": ("row 1", "row 2")}.get(
        suffix, ("line 2", "line 3")
    )
    assert parts(str(folder)) == [
        ConceptRecord(
            "FILMS:1",
            "Eden",
            ("Garden", "Paradise"),
            definition="A film.",
            kind="film",
            record=f"nodes{suffix}:{first}",
        ),
        ConceptRecord("EX:2", "Ann, A.", record=f"nodes{suffix}:{second}"),
        Triple(
            "FILMS:1",
            "directed_by",
            "EX:2",
            0.5,
            (TripleSource("", f"edges{suffix}:{first}", ""),),
            by_key=True,
        ),
    ]


def test_own_names_of_columns_and_a_prefix(tmp_path: Path) -> None:
    uri = folder_of(tmp_path, nodes="number\ttitle\n7\tEden\n8\tAnn\n", edges="from\twhat\tto\n7\tby\t8\n")
    fields = {
        "id": "number",
        "name": "title",
        "head": "from",
        "relation": "what",
        "tail": "to",
        "prefix": "X",
    }
    *concepts, triple = parts(uri, fields)
    assert [concept.key for concept in concepts if isinstance(concept, ConceptRecord)] == ["X:7", "X:8"]
    assert isinstance(triple, Triple)
    assert (triple.head, triple.relation, triple.tail, triple.weight) == ("X:7", "by", "X:8", None)


def test_lists_and_numbers_of_json(tmp_path: Path) -> None:
    folder = Path(folder_of(tmp_path))
    nodes = [{"id": 1, "name": "Eden", "aliases": ["Garden", "Eden"]}, {"id": 2.5, "name": "x"}, 3]
    (folder / "nodes.jsonl").write_text("\n".join(map(json.dumps, nodes)), encoding="utf-8")
    (folder / "edges.jsonl").write_text(
        json.dumps({"head": 1, "relation": "r", "tail": 1, "weight": 2}), encoding="utf-8"
    )
    records = parts(str(folder))
    assert [type(record) for record in records] == [ConceptRecord, RejectedRecord, RejectedRecord, Triple]
    assert (records[0].key, records[0].synonyms) == ("FILMS:1", ("Garden",))  # type: ignore[union-attr]
    assert records[3].weight == 2.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("nodes", "edges", "place", "reason"),
    [
        ("\tBo\t", "", "nodes.tsv, line 3", "id is empty"),
        ("2\t\t", "", "nodes.tsv, line 3", "name is empty"),
        ("1\tBo\t", "", "nodes.tsv, line 3", "the id '1' was used before, at line 2"),
        ("2\tBo", "", "nodes.tsv, line 3", "2 columns where 3 are expected"),
        ("", "1\t\t1\t1", "edges.tsv, line 2", "relation is empty"),
        ("", "1\tr\t\t1", "edges.tsv, line 2", "tail is empty"),
        ("", "1\tr\t1\tx", "edges.tsv, line 2", "weight is 'x', not a finite number"),
        ("", "1\tr\t1\tnan", "edges.tsv, line 2", "weight is 'nan', not a finite number"),
    ],
)
def test_a_bad_row_is_rejected_alone(tmp_path: Path, nodes: str, edges: str, place: str, reason: str) -> None:
    uri = folder_of(
        tmp_path,
        nodes=f"id\tname\ttype\n1\tEden\tfilm\n{nodes}\n",
        edges=f"head\trelation\ttail\tweight\n{edges}\n1\tr\t1\t\n",
    )
    records = parts(uri)
    [rejected] = [record for record in records if isinstance(record, RejectedRecord)]
    assert (rejected.record, rejected.reason) == (place, reason)
    assert sum(isinstance(record, Triple) for record in records) == 1


def test_what_makes_a_folder_unusable(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"no file edges\.csv or"):
        parts(folder_of(tmp_path, nodes="id\tname\n"))
    uri = folder_of(tmp_path, edges="head\ttail\n")
    with pytest.raises(UnusableSourceError, match="no column relation"):
        parts(uri)
    with pytest.raises(UnusableSourceError, match="no column title"):
        parts(uri, {"name": "title"})
    (Path(uri) / "nodes.csv").write_text("id,name\n", encoding="utf-8")
    with pytest.raises(UnusableSourceError, match="more than one file"):
        parts(uri)


@pytest.mark.parametrize(
    ("name", "header", "problem"),
    [
        ("nodes.csv", "id;name", "it has id;name. Remedy: part the columns by commas, not by semicolons"),
        ("nodes.csv", "id\tname", "Remedy: part the columns by commas, not by tabs"),
        ("nodes.tsv", "id,name", "Remedy: part the columns by tabs, not by commas"),
        ("nodes.csv", "id,title,kind", "Remedy: map our names to the file's columns with `fields`"),
        (
            "nodes.csv",
            "id,name,name",
            "the header names name more than once. Remedy: give every column a name",
        ),
    ],
)
def test_a_header_that_cannot_be_used_is_told_with_what_is_wrong(
    tmp_path: Path, name: str, header: str, problem: str
) -> None:
    (tmp_path / name).write_text(f"{header}\n1,Eden,x\n", encoding="utf-8")
    write(tmp_path, "edges", EDGES, ".csv")
    with pytest.raises(UnusableSourceError, match=re.escape(problem)):
        parts(str(tmp_path))


def test_tables_of_a_header_alone_are_told_of(tmp_path: Path) -> None:
    uri = folder_of(tmp_path, nodes="id\tname\n", edges="head\trelation\ttail\n")
    records = [record for record in parts(uri) if isinstance(record, RejectedRecord)]
    assert [(record.record, record.reason) for record in records] == [
        ("nodes.tsv", "it has no row below its header"),
        ("edges.tsv", "it has no row below its header"),
    ]


def test_a_broken_parquet_is_unusable(tmp_path: Path) -> None:
    folder = Path(folder_of(tmp_path, edges="head\trelation\ttail\n"))
    (folder / "nodes.parquet").write_bytes(b"no parquet")
    with pytest.raises(UnusableSourceError, match="not readable as Parquet"):
        parts(str(folder))
    write(folder, "nodes", [{"id": "1"}], ".parquet")
    with pytest.raises(UnusableSourceError, match="no column name; the file has id"):
        parts(str(folder))


def test_two_nodes_of_one_name_stay_two_and_are_found_by_it(tmp_path: Path) -> None:
    uri = folder_of(
        tmp_path,
        nodes="id\tname\n1\tEden\n2\tEden\n3\tAnn\n4\tBo\n5\tEden Park\n",
        edges="head\trelation\ttail\n1\tdirectedBy\t3\n2\tdirectedBy\t4\n5\tdirectedBy\t4\n",
    )
    collector = TripleCollector("films", templates(NAMES))
    collector.add(read(uri, {}), "own", "CC0")
    merger = collector.merge()
    assert collector.rejected == []
    triples = pa.concat_tables([rows for _, rows in collector.tables()])
    stated = set(zip(triples["head"].to_pylist(), triples["tail"].to_pylist(), strict=True))
    assert stated == {("Eden", "Ann"), ("Eden (FILMS:2)", "Bo"), ("Eden Park", "Bo")}
    concepts = concept_rows("films", merger.concepts)
    nodes = node_rows("films", triples, concepts)
    linker = Linker(alias_rows(nodes, concepts), nodes["degree"].to_numpy().astype(np.int32))
    labels = nodes["label"].to_pylist()
    for phrase in ("Eden", "the eden"):
        [links] = linker.by_form([phrase]).values()
        assert {labels[link.node] for link in links} == {"Eden", "Eden (FILMS:2)"}
    [links] = linker.by_label(["Eden (FILMS:2)"]).values()
    assert [labels[link.node] for link in links] == ["Eden (FILMS:2)"]
