"""Questions whose syntax says which way a relation is meant, asked of an invented workshop of instruments."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.derivations import akin
from evidence_assets.text.roots import root
from evidence_assets_tests.testing.railway_questions import base_of_typed, meant, read

ROWS = [
    ("Alda Venn", "mentor_of", "Bruno Hale", "person", "person"),
    ("Bruno Hale", "mentor_of", "Carla Moss", "person", "person"),
    ("Redwing", "made_by", "Alda Venn", "violin", "person"),
    ("Bluebird", "made_by", "Bruno Hale", "violin", "person"),
    ("Nightjar", "made_by", "Carla Moss", "violin", "person"),
    ("Redwing", "played_in", "Lund Hall", "violin", "hall"),
    ("Bluebird", "played_in", "Lund Hall", "violin", "hall"),
    ("Nightjar", "played_in", "Ost Hall", "violin", "hall"),
    ("Lund Hall", "lies_in", "Lund", "hall", "town"),
    ("Ost Hall", "lies_in", "Ost", "hall", "town"),
    ("Redwing", "built_of", "maple", "violin", "wood"),
    ("Redwing", "built_of", "spruce", "violin", "wood"),
    ("Redwing", "built_of", "ebony", "violin", "wood"),
    ("Bluebird", "built_of", "spruce", "violin", "wood"),
    ("Nightjar", "built_of", "maple", "violin", "wood"),
    ("Nightjar", "built_of", "spruce", "violin", "wood"),
    ("Redwing", "bow_price_eur", "310", "violin", "number"),
    ("Bluebird", "bow_price_eur", "95", "violin", "number"),
    ("Nightjar", "bow_price_eur", "120", "violin", "number"),
    ("Lund Hall", "founded", "1871", "hall", "year"),
    ("Ost Hall", "founded", "1902", "hall", "year"),
]


@cache
def workshop() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Whose mentor is Alda Venn?", ["Bruno Hale"]),
        ("Whose violins are played in Ost Hall?", ["Carla Moss"]),
        ("In which towns is Redwing played?", ["Lund"]),
        ("What does a bow of Bluebird cost?", ["95"]),
        ("Violins built of three woods or more", ["Redwing"]),
        ("Persons who made nothing out of maple", ["Bruno Hale"]),
        ("Which has been around longer, Lund Hall or Ost Hall?", ["Lund Hall"]),
        ("Is Lund Hall earlier than Ost Hall?", "yes"),
    ],
)
def test_syntax_says_what_is_asked(text: str, expected: list[str] | str) -> None:
    reading = read(text, workshop())
    assert meant(reading, workshop()) == expected, reading.query


def test_a_verb_before_a_name_is_no_noun_of_what_is_asked_for() -> None:
    assert "type" not in {
        binding.target.partition(" ")[0]
        for binding in read("What caused Redwing?", workshop()).accounting.bindings
        if binding.text == "caused"
    }


@pytest.mark.parametrize(
    ("word", "base", "ending"),
    [("stronger", "strong", "er"), ("newest", "new", "est"), ("teacher", "teacher", "")],
)
def test_comparatives_are_of_adjectives(word: str, base: str, ending: str) -> None:
    assert adjective_of(word)[1] == ending
    assert not ending or adjective_of(word)[0] == base


def test_nouns_of_one_stem_are_akin() -> None:
    assert akin(root("librettist"), root("libretto"))
    assert not akin(root("station"), root("statue"))
    assert akin(root("owned"), root("owner"))
    assert akin(root("made"), root("maker"))
    assert not akin(root("own"), root("owl"))
