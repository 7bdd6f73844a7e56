"""Who does what is told by the order of words, and not turned round because types allow only that."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import RelationSchema, Schema
from evidence_assets.kgqa.queries.algebra import Named, Reached
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Triplet, Variable
from evidence_assets.kgqa.understanding.voices import Voices
from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, railway_of, read
from evidence_assets_tests.testing.workshop_questions import asked

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was Nightjar built by Orlan Brothers?", "yes"),
        ("Did Orlan Brothers build Nightjar?", "yes"),
        ("Was Orlan Brothers built by Nightjar?", "no"),
        ("Did Nightjar build Orlan Brothers?", "no"),
        ("Does Nightjar tune Ida Krall?", "no"),
        ("Is Orlan Brothers based in Velden?", "yes"),
        ("Is Velden based in Orlan Brothers?", "no"),
        ("Is Orlan Brothers the builder of Nightjar?", "yes"),
        ("Is Nightjar the builder of Orlan Brothers?", "no"),
    ],
)
def test_what_holds_the_other_way_round_alone_does_not_hold(text: str, expected: str, authored: bool) -> None:
    assert asked(text, authored)[0] == expected


@with_and_without_schema
@pytest.mark.parametrize("text", ["Which maker did Nightjar build?", "Who does Nightjar tune?"])
def test_what_is_done_to_a_name_is_not_what_it_does(text: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained" and not reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who tunes Nightjar?", ["Ida Krall"]),
        ("Which instruments did Tessel House build?", ["Dotterel", "Whinchat"]),
        ("Which instruments were built by Tessel House?", ["Dotterel", "Whinchat"]),
    ],
)
def test_what_a_name_does_and_what_is_done_to_it_is_answered(
    text: str, expected: list[str], authored: bool
) -> None:
    assert asked(text, authored)[0] == expected


_HARBOUR: list[tuple[str, str, str, str, str | None]] = [
    ("Jens Dahl", "supervises", "Rosa Vega", "harbourmaster", "pilot"),
    ("Jens Dahl", "supervises", "Tom Ash", "harbourmaster", "pilot"),
    ("Ida Moe", "supervises", "Lea Kim", "harbourmaster", "pilot"),
    ("Olga Stahl", "operates", "Goliath", "driver", "crane"),
    ("Per Lund", "operates", "Samson", "driver", "crane"),
    ("Rosa Vega", "mentors", "Tom Ash", "pilot", "pilot"),
    ("Tom Ash", "mentors", "Lea Kim", "pilot", "pilot"),
    ("Goliath", "loads", "Hansa", "crane", "ship"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does Jens Dahl supervise Rosa Vega?", "yes"),
        ("Does Rosa Vega supervise Jens Dahl?", "no"),
        ("Is Jens Dahl supervised by Rosa Vega?", "no"),
        ("Does Goliath operate Olga Stahl?", "no"),
        ("Does Hansa load Goliath?", "no"),
        ("Who supervises Jens Dahl?", "abstained"),
        ("Whom does Rosa Vega supervise?", "abstained"),
        ("What does Goliath operate?", "abstained"),
        ("By whom is Jens Dahl supervised?", "abstained"),
        ("How many pilots supervise Jens Dahl?", "abstained"),
        ("Which pilots supervise a harbourmaster?", "abstained"),
        ("Which harbourmasters do pilots supervise?", "abstained"),
        ("Which harbourmasters supervise a pilot?", ["Ida Moe", "Jens Dahl"]),
        ("Which pilots do harbourmasters supervise?", ["Lea Kim", "Rosa Vega", "Tom Ash"]),
        ("Which crane loads a ship?", ["Goliath"]),
        ("How many pilots does Jens Dahl supervise?", "2"),
        ("By whom is Rosa Vega supervised?", ["Jens Dahl"]),
        ("Who supervises Rosa Vega?", ["Jens Dahl"]),
        ("Whom does Jens Dahl supervise?", ["Rosa Vega", "Tom Ash"]),
    ],
)
def test_a_verb_alone_as_a_relations_name_says_who_does_it(text: str, expected: list[str] | str) -> None:
    base = base_of_typed(_HARBOUR)
    assert outcome(read(text, base), base) == expected


def test_what_holds_both_ways_round_is_not_turned() -> None:
    base = railway_of([("Leeds", "borders", "Bradford"), ("York", "borders", "Selby")], typed=False)
    assert outcome(read("Does Bradford border Leeds?", base), base) != "no"


@pytest.mark.parametrize(("name", "contradicted"), [("stars", True), ("starred_actors", False)])
def test_a_relation_called_by_who_takes_part_tells_no_direction(name: str, contradicted: bool) -> None:
    """`starred_actors` star in films, and films star them: "starred by" may say it the usual way round."""
    relation = RelationSchema(name, "film", "person", ("{head} starred {tail}", "{tail} acts in {head}"))
    text = "which films were starred by Ada"
    topic = Topic("Ada", text.index("Ada"), len(text), (0,))
    query = ConjunctiveQuery((Triplet(Variable("film"), name, Constant("Ada", (0,))),), "film")
    voices = Voices(Schema({name: relation}, {}, authored=True))
    assert voices.contradicts(LinkedQuestion("q", text, (topic,)), query) is contradicted


def test_each_step_that_holds_both_ways_is_walked_both_ways() -> None:
    relation = RelationSchema("borders", "town", "town", ("{head} borders {tail}",))
    voices = Voices(Schema({"borders": relation}, {}, authored=True))
    steps = Reached("borders", False, Reached("borders", False, Named("Selby", (0,))))
    inner = "(borders(Selby) or ~borders(Selby))"
    assert str(voices.both_ways(steps)) == f"(borders({inner}) or ~borders({inner}))"
