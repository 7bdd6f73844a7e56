"""The museum's graph and questions, and the encoder that parsers are tested with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.parsing import ParsedQuery, Parser
from evidence_assets.kgqa.schema import Schema, load_schema
from evidence_assets.models.encoder import Encoder, load_encoder, packaged_minilm
from evidence_assets_tests.testing.query_samples import typed_graph

HERE = Path(__file__).parent


@cache
def encoder() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)


@cache
def museum_data() -> Any:
    return yaml.safe_load((HERE / "museum.yaml").read_text(encoding="utf-8"))


@cache
def museum_schema() -> Schema:
    return load_schema((HERE / "museum_schema.yaml").read_text(encoding="utf-8"), "museum_schema.yaml")


@cache
def museum() -> Graph:
    return typed_graph([tuple(row) for row in museum_data()["triples"]])


@cache
def museum_parser() -> Parser:
    return Parser(museum(), museum_schema(), encoder())


def asked(text: str, *names: str, graph: Graph | None = None) -> LinkedQuestion:
    """A question whose topics are the nodes of these labels."""
    labels = (graph or museum()).labels.to_pylist()
    topics = tuple(
        Topic(name, text.index(name), text.index(name) + len(name), (labels.index(name),)) for name in names
    )
    return LinkedQuestion(text, text, topics)


def answers(parsed: ParsedQuery, graph: Graph | None = None) -> list[str]:
    labels: Sequence[str] = (graph or museum()).labels.to_pylist()
    return sorted(labels[node] for node in parsed.answers.tolist())
