"""MetaQA's questions over its own films."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.graphs.concepts.nodes import node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import build_graph
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.lake.ids import text_hash
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.text.verbalisation import FILMS, schema_text, templates
from evidence_assets_tests.testing.parsing_samples import encoder

COUNT = 300


@pytest.mark.integration
@pytest.mark.real_data
def test_most_questions_of_one_step_and_of_two_are_answered(real_data: Path) -> None:
    folder = real_data / "kgqa" / "metaqa"
    collector = TripleCollector(FILMS, templates(FILMS))
    collector.add(reader("metaqa")(str(folder), {}), "metaqa", "CC BY 3.0")
    collector.merge()
    triples = pa.concat_tables([rows for _, rows in collector.tables()])
    graph = build_graph(FILMS, triples, node_rows(FILMS, triples))
    numbers = {label: number for number, label in enumerate(graph.labels.to_pylist())}
    authored = schema_text(FILMS)
    assert authored is not None
    parser = Parser(graph, load_schema(*authored), encoder())
    for hops in (1, 2):
        lines = (folder / f"{hops}hop_dev.txt").read_text(encoding="utf-8").splitlines()
        # The greatest hashes: the parser's weights were chosen on the smallest.
        chosen = sorted(lines, key=text_hash)[-COUNT:]
        questions, gold = [], []
        for line in chosen:
            text, right = line.split("\t")
            match = re.search(r"\[(.+)\]", text)
            assert match is not None
            name, start = match.group(1), match.start()
            node = numbers.get(name)
            topic = Topic(name, start, start + len(name), () if node is None else (node,))
            questions.append(LinkedQuestion(line, text.replace(f"[{name}]", name), (topic,)))
            gold.append({numbers.get(answer) for answer in right.split("|")})
        hits = 0.0
        for beam, right_nodes in zip(parser.parse(questions), gold, strict=True):
            first = next((set(parse.answers.tolist()) for parse in beam if parse.exists), set())
            hits += len(first & right_nodes) / max(len(first), 1)
        assert hits / COUNT > 0.92
