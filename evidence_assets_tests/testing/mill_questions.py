"""Questions asked by names alone of invented mills, and of who owns and works them."""

from __future__ import annotations

from functools import cache

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets_tests.testing.railway_questions import base_of, outcome, read

_KINDS = {
    "mill": ("Weir Mill", "Tide Mill", "Smock Mill", "Post Mill"),
    "family": ("the Harrows", "the Tolleys", "the Brights"),
    "village": ("Ashby", "Marlow"),
}
_ROWS = [
    ("Weir Mill", "owned_by", "the Harrows"),
    ("Weir Mill", "worked_by", "the Harrows"),
    ("Tide Mill", "owned_by", "the Harrows"),
    ("Tide Mill", "worked_by", "the Tolleys"),
    ("Smock Mill", "owned_by", "the Brights"),
    ("Smock Mill", "worked_by", "the Harrows"),
    ("Post Mill", "owned_by", "the Brights"),
    ("Post Mill", "worked_by", "the Brights"),
    ("Weir Mill", "located_in", "Ashby"),
    ("Tide Mill", "located_in", "Marlow"),
    ("Smock Mill", "located_in", "Marlow"),
    ("Post Mill", "located_in", "Ashby"),
]


@cache
def mills() -> KnowledgeBase:
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def read_of_mills(text: str) -> QuestionReading:
    return read(text, mills())


def asked_of_mills(text: str) -> list[str] | str:
    return outcome(read_of_mills(text), mills())
