"""An invented workshop of instruments, with the schema that its author wrote and without: asked in tests."""

from __future__ import annotations

from functools import cache

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "instrument": ("Nightjar", "Redwing", "Dotterel", "Whinchat"),
    "maker": ("Orlan Brothers", "Tessel House"),
    "wood": ("maple", "spruce"),
    "tuner": ("Ida Krall", "Per Lund"),
    "town": ("Velden", "Orsk"),
    "year": ("1962", "1974", "1981"),
}
_ROWS = [
    ("Nightjar", "built_by", "Orlan Brothers"),
    ("Redwing", "built_by", "Orlan Brothers"),
    ("Dotterel", "built_by", "Tessel House"),
    ("Whinchat", "built_by", "Tessel House"),
    ("Nightjar", "made_of", "maple"),
    ("Redwing", "made_of", "maple"),
    ("Dotterel", "made_of", "spruce"),
    ("Whinchat", "made_of", "maple"),
    ("Nightjar", "tuned_by", "Ida Krall"),
    ("Redwing", "tuned_by", "Ida Krall"),
    ("Dotterel", "tuned_by", "Per Lund"),
    ("Orlan Brothers", "based_in", "Velden"),
    ("Tessel House", "based_in", "Orsk"),
    ("Nightjar", "built_in", "1962"),
    ("Dotterel", "built_in", "1974"),
    ("Whinchat", "built_in", "1981"),
]
_SCHEMA = """
types:
  instrument: [instrument, instruments]
  maker: [who, maker, makers]
  wood: [wood]
  tuner: [who, tuner, tuners]
  town: [town, where]
  year: [when, year]
relations:
  built_by:
    head: instrument
    tail: maker
    sentences: ["{head} was built by {tail}", "{tail} built {head}"]
  made_of: {head: instrument, tail: wood, sentences: ["{head} is made of {tail}"]}
  tuned_by:
    head: instrument
    tail: tuner
    sentences: ["{head} is tuned by {tail}", "{tail} tunes {head}"]
  based_in: {head: maker, tail: town, sentences: ["{head} is based in {tail}"]}
  built_in: {head: instrument, tail: year, sentences: ["{head} was built in {tail}"]}
"""


@cache
def workshop(authored: bool) -> KnowledgeBase:
    if authored:
        return base_of_schema(_ROWS, _KINDS, _SCHEMA)
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str, authored: bool) -> tuple[list[str] | str, QuestionReading]:
    """What a question of the workshop is answered with, and its reading."""
    reading = read(text, workshop(authored))
    return outcome(reading, workshop(authored)), reading
