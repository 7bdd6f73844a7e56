"""An invented playhouse with the schema that its author wrote: asked in tests."""

from __future__ import annotations

from functools import cache

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema

_KINDS = {
    "play": ("Winter Thread", "Clockwork Sea", "Three Crows"),
    "actor": ("Mona Reyes", "Karl Udo", "Sven Aho"),
    "prop": ("Great Anchor", "Tin Moon"),
    "duration": ("120", "45"),
    "weight": ("310", "8"),
}
_ROWS = [
    ("Clockwork Sea", "adapted_from", "Winter Thread"),
    ("Clockwork Sea", "duration_minutes", "120"),
    ("Three Crows", "duration_minutes", "45"),
    ("Mona Reyes", "married_to", "Karl Udo"),
    ("Sven Aho", "appears_in", "Three Crows"),
    ("Mona Reyes", "appears_in", "Clockwork Sea"),
    ("Great Anchor", "weight_kg", "310"),
    ("Tin Moon", "weight_kg", "8"),
]
_SCHEMA = """
types:
  play: [play, plays]
  actor: [who, actor, actors]
  prop: [prop, props]
  duration: [duration]
  weight: [weight]
relations:
  adapted_from: {head: play, tail: play, sentences: ["{head} is an adaptation of {tail}"]}
  duration_minutes: {head: play, tail: duration, sentences: ["{head} lasts {tail} minutes"]}
  married_to: {head: actor, tail: actor, sentences: ["{head} is married to {tail}"]}
  appears_in: {head: actor, tail: play, sentences: ["{head} appears in {tail}"]}
  weight_kg: {head: prop, tail: weight, sentences: ["{head} weighs {tail} kg"]}
"""


@cache
def playhouse() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)
