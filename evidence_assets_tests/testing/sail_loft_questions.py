"""An invented sailmakers' workshop, of which questions are asked that a hasty reader answers wrongly."""

from __future__ import annotations

from functools import cache

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, read

_MEMBERS = [
    ("Ilse Brand", "Red Loft", "2012"),
    ("Tom Aske", "Red Loft", "2016"),
    ("Rosa Lind", "Blue Loft", "2015"),
    ("Jon Vale", "Blue Loft", "2019"),
]
_SAILS = [
    ("Gale", "Red Loft", "2014", "Tom Aske", "40"),
    ("Breeze", "Blue Loft", "2015", "Rosa Lind", "25"),
    ("Squall", "Red Loft", "2018", "Jon Vale", "31"),
    ("Zephyr", "Blue Loft", "2021", "Rosa Lind", ""),
]
ROWS: list[tuple[str, str, str, str, str | None]] = [
    *((person, "member_of", loft, "sailmaker", "loft") for person, loft, _ in _MEMBERS),
    *((person, "joined_in", year, "sailmaker", None) for person, _, year in _MEMBERS),
    *((sail, "sewn_in", loft, "sail", "loft") for sail, loft, *_ in _SAILS),
    *((sail, "finished_in", year, "sail", None) for sail, _, year, *_ in _SAILS),
    *((sail, "repaired_by", person, "sail", "sailmaker") for sail, _, _, person, _ in _SAILS),
    *((sail, "area_in_square_metres", area, "sail", None) for sail, *_, area in _SAILS if area),
    ("Red Loft", "led_by", "Ilse Brand", "loft", "sailmaker"),
    ("Blue Loft", "led_by", "Jon Vale", "loft", "sailmaker"),
    ("Ilse Brand", "knows_stitch", "herringbone", "sailmaker", "stitch"),
    ("Ilse Brand", "knows_stitch", "flat seam", "sailmaker", "stitch"),
    ("Tom Aske", "knows_stitch", "flat seam", "sailmaker", "stitch"),
    ("Rosa Lind", "knows_stitch", "herringbone", "sailmaker", "stitch"),
    ("Ilse Brand", "has_child", "Rosa Lind", "sailmaker", "sailmaker"),
    ("Tom Aske", "married_to", "Jon Vale", "sailmaker", "sailmaker"),
]


@cache
def sail_loft() -> KnowledgeBase:
    return base_of_typed(ROWS)


def asked(text: str) -> list[str] | str:
    """The answers that a question is given, or "abstained"."""
    return outcome(read(text, sail_loft()), sail_loft())
