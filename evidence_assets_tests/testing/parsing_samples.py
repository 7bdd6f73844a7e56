"""The museum's graph and questions, and the encoder that parsers are tested with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import Schema, load_schema
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.models.encoder import EncodedWords, Encoder, FloatArray, packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets_tests.testing.query_samples import typed_graph

HERE = Path(__file__).parent


class RememberingEncoder:
    """The packaged encoder, which encodes each text once a process."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._vectors = encoder, dict[str, FloatArray]()
        self._words = dict[tuple[str, ...], list[EncodedWords]]()
        self.encoder_id, self.dimension, self.max_tokens = (
            encoder.encoder_id,
            encoder.dimension,
            encoder.max_tokens,
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._encoder.count_tokens(texts)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        rows = [self._vectors[text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimension), dtype=np.float32)

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        if tuple(texts) not in self._words:
            self._words[tuple(texts)] = self._encoder.encode_words(texts)
        return list(self._words[tuple(texts)])


@cache
def encoder() -> Encoder:
    return RememberingEncoder(load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None))


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


def linked_question(text: str, *names: str, graph: Graph | None = None) -> LinkedQuestion:
    """A question whose topics are the nodes of these labels."""
    labels = (graph or museum()).labels.to_pylist()
    topics = tuple(
        Topic(name, text.index(name), text.index(name) + len(name), (labels.index(name),)) for name in names
    )
    return LinkedQuestion(text, text, topics)


def answers(parsed: ParsedQuery, graph: Graph | None = None) -> list[str]:
    labels: Sequence[str] = (graph or museum()).labels.to_pylist()
    return sorted(labels[node] for node in parsed.answers.tolist())
