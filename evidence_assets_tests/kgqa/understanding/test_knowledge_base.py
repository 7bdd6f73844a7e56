"""What a query asks that is no node, and the triples that show it."""

from __future__ import annotations

from evidence_assets.kgqa.queries.algebra import (
    Expression,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Typed,
    positive_part,
)
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets_tests.testing.graph_samples import number_of
from evidence_assets_tests.testing.kaping_samples import film_base, film_graph

GRAPH = film_graph()
BASE = film_base(GRAPH)
SCOTT, HEAT = (Named(label, (number_of(GRAPH, label),)) for label in ("Ridley Scott", "Heat"))
FILMS_OF_SCOTT = Reached("directed_by", True, SCOTT)


def value(form: Form, of: Expression) -> tuple[str, list[str]]:
    query = Query(of, form)
    answer, units = BASE.value_of(QueryRecord(positive_part(query), PARSED, 1.0, "", operation=query))
    return answer, [unit.text for unit in units]


def test_a_yes_and_a_count_cite_what_holds() -> None:
    answer, shown = value(Form.NUMBER, FILMS_OF_SCOTT)
    assert answer == "2"
    assert len(shown) == 2
    assert all("Ridley Scott" in text for text in shown)
    alien = Named("Alien", (number_of(GRAPH, "Alien"),))
    assert value(Form.EXISTENCE, Intersection((FILMS_OF_SCOTT, alien)))[0] == "yes"


def test_a_no_cites_what_meets_a_part_of_what_is_asked() -> None:
    answer, shown = value(Form.EXISTENCE, Intersection((FILMS_OF_SCOTT, HEAT)))
    assert answer == "no"
    assert shown == value(Form.NUMBER, FILMS_OF_SCOTT)[1]


def test_a_no_without_any_such_fact_cites_what_is_known_of_the_things_named() -> None:
    """Nothing has Heat for its director: what Heat is said to be was looked at."""
    answer, shown = value(Form.EXISTENCE, Reached("directed_by", True, HEAT))
    assert answer == "no"
    assert shown
    assert all("Heat" in text for text in shown)


def test_a_count_of_nothing_that_names_nothing_cites_nothing() -> None:
    assert value(Form.NUMBER, Typed("no such type")) == ("0", [])
