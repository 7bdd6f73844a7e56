"""Relation paths: against walks followed triple by triple, against the solver, and by hand."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import THING, RelationSchema, Schema, load_schema
from evidence_assets.kgqa.paths.relation_paths import (
    PathWalker,
    RelationPath,
    fit,
    path_types,
    schema_paths,
)
from evidence_assets.kgqa.queries.conjunctive import Constant, chain
from evidence_assets.kgqa.queries.solving import Solver
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.query_samples import (
    FILM_ROWS,
    FILM_SCHEMA,
    RELATIONS,
    Sample,
    samples,
    typed_graph,
)

FILMS = load_schema(FILM_SCHEMA, "films.yaml")


def schema_of(ends: list[tuple[str, str]]) -> Schema:
    relations = {
        name: RelationSchema(name, *pair, ("{head} {tail}",))
        for name, pair in zip(RELATIONS, ends, strict=True)
    }
    return Schema(relations, {"x": ("x",), "y": ("y",), THING: (THING,)})


schemas = st.builds(
    schema_of,
    st.lists(st.tuples(*[st.sampled_from(["x", "y", THING])] * 2), min_size=3, max_size=3),
)


def walked(sample: Sample, path: RelationPath, starts: set[int]) -> set[int]:
    level = set(starts)
    for relation, backwards in path.steps:
        level = {
            head if backwards else tail
            for head, name, tail in sample.triples
            if name == relation and (tail if backwards else head) in level
        }
    return level - starts


def fitting(path: RelationPath, schema: Schema) -> bool:
    ends = [schema.ends(*step) for step in path.steps]
    return all(fit(ends_before[1], ends_after[0]) for ends_before, ends_after in pairwise(ends))


@examples(100)
@given(data=st.data(), schema=schemas)
def test_paths_are_all_that_exist_and_fit(data: st.DataObject, schema: Schema) -> None:
    sample = data.draw(samples(6))
    starts = data.draw(
        st.lists(st.integers(0, len(sample.own_types) - 1), min_size=1, max_size=2, unique=True)
    )
    walker = PathWalker(RelationIndex(sample.graph), schema)
    steps = [(name, back) for name in RELATIONS for back in (False, True)]
    all_paths = [RelationPath(path) for length in (1, 2, 3) for path in product(steps, repeat=length)]
    expected = [
        (path, sorted(ends))
        for path in all_paths
        if fitting(path, schema) and (ends := walked(sample, path, set(starts)))
    ]
    paths = walker.paths(starts, 3)
    assert [(existing.path, existing.ends.tolist()) for existing in paths] == expected
    for existing in paths[:20]:
        assert walker.reached(existing.path, starts).tolist() == existing.ends.tolist()
    for shorter in (path for path in all_paths[:20] if fitting(path, schema)):
        longer = [path for path, _ in expected if path.steps[:-1] == shorter.steps]
        assert walker.lengthened(shorter, starts) == longer


@examples(60)
@given(data=st.data(), schema=schemas)
def test_a_path_is_the_query_it_asks(data: st.DataObject, schema: Schema) -> None:
    sample = data.draw(samples(6))
    nodes = st.integers(0, len(sample.own_types) - 1)
    starts = tuple(data.draw(st.lists(nodes, min_size=1, max_size=2, unique=True)))
    topic = Constant("topic", starts)
    walker, solver = PathWalker(RelationIndex(sample.graph), schema), Solver(sample.graph, sample.types)
    for existing in walker.paths(starts, 3)[::7]:
        query = chain(topic, existing.path.steps, ("",) * len(existing.path.steps))
        solution = solver.solve(query, without_constants=True)
        assert solution.candidates.tolist() == existing.ends.tolist()


@given(schema=schemas, start=st.sampled_from(["x", "y", THING, ""]))
def test_schema_paths_are_all_that_fit(schema: Schema, start: str) -> None:
    steps = [(name, back) for name in RELATIONS for back in (False, True)]
    expected = [
        path
        for length in (1, 2)
        for path in map(RelationPath, product(steps, repeat=length))
        if fitting(path, schema) and (not start or fit(start, schema.ends(*path.steps[0])[0]))
    ]
    assert schema_paths(schema, [start] if start else [], 2) == expected


def test_paths_at_a_film() -> None:
    graph = typed_graph(FILM_ROWS)
    walker = PathWalker(RelationIndex(graph), FILMS)
    names = graph.labels.to_pylist()
    paths = walker.paths([names.index("Alien")], 2)
    assert [(str(existing.path), [names[node] for node in existing.ends]) for existing in paths] == [
        ("directed_by", ["Ridley Scott"]),
        ("starred_actors", ["Sigourney Weaver"]),
        ("has_genre", ["Horror"]),
        ("directed_by / ~directed_by", ["Blade Runner"]),
    ]
    assert path_types(paths[-1].path, FILMS) == ("movie", "person", "movie")
    assert walker.reached(RelationPath((("has_genre", True),)), [names.index("Alien")]).tolist() == []
    assert walker.paths([], 2) == walker.paths([names.index("Alien")], 0) == []


def test_where_steps_meet_the_more_telling_type_stands() -> None:
    schema = schema_of([("x", THING), ("y", "x"), (THING, THING)])
    path = RelationPath((("r", False), ("s", False)))
    assert path_types(path, schema) == ("x", "y", "x")
    assert path_types(RelationPath(()), schema) == ()


def test_a_graph_without_triples_has_no_paths() -> None:
    graph = typed_graph([], ["alone"])
    assert PathWalker(RelationIndex(graph), FILMS).paths([0], 2) == []
    assert PathWalker(RelationIndex(graph), Schema({}, {})).paths([0], 2) == []
    assert schema_paths(Schema({}, {}), [], 2) == []


def test_paths_with_too_many_triples_are_not_walked_on() -> None:
    rows = [("centre", "directed_by", f"n{place:03}") for place in range(200)]
    rows += [("centre", "starred_actors", "n000"), ("other", "starred_actors", "n000")]
    graph = typed_graph(rows)
    start = [graph.labels.to_pylist().index("centre")]
    unbounded = PathWalker(RelationIndex(graph), FILMS).paths(start, 2)
    bounded = PathWalker(RelationIndex(graph), FILMS, walked=202).paths(start, 2)
    assert [str(existing.path) for existing in unbounded] == [
        "directed_by",
        "starred_actors",
        "directed_by / ~starred_actors",
        "starred_actors / ~starred_actors",
    ]
    assert [str(existing.path) for existing in bounded] == [
        "directed_by",
        "starred_actors",
        "starred_actors / ~starred_actors",
    ]


METAQA_TYPES = {
    "directed_by": "person",
    "written_by": "person",
    "starred_actors": "person",
    "release_year": "year",
    "in_language": "language",
    "has_tags": "tag",
    "has_genre": "genre",
    "has_imdb_votes": "votes",
    "has_imdb_rating": "rating",
}


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


@pytest.mark.real_data
def test_most_gold_answers_are_the_ends_of_some_path(real_data: Path) -> None:
    folder = real_data / "kgqa" / "metaqa"
    # By line: one of the ids is misprinted.
    names = [line.split("\t")[1] for line in _lines(folder / "entity2text.txt")]
    relations = [line.split("\t")[1].replace(" ", "_") for line in _lines(folder / "relation2text.txt")]
    triples = {line for part in sorted(folder.glob("kb_*.tsv")) for line in _lines(part)}
    ids = [[int(part) for part in line.split("\t")] for line in sorted(triples)]
    rows = [(names[head], relations[relation], names[tail]) for head, relation, tail in ids]
    graph = typed_graph(rows)
    ends = {name: METAQA_TYPES[name] for name in graph.relation_names}
    schema = Schema(
        {name: RelationSchema(name, "movie", end, ("{head} {tail}",)) for name, end in ends.items()},
        {type_: (type_,) for type_ in ["movie", *dict.fromkeys(ends.values())]},
    )
    types = node_types(graph, None, schema)
    walker = PathWalker(RelationIndex(graph), schema)
    numbers = {label: node for node, label in enumerate(graph.labels.to_pylist())}
    for hops, floor in ((1, 0.9), (2, 0.75)):
        lines = _lines(folder / f"{hops}hop_dev.txt")[:300]
        exact = 0
        for line in lines:
            question, answers = line.split("\t")
            if (topic := numbers.get(question.split("[")[1].split("]")[0])) is None:
                continue
            gold = np.unique([numbers[answer] for answer in answers.split("|") if answer in numbers])
            paths = walker.paths([topic], 2)
            exact += any(np.array_equal(existing.ends, gold) for existing in paths)
            assert types.of(topic)
        assert exact / len(lines) > floor
