"""Conditions of several topics: each mention of a relation says one of them."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets_tests.testing.parsing_samples import answers, encoder, linked_question
from evidence_assets_tests.testing.query_samples import typed_graph

SCHEMA = load_schema(
    """
types: {animal: [animal], group: [group], place: [place, where]}
relations:
  eats: {head: animal, tail: animal, sentences: ["{head} eats {tail}"]}
  belongs_to: {head: animal, tail: group, sentences: ["{head} is one of the {tail}"]}
  lives_in: {head: animal, tail: place, sentences: ["{head} lives in {tail}"]}
""",
    "schema.yaml",
)
GRAPH = typed_graph(
    [
        ("Kestrel", "eats", "Vole"),
        ("Kestrel", "eats", "Wren"),
        ("Stoat", "eats", "Wren"),
        ("Stoat", "eats", "Vole"),
        ("Wren", "eats", "Moth"),
        ("Owl", "eats", "Stoat"),
        ("Kestrel", "belongs_to", "Birds"),
        ("Wren", "belongs_to", "Birds"),
        ("Owl", "belongs_to", "Birds"),
        ("Stoat", "belongs_to", "Mammals"),
        ("Vole", "belongs_to", "Mammals"),
        ("Stoat", "lives_in", "Meadow"),
        ("Vole", "lives_in", "Meadow"),
    ]
)


@pytest.mark.parametrize(
    ("text", "topics", "expected"),
    [
        # And not what eats a bird and voles, nor birds that voles eat.
        ("Which Birds eat the Vole?", ("Birds", "Vole"), ["Kestrel"]),
        ("Which animals eat the Vole and the Wren?", ("Vole", "Wren"), ["Kestrel", "Stoat"]),
        ("Which animals eat the Moth and are eaten by the Stoat?", ("Moth", "Stoat"), ["Wren"]),
        ("Which animals of the Meadow eat the Wren?", ("Meadow", "Wren"), ["Stoat"]),
    ],
)
def test_a_mention_says_one_condition(text: str, topics: tuple[str, ...], expected: list[str]) -> None:
    [parses] = Parser(GRAPH, SCHEMA, encoder()).parse([linked_question(text, *topics, graph=GRAPH)])
    assert answers(parses[0], GRAPH) == expected


def test_paths_cover_words_together() -> None:
    [parses] = Parser(GRAPH, SCHEMA, encoder()).parse(
        [linked_question("Which animals living in the Meadow eat the Wren?", "Meadow", "Wren", graph=GRAPH)]
    )
    both = next(parse for parse in parses if {path.steps for path in parse.paths} == LIVES_AND_EATS)
    assert both.score_parts["coverage"] == 1
    assert parses[0] is both


LIVES_AND_EATS = {(("lives_in", True),), (("eats", True),)}
