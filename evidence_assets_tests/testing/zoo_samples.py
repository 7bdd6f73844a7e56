"""A graph of one fact with its documents, what a model states beside it, and a question without options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    GENERATED_TRIPLES,
    GENERATIONS,
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    NODE_DOCUMENTS,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.question_rows import question_row

OF_GRAPH, OF_BACKGROUND = {"kg": "zoo"}, {"benchmark": "open", "background": "m"}
WORDS = "Cats are mammals."


def write(lake: Lake, table: Table, place: Mapping[str, str], *rows: Mapping[str, Any]) -> None:
    lake.write(table, place, pa.Table.from_pylist(list(rows), schema=table.schema))


def write_graph(lake: Lake, text: str = f"{WORDS} They purr.") -> None:
    source = {"source": "wordnet", "record": "line 7", "licence": "CC0-1.0"}
    triple = {"triple_id": "t-cat", "kg": "zoo", "head": "cat", "relation": "IsA", "tail": "mammal"}
    write(lake, TRIPLES, OF_GRAPH | {"relation": "IsA"}, {**triple, "weight": 1.0, "sources": [source]})
    node = {**OF_GRAPH, "degree": 1, "kind": ""}
    write(
        lake,
        GRAPH_NODES,
        OF_GRAPH,
        {**node, "node": 0, "label": "cat"},
        {**node, "node": 1, "label": "mammal"},
    )
    concept = {**OF_GRAPH, "label": "cat", "keys": ["ZOO:1"], "kind": "", "definition": WORDS}
    lists: dict[str, list[Any]] = {"names": [], "cross_references": [], "records": ["zoo.obo, ZOO:1"]}
    write(lake, GRAPH_CONCEPTS, OF_GRAPH, {**concept, **lists})
    document = {**OF_GRAPH, "document_id": "d-cat", "node": 0, "label": "cat", "text": text}
    write(lake, NODE_DOCUMENTS, OF_GRAPH, {**document, "triples": 1, "dropped": 0})


def write_generated(lake: Lake, **changes: Any) -> None:
    triple = {
        "generated_triple_id": "g-cat",
        "question_id": "q",
        "rank": 1,
        "head": "cat",
        "relation": "does",
    }
    content = {"tail": "purr", "text": "a cat purrs", "score": -0.5, "contradicts": [], "model": "tiny-model"}
    row = {**OF_BACKGROUND, **triple, **content, "request_hash": "r1", **changes}
    write(lake, GENERATED_TRIPLES, OF_BACKGROUND, row)


def write_reply(lake: Lake) -> None:
    texts = dict.fromkeys(["model", "revision", "task", "prompt_hash", "system", "user", "text", "error"], "")
    numbers = dict.fromkeys(["prompt_tokens", "completion_tokens", "cached_tokens", "log_probability"])
    place = {"generator": "m", "segment": "s"}
    row = {**place, "request_hash": "r1", "parameters": "{}", "outcome": "answered", "attempts": 1}
    write(lake, GENERATIONS, place, {**row, **texts, **numbers, "seconds": 1.0})


def question() -> dict[str, Any]:
    return question_row("q", "What purrs?", benchmark="open", answers=["Cat"])
