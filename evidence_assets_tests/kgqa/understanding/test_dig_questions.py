"""Questions to an invented dig: nouns and verbs of one root, what is said of states, order and position."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.mutual_relations import is_mutual
from evidence_assets.kgqa.graph.schema import RelationSchema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "trench": ("North Cut", "South Cut", "Long Cut"),
    "site": ("Mellin Down", "Abbots Ley"),
    "person": ("Ada Hall", "Bo Lind", "Cy Marr"),
    "age": ("Bronze Age", "Iron Age", "Roman Age"),
    "ware": ("Grey Ware", "Red Ware"),
    "pot": ("Owl Jar", "Fox Jar", "Hare Cup"),
    "town": ("Hask",),
    "year": ("1960", "1985", "1991"),
    "number": ("90", "140", "20", "35", "50"),
}
_ROWS = [
    ("North Cut", "part_of", "Mellin Down"),
    ("South Cut", "part_of", "Abbots Ley"),
    ("Long Cut", "part_of", "Abbots Ley"),
    ("North Cut", "supervised_by", "Ada Hall"),
    ("South Cut", "supervised_by", "Bo Lind"),
    ("Long Cut", "supervised_by", "Bo Lind"),
    ("North Cut", "dug_in", "1960"),
    ("South Cut", "dug_in", "1985"),
    ("Long Cut", "dug_in", "1991"),
    ("North Cut", "depth_cm", "90"),
    ("South Cut", "depth_cm", "140"),
    ("Ada Hall", "studied_under", "Bo Lind"),
    ("Bo Lind", "studied_under", "Cy Marr"),
    ("Ada Hall", "niece_or_nephew_of", "Cy Marr"),
    ("Bo Lind", "niece_or_nephew_of", "Ada Hall"),
    ("Bronze Age", "precedes", "Iron Age"),
    ("Iron Age", "precedes", "Roman Age"),
    ("Owl Jar", "ware_of", "Grey Ware"),
    ("Fox Jar", "ware_of", "Grey Ware"),
    ("Hare Cup", "ware_of", "Red Ware"),
    ("Owl Jar", "found_in", "North Cut"),
    ("Fox Jar", "found_in", "South Cut"),
    ("Owl Jar", "height_cm", "20"),
    ("Fox Jar", "height_cm", "35"),
    ("Hare Cup", "height_cm", "50"),
    ("Grey Ware", "made_at", "Hask"),
]
_SCHEMA = """
types:
  trench: [trench, cutting]
  site: [site, dig, excavation]
  person: [person, archaeologist, excavator, who]
  age: [age, period]
  ware: [ware]
  pot: [pot, vessel]
  town: [town, where]
  year: [when, year]
  number: [number]
relations:
  part_of: {head: trench, tail: site, sentences: ["{head} is part of {tail}"]}
  supervised_by:
    head: trench
    tail: person
    sentences: ["{head} was supervised by {tail}", "{tail} supervised {head}"]
  dug_in: {head: trench, tail: year, sentences: ["{head} was dug in {tail}"]}
  depth_cm: {head: trench, tail: number, sentences: ["{head} is {tail} cm deep"]}
  studied_under:
    head: person
    tail: person
    sentences:
      - "{head} studied under {tail}"
      - "{head} learnt from {tail}"
      - "{head} is a student of {tail}"
      - "{tail} taught {head}"
      - "{head} trained with {tail}"
  niece_or_nephew_of:
    head: person
    tail: person
    sentences: ["{head} is a niece or nephew of {tail}", "{tail} is an aunt or uncle of {head}"]
  precedes: {head: age, tail: age, sentences: ["{head} precedes {tail}", "{tail} came after {head}"]}
  ware_of: {head: pot, tail: ware, sentences: ["{head} is of {tail}"]}
  found_in: {head: pot, tail: trench, sentences: ["{head} was found in {tail}"]}
  height_cm: {head: pot, tail: number, sentences: ["{head} is {tail} cm high"]}
  made_at: {head: ware, tail: town, sentences: ["{head} was made at {tail}"]}
"""


@cache
def dig() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


@cache
def dig_by_names() -> KnowledgeBase:
    """The same triples without the schema: relations are known by their names alone."""
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str) -> list[str] | str:
    return outcome(read(text, dig()), dig())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which was dug first, North Cut or South Cut?", ["North Cut"]),
        ("What came immediately after the Bronze Age?", ["Iron Age"]),
        ("Which lies deeper, North Cut or South Cut?", ["South Cut"]),
        ("Which trench runs deepest?", ["South Cut"]),
        ("Which Grey Ware is highest?", ["Fox Jar"]),
        ("Which Grey Ware is higher than 30 cm?", ["Fox Jar"]),
        ("Is there a trench that Ada Hall supervised? Which?", ["North Cut"]),
        ("Who taught Bo Lind?", ["Cy Marr"]),
        ("Who did Bo Lind study under?", ["Cy Marr"]),
        ("Is Ada Hall an excavator?", "yes"),
        ("Is Cy Marr the uncle of Ada Hall?", "yes"),
        ("Who is the aunt or uncle of Ada Hall?", ["Cy Marr"]),
        ("Who were the teachers of the person that supervised South Cut?", ["Cy Marr"]),
        ("Who learnt from Cy Marr's student?", ["Ada Hall"]),
    ],
)
def test_plain_questions_to_a_dig_are_answered(text: str, expected: list[str] | str) -> None:
    assert asked(text) == expected


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Which trenches supervised by Bo Lind are waterlogged?", "waterlogged"),
        ("Which pots found in North Cut are broken?", "broken"),
        ("Which trenches of Abbots Ley took the place of an earlier one?", "earlier"),
        ("What is the number on Owl Jar?", "number"),
    ],
)
def test_a_state_or_order_that_nothing_tells_is_named_and_not_answered(text: str, unread: str) -> None:
    reading = read(text, dig())
    assert outcome(reading, dig()) == "abstained" and unread in reading.abstains


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("How much would you want for Owl Jar?", "want"),
        ("How much would you give for Owl Jar?", "give"),
        ("What is the number on Owl Jar?", "number"),
    ],
)
def test_an_amount_that_no_word_says_is_not_the_only_one_there_is(text: str, unread: str) -> None:
    reading = read(text, dig_by_names())
    assert outcome(reading, dig_by_names()) == "abstained" and f"'{unread}'" in reading.abstains


@pytest.mark.parametrize("noun", ["breed", "hound", "terrier"])
def test_what_kind_a_thing_is_asks_for_no_others_of_its_kind(noun: str) -> None:
    kind_of = {"Fleck": "dog", "Tarn": "dog", "Moss": "dog", "Ann Rye": "person"}
    base = base_of(
        [("Fleck", "pup_of", "Moss"), ("Tarn", "pup_of", "Moss"), ("Moss", "handled_by", "Ann Rye")], kind_of
    )
    reading = read(f"What {noun} is Moss?", base)
    assert outcome(reading, base) == "abstained" and f"'{noun}'" in reading.abstains
    assert outcome(read("Which dogs are pups of Moss?", base), base) == ["Fleck", "Tarn"]


def test_a_missing_fact_is_not_made_up_of_the_one_the_other_way_round() -> None:
    # Only whom Cy Marr taught is told, though "trained with" might sound as if it held both ways.
    assert asked("Who did Cy Marr study under?") == "abstained"


def test_the_very_noun_of_a_type_is_not_a_noun_of_another_type_of_its_root() -> None:
    vocabulary = Vocabulary(dig().schema)
    assert vocabulary.types_named("excavation") == vocabulary.types_named("Excavations") == ("site",)
    assert vocabulary.types_named("excavators") == ("person",)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["{head} is served with {tail}"], True),
        (["{head} is married to {tail}", "{tail} is the wife of {head}"], True),
        (["{head} studied under {tail}", "{head} trained with {tail}"], False),
        (["{head} holds a key of {tail}", "{tail} left a key with {head}"], False),
        ([], False),
    ],
)
def test_what_is_done_with_another_holds_both_ways_where_it_is_said_so_alone(
    sentences: list[str], expected: bool
) -> None:
    assert is_mutual(RelationSchema("relation", "person", "person", tuple(sentences))) is expected
