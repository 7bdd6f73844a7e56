"""Conjunctive queries as values: their text, their variables, what is wrong with them."""

from __future__ import annotations

from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.kgqa.queries.conjunctive import (
    ConjunctiveQuery,
    Constant,
    Triplet,
    Variable,
    chain,
    problems,
)
from evidence_assets_tests.testing.query_samples import FILM_SCHEMA

SCHEMA = load_schema(FILM_SCHEMA, "films.yaml")
FILM = Constant("Blade Runner", (7,))
DIRECTOR, OTHER = Variable("a", "person"), Variable("answer", "movie")


def test_a_query_reads_as_its_triplets() -> None:
    query = ConjunctiveQuery((Triplet(FILM, "directed_by", DIRECTOR), Triplet(OTHER, "", DIRECTOR)), "answer")
    assert str(query) == "(Blade Runner, directed_by, ?a), (?answer, *, ?a)"
    assert query.variables() == {"a": ("person",), "answer": ("movie",)}
    assert query.constants() == (FILM,)
    assert [*problems(query, SCHEMA)] == []


def test_types_of_a_variable_are_gathered_from_all_its_places() -> None:
    query = ConjunctiveQuery(
        (Triplet(Variable("a"), "", Variable("a", "movie")), Triplet(Variable("a", "person"), "", FILM)), "a"
    )
    assert query.variables() == {"a": ("movie", "person")}
    assert [*problems(query, SCHEMA)] == ["?a has several types: movie, person"]


def test_a_chain_walks_back_and_forth() -> None:
    query = chain(FILM, (("directed_by", False), ("directed_by", True)), ("person", "movie"))
    assert query == ConjunctiveQuery(
        (Triplet(FILM, "directed_by", DIRECTOR), Triplet(OTHER, "directed_by", DIRECTOR)), "answer"
    )


def test_problems_name_what_they_are_about() -> None:
    shot = Triplet(FILM, "shot_in", Variable("b", "town"))
    query = ConjunctiveQuery((shot, shot, Triplet(FILM, "has_genre", FILM)), "a")
    assert [*problems(query, SCHEMA)] == [
        "?a is asked for and stands in no triplet",
        "?b is a 'town', which is no type: choose one of movie, person, genre",
        "(Blade Runner, shot_in, ?b): 'shot_in' is no relation: choose one of directed_by, starred_actors, "
        "has_genre",
        "(Blade Runner, shot_in, ?b): 'shot_in' is no relation: choose one of directed_by, starred_actors, "
        "has_genre",
        "(Blade Runner, shot_in, ?b) is stated twice",
        "(Blade Runner, has_genre, Blade Runner) holds no variable",
    ]
    assert [*problems(ConjunctiveQuery((), "a"), SCHEMA)] == [
        "no condition: name at least one triplet",
        "?a is asked for and stands in no triplet",
    ]
