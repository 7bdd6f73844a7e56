"""Invented potters who learn of, teach and employ each other, with and without a schema: asked in tests."""

from __future__ import annotations

from functools import cache

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "potter": ("Gwen Tallis", "Otis Fenwick", "Ruth Cassel", "Nell Bramble", "Paul Stark", "Ida Moss"),
    "workshop": ("Blue Kiln", "Stone Wheel", "Fire Yard"),
    "town": ("Varden", "Kolby"),
    "year": ("1961", "1975", "1988"),
    "pot": ("Grey Heron", "Tall Anna", "Moon Jar"),
}
_ROWS = [
    ("Gwen Tallis", "apprenticed_to", "Otis Fenwick"),
    ("Paul Stark", "apprenticed_to", "Otis Fenwick"),
    ("Nell Bramble", "apprenticed_to", "Ruth Cassel"),
    ("Ruth Cassel", "apprenticed_to", "Ida Moss"),
    ("Ida Moss", "mentored", "Gwen Tallis"),
    ("Gwen Tallis", "employed_by", "Blue Kiln"),
    ("Nell Bramble", "employed_by", "Blue Kiln"),
    ("Otis Fenwick", "employed_by", "Stone Wheel"),
    ("Blue Kiln", "founded_by", "Ruth Cassel"),
    ("Stone Wheel", "founded_by", "Ida Moss"),
    ("Fire Yard", "founded_by", "Otis Fenwick"),
    ("Blue Kiln", "based_in", "Varden"),
    ("Stone Wheel", "based_in", "Kolby"),
    ("Fire Yard", "based_in", "Kolby"),
    ("Gwen Tallis", "joined_in", "1988"),
    ("Nell Bramble", "joined_in", "1975"),
    ("Otis Fenwick", "joined_in", "1961"),
    ("Grey Heron", "thrown_by", "Gwen Tallis"),
    ("Tall Anna", "thrown_by", "Nell Bramble"),
    ("Moon Jar", "thrown_by", "Ruth Cassel"),
]
_SCHEMA = """
types:
  potter: [who, potter]
  workshop: [workshop, pottery]
  town: [where, town]
  year: [when, year]
  pot: [pot, piece]
relations:
  apprenticed_to:
    head: potter
    tail: potter
    sentences:
      - "{head} was apprenticed to {tail}"
      - "{tail} trained {head}"
      - "{head} learned the trade from {tail}"
  mentored: {head: potter, tail: potter, sentences: ["{head} mentored {tail}"]}
  employed_by: {head: potter, tail: workshop, sentences: ["{head} works for {tail}", "{tail} employs {head}"]}
  founded_by:
    head: workshop
    tail: potter
    sentences: ["{head} was founded by {tail}", "{tail} founded {head}"]
  based_in: {head: workshop, tail: town, sentences: ["{head} is based in {tail}"]}
  joined_in: {head: potter, tail: year, sentences: ["{head} joined in {tail}"]}
  thrown_by: {head: pot, tail: potter, sentences: ["{head} comes from {tail}", "{tail} made {head}"]}
"""


@cache
def potters(authored: bool) -> KnowledgeBase:
    """A graph of potters, with the schema that its author wrote or by the names of its relations."""
    if authored:
        return base_of_schema(_ROWS, _KINDS, _SCHEMA)
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked_of_potters(text: str, authored: bool) -> list[str] | str:
    return outcome(read(text, potters(authored)), potters(authored))
