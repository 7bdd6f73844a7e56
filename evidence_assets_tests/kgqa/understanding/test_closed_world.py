"""What nothing in a graph meets: answered "no" where the graph tells what holds instead, else not at all."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.queries.algebra import (
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Typed,
    positive_part,
)
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets.kgqa.slots.node_names import NodeNames
from evidence_assets.kgqa.understanding.closed_world import ClosedWorld
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.railway_questions import base_of, base_of_typed, outcome, read

_KINDS = {
    "job": ("Blue Manual", "Red Catalogue", "Grey Contract"),
    "language": ("Turkish", "Danish", "Polish"),
    "translator": ("Ines Cato", "Olaf Brandt"),
}
_TRANSLATED = [
    ("Blue Manual", "source_language", "Turkish"),
    ("Red Catalogue", "source_language", "Danish"),
    ("Grey Contract", "source_language", "Danish"),
    ("Blue Manual", "target_language", "Danish"),
    ("Red Catalogue", "target_language", "Polish"),
    ("Blue Manual", "translated_by", "Ines Cato"),
    ("Red Catalogue", "translated_by", "Olaf Brandt"),
]
_THIRD_JOB = ("Grey Contract", "target_language", "Polish")


@cache
def jobs(all_told: bool) -> KnowledgeBase:
    """Three jobs, of the third of which it is told, or not, which language it is into."""
    rows = [*_TRANSLATED, _THIRD_JOB] if all_told else _TRANSLATED
    return base_of(rows, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str, all_told: bool = True) -> list[str] | str:
    return outcome(read(text, jobs(all_told)), jobs(all_told))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a job with Turkish as its target language?", "no"),
        ("Is there a job with Polish as its target language?", "yes"),
        ("Does Blue Manual have Polish as its target language?", "no"),
    ],
)
def test_what_each_has_instead_is_known(question: str, answer: str) -> None:
    assert asked(question) == answer


def test_what_one_of_them_may_have_is_not_known() -> None:
    assert read("Is there a job with Turkish as its target language?", jobs(all_told=False)).abstains


def test_a_relation_does_not_lead_to_things_of_another_kind() -> None:
    base = jobs(all_told=True)
    ines = base.graph.labels.to_pylist().index("Ines Cato")
    into_ines = Reached("target_language", True, Named("Ines Cato", (ines,)))
    query = Query(Intersection((Typed("job"), into_ines)), Form.EXISTENCE)
    closed_world = ClosedWorld(base.executor, NodeNames(base.graph.labels, base.types, encoder()))
    assert closed_world.untold(query, base.executor.nodes(query.of), {"target_language"})


def test_a_relation_that_no_word_says_tells_of_nothing() -> None:
    assert read("Is there a job into Turkish?", jobs(all_told=True)).abstains


def test_no_cites_what_there_is_instead() -> None:
    base = jobs(all_told=True)
    reading = read("Is there a job with Turkish as its target language?", base)
    assert reading.query is not None
    record = QueryRecord(positive_part(reading.query), PARSED, 1.0, "", operation=reading.query)
    value, cited = base.value_of(record)
    assert value == "no"
    assert {unit.text for unit in cited} == {
        "Blue Manual target language Danish.",
        "Grey Contract target language Polish.",
        "Red Catalogue target language Polish.",
    }


_LIT = [
    ("Dun Head", "automated_in", "1969"),
    ("Gannet Rock", "automated_in", "1978"),
    ("Eel Point", "automated_in", "1971"),
    ("Dun Head", "height_m", "31"),
    ("Gannet Rock", "height_m", "38"),
    ("Thole Island", "height_m", "12"),
    ("Hollow Bay", "height_m", "20"),
]
_LIGHTS = ("Dun Head", "Gannet Rock", "Eel Point", "Thole Island", "Hollow Bay")


@cache
def lights() -> KnowledgeBase:
    """Five lighthouses, of three of which it is told when they were automated."""
    return base_of(_LIT, dict.fromkeys(_LIGHTS, "lighthouse"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was Dun Head automated before Gannet Rock?", "yes"),
        ("Was Gannet Rock automated before Dun Head?", "no"),
        ("Was Dun Head automated after 1970?", "no"),
    ],
)
def test_what_is_told_of_both_is_compared(question: str, answer: str) -> None:
    assert outcome(read(question, lights()), lights()) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Was Thole Island automated before Gannet Rock?",
        "Was Gannet Rock automated before Thole Island?",
        "Was Hollow Bay automated after 1950?",
    ],
)
def test_what_is_not_told_of_one_is_no_comparison(question: str) -> None:
    reading = read(question, lights())
    assert reading.query is not None and "does not tell" in reading.abstains


@pytest.mark.parametrize("told", [True, False])
def test_a_count_of_a_kind_cites_a_triple_of_each(told: bool) -> None:
    """The one that tells its type, if any does."""
    rows: list[tuple[str, str, str, str, str | None]] = [
        ("Goliath", "stands_on", "Grain Quay", "crane", "quay"),
        ("Samson", "stands_on", "Grain Quay", "crane", "quay"),
        ("Titan", "stands_on", "Coal Quay", "crane", "quay"),
    ]
    if told:
        rows += [(row[0], "kind", "crane", "crane", "kind of thing") for row in rows]
    base = base_of_typed(rows)
    reading = read("How many cranes are there?", base)
    assert reading.query is not None
    record = QueryRecord(positive_part(reading.query), PARSED, 1.0, "", operation=reading.query)
    value, cited = base.value_of(record)
    assert value == "3"
    expected = {f"{row[0]} {row[1].replace('_', ' ')} {row[2]}." for row in rows[-3:]}
    assert {unit.text for unit in cited} == expected


def test_a_comparison_that_does_not_hold_cites_both_values() -> None:
    reading = read("Was Gannet Rock automated before Dun Head?", lights())
    assert reading.query is not None
    record = QueryRecord(positive_part(reading.query), PARSED, 1.0, "", operation=reading.query)
    value, cited = lights().value_of(record)
    assert (value, {unit.text for unit in cited}) == (
        "no",
        {"Gannet Rock automated in 1978.", "Dun Head automated in 1969."},
    )


@cache
def people() -> KnowledgeBase:
    """Three people, of the third of whom nothing tells when they were born."""
    rows = [
        ("Ann", "born in", "1965"),
        ("Ben", "born in", "1971"),
        ("Cid", "works at", "Quay"),
        ("Ann", "works at", "Quay"),
    ]
    kinds = {
        "Ann": "person",
        "Ben": "person",
        "Cid": "person",
        "Quay": "shop",
        "1965": "year",
        "1971": "year",
    }
    return base_of(rows, kinds)


def test_of_two_the_older_is_known_where_of_both_it_is_told_when_they_were_born() -> None:
    assert outcome(read("Who is older, Ann or Ben?", people()), people()) == ["Ann"]
    assert read("Who is older, Ann or Cid?", people()).abstains


def test_just_one_is_one_and_no_more() -> None:
    rows = [
        ("Leak", "affected", "Mill"),
        ("Fire", "affected", "Mill"),
        ("Fire", "affected", "Quay"),
    ]
    base = base_of(rows, {"Leak": "incident", "Fire": "incident", "Mill": "site", "Quay": "site"})
    assert outcome(read("Which incidents affected just one site?", base), base) == ["Leak"]


@cache
def couples() -> KnowledgeBase:
    rows = [("Ann Rye", "married_to", "Bo Lind"), ("Cy Marr", "married_to", "Di Holt")]
    rows += [(person, "lives_in", "Mere") for person in ("Ann Rye", "Ed Vane", "Fay Wren")]
    people = ("Ann Rye", "Bo Lind", "Cy Marr", "Di Holt", "Ed Vane", "Fay Wren")
    return base_of(rows, {**dict.fromkeys(people, "person"), "Mere": "town"})


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Bo Lind married to Ann Rye?", "yes"),
        ("Is Ann Rye married to Ed Vane?", "no"),
        ("Is Bo Lind married to Ed Vane?", "no"),
        ("Is Ed Vane married to Bo Lind?", "no"),
        ("Is Ed Vane married to Fay Wren?", "abstained"),
    ],
)
def test_who_is_married_to_another_is_known_by_either_end(question: str, answer: str) -> None:
    assert outcome(read(question, couples()), couples()) == answer
