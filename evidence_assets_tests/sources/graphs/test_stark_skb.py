"""STaRK's knowledge bases: nodes, edges, and files that must not be trusted."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.graphs.stark_skb import node_labels, read, stated_once
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, UnusableSourceError

Records = list[Triple | ConceptRecord | RejectedRecord]
PRIME = [
    {
        "node": 0,
        "name": "F8",
        "type": "gene/protein",
        "details": {"summary": "A factor.", "alias": ["FVIII"]},
    },
    {"node": 1, "name": "hemophilia", "details": {"mondo_definition": "It  bleeds.", "_id": 7}},
    {"node": 2, "name": "hemophilia", "details": {"mondo_definition": "nan"}},
]
PRIME_KINDS = {"0": "disease", "1": "gene/protein"}


def folder(
    path: Path,
    nodes: Sequence[object] = PRIME,
    *,
    kinds: object = None,
    of_node: Sequence[int] = (1, 0, 0),
    edges: Sequence[tuple[int, int, int]] = ((0, 0, 1), (1, 0, 0)),
    relations: object = None,
) -> str:
    (path / "node_info.jsonl").write_text("\n".join(map(json.dumps, nodes)), encoding="utf-8")
    (path / "node_type_dict.json").write_text(json.dumps(kinds or PRIME_KINDS), encoding="utf-8")
    (path / "edge_type_dict.json").write_text(
        json.dumps(relations or {"0": "associated with"}), encoding="utf-8"
    )
    torch.save(torch.tensor(of_node), path / "node_types.pt")
    torch.save(
        torch.tensor([[head, tail] for head, _, tail in edges]).T.reshape(2, -1), path / "edge_index.pt"
    )
    torch.save(torch.tensor([relation for _, relation, _ in edges]), path / "edge_types.pt")
    return str(path)


def edges_of(records: Records) -> list[tuple[str, str, str]]:
    return [(record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)]


def test_prime_is_read(tmp_path: Path) -> None:
    records = list(read(folder(tmp_path), {}))
    assert records[:3] == [
        ConceptRecord(
            "STARK_PRIME:0",
            "F8",
            ("FVIII",),
            definition="A factor.",
            kind="gene/protein",
            record="node_info.jsonl:line 1",
        ),
        ConceptRecord(
            "STARK_PRIME:1",
            "hemophilia",
            definition="It bleeds.",
            kind="disease",
            record="node_info.jsonl:line 2",
        ),
        ConceptRecord(
            "STARK_PRIME:2",
            "hemophilia (STARK_PRIME:2)",
            ("hemophilia",),
            kind="disease",
            record="node_info.jsonl:line 3",
        ),
    ]
    # Stated both ways, and once here.
    assert edges_of(records) == [("STARK_PRIME:0", "associated_with", "STARK_PRIME:1")]
    assert node_labels(str(tmp_path)) == {0: "F8", 1: "hemophilia", 2: "hemophilia (STARK_PRIME:2)"}


def test_a_document_holds_all_text_fields_of_its_node(tmp_path: Path) -> None:
    """STaRK searches reviews, indications and the like: the first prose field alone answers few questions."""
    nodes = [
        {
            "node": 0,
            "title": "Red axe",
            "asin": "B00X",
            "description": ["A sharp axe."],
            "feature": ["Ash handle", "Ash handle"],
            "review": [{"summary": "Fine", "reviewText": "It cuts well.", "overall": 5}],
            "price": 12.5,
            "details": {"half_life": "two hours", "_id": "77", "umls_description": "A tool."},
        }
    ]
    uri = folder(tmp_path, nodes, kinds={"0": "product"}, of_node=(0,), edges=((0, 0, 0),))
    [concept] = [record for record in read(uri, {}) if isinstance(record, ConceptRecord)]
    assert concept.definition == (
        "A sharp axe. Ash handle Ash handle review: Fine It cuts well. "
        "half life: two hours umls description: A tool."
    )


def test_mag_is_read(tmp_path: Path) -> None:
    nodes = [
        {"node": 0, "DisplayName": "Ann", "abstract": -1},
        {"node": 1, "title": "On light", "abstract": "Light is.", "DisplayName": "ignored"},
        {"node": 2, "title": "On air", "abstract": "Air is."},
    ]
    uri = folder(
        tmp_path,
        nodes,
        kinds={"0": "author", "1": "field_of_study", "3": "paper"},
        of_node=(0, 3, 3),
        edges=((0, 3, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2), (0, 3, 2)),
        relations={"1": "paper___cites___paper", "3": "author___writes___paper"},
    )
    records = list(read(uri, {}))
    assert [
        (record.label, record.kind, record.definition)
        for record in records
        if isinstance(record, ConceptRecord)
    ] == [("Ann", "author", ""), ("On light", "paper", "Light is."), ("On air", "paper", "Air is.")]
    assert edges_of(records) == [
        ("STARK_MAG:1", "cites", "STARK_MAG:2"),
        ("STARK_MAG:2", "cites", "STARK_MAG:2"),
        ("STARK_MAG:0", "writes", "STARK_MAG:1"),
        ("STARK_MAG:0", "writes", "STARK_MAG:2"),
    ]


def test_amazon_in_one_json_document(tmp_path: Path) -> None:
    uri = folder(tmp_path, kinds={"0": "product", "1": "brand"}, of_node=(0, 1), edges=((0, 0, 1),))
    (tmp_path / "node_info.jsonl").unlink()
    info = {
        "0": {"title": "Rod", "description": ["Long.", "", "Light."], "feature": ["x"]},
        "1": {"brand_name": "Acme"},
    }
    (tmp_path / "node_info.json").write_text(json.dumps(info), encoding="utf-8")
    records = list(read(uri, {}))
    assert [
        (record.key, record.label, record.definition)
        for record in records
        if isinstance(record, ConceptRecord)
    ] == [("STARK_AMAZON:0", "Rod", "Long. Light. x"), ("STARK_AMAZON:1", "Acme", "")]


def test_bad_nodes_and_unknown_relations_are_rejected_alone(tmp_path: Path) -> None:
    nodes = [*PRIME, {"name": "x"}, {"node": 1, "name": "again"}, {"node": 9, "name": "far"}, {"node": 4}, 5]
    records = list(read(folder(tmp_path, nodes, edges=((0, 7, 1), (0, 0, 1))), {}))
    rejected = [(record.record, record.reason) for record in records if isinstance(record, RejectedRecord)]
    assert [place for place, _ in rejected] == [
        "node_info.jsonl, line 4",
        "node_info.jsonl, line 5",
        "node_info.jsonl, line 6",
        "node_info.jsonl, line 7",
        "node_info.jsonl, line 8",
        "edge type 7",
    ]
    assert rejected[1][1] == "node 1 was described before, at line 2"
    assert rejected[-1][1] == "1 edges of a relation without a name"
    assert len(edges_of(records)) == 1


class _Runs:
    """What a pickle of a stranger may be: something that acts when it is loaded."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self._path,))


@pytest.mark.parametrize("name", ["edge_index.pt", "edge_types.pt", "node_types.pt"])
def test_nothing_of_a_file_runs(tmp_path: Path, name: str) -> None:
    uri = folder(tmp_path)
    ran = tmp_path / "ran"
    for content in (_Runs(ran), {"a": _Runs(ran)}):
        torch.save(content, tmp_path / name)
        with pytest.raises(UnusableSourceError, match="no tensor that can be read safely"):
            list(read(uri, {}))
    (tmp_path / name).write_bytes(pickle.dumps(_Runs(ran)))
    with pytest.raises(UnusableSourceError, match="no tensor that can be read safely"):
        list(read(uri, {}))
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(UnusableSourceError, match="no tensor that can be read safely"):
        list(read(uri, {}))
    assert not ran.exists()


@pytest.mark.parametrize("number", [0.5, float("nan")])
def test_numbers_that_are_not_whole_are_no_numbers_of_nodes(tmp_path: Path, number: float) -> None:
    uri = folder(tmp_path)
    torch.save(torch.tensor([number]), tmp_path / "edge_types.pt")
    with pytest.raises(UnusableSourceError, match="other than whole numbers"):
        list(read(uri, {}))


def test_what_makes_a_folder_unusable(tmp_path: Path) -> None:
    uri = folder(tmp_path)
    torch.save(torch.tensor([0]), tmp_path / "edge_types.pt")
    with pytest.raises(UnusableSourceError, match=r"edge_index\.pt has the shape \(2, 2\)"):
        list(read(uri, {}))
    (tmp_path / "node_type_dict.json").write_text('{"a": "disease"}', encoding="utf-8")
    with pytest.raises(UnusableSourceError, match="no name by number"):
        list(read(uri, {}))
    (tmp_path / "node_info.jsonl").unlink()
    folder_with_pickle = tmp_path / "node_info.pkl"
    folder_with_pickle.write_bytes(pickle.dumps({0: {"name": "x"}}))
    (tmp_path / "node_type_dict.json").write_text(json.dumps(PRIME_KINDS), encoding="utf-8")
    with pytest.raises(UnusableSourceError, match=r"no file node_info\.jsonl or node_info\.json"):
        list(read(uri, {}))
    with pytest.raises(UnusableSourceError, match="fields"):
        list(read(uri, {"name": "title"}))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20, unique=True))
def test_edges_are_halved_only_where_all_stand_both_ways(edges: list[tuple[int, int]]) -> None:
    index = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    halved = [edges[place] for place in stated_once(index).tolist()]
    if all((tail, head) in edges for head, tail in edges):
        assert {frozenset(edge) for edge in halved} == {frozenset(edge) for edge in edges}
        assert len(halved) == len({frozenset(edge) for edge in edges})
        assert all(edges.index(edge) <= edges.index(edge[::-1]) for edge in halved)
    else:
        assert halved == edges
