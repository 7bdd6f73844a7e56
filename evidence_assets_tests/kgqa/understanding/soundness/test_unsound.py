"""Questions whose words a hasty reader takes for what they are not, beside those that they are like."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.sail_loft_questions import asked


@pytest.mark.parametrize(
    "question",
    [
        # An order in time that nothing takes up.
        "Who joined after Gale was finished?",
        "Which sailmakers joined before Breeze was finished?",
        # What all know is not what some know, and who knows one knows no two.
        "Which stitches do all members of Red Loft know?",
        "Which sailmakers know one stitch?",
        # Another relation's own word.
        "Which sails has Rosa Lind finished?",
        # Another deed, of which the time is not told.
        "When was Gale sold?",
        "When was Gale launched?",
        # The contrary.
        "Which sailmakers left in 2016?",
        "Which sailmakers are unmarried?",
        # A noun of two words.
        "Which loft leads know herringbone?",
        "Which loft leader knows herringbone?",
        "Is Ilse Brand a loft lead?",
        # Of another time than is told, and of less than a year.
        "In what year did Tom Aske repair Gale?",
        "Which sails were finished in the spring of 2014?",
        # A count of what is not asked for, or of what no word says.
        "Which sail is the smallest by number of repairs?",
        # Other kin, and persons of one sex.
        "Who are the grandchildren of Ilse Brand?",
        "Who is the brother of Jon Vale?",
        "Which women are members of Red Loft?",
        # What more is said of how.
        "Which sails were sewn in Red Loft at night?",
        # What is no longer so, a number of superlatives, an adjective of something else.
        "Which sailmakers stopped repairing Gale?",
        "Which sailmakers want to repair Gale?",
        "What are the two largest sails?",
        "Which sails were sewn in cold lofts?",
        # Of one of the two no area is told.
        "Which sail is bigger, Gale or Zephyr?",
        "How many sails did Gale finish?",
    ],
)
def test_what_is_not_told_as_it_is_asked_is_not_answered(question: str) -> None:
    assert asked(question) == "abstained"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who joined in 2016?", ["Tom Aske"]),
        ("Which sails were finished before Squall?", ["Breeze", "Gale"]),
        ("Which stitches does Ilse Brand know?", ["flat seam", "herringbone"]),
        ("Which sailmakers know more than one stitch?", ["Ilse Brand"]),
        ("When was Gale completed?", ["2014"]),
        ("Who leads Red Loft?", ["Ilse Brand"]),
        ("Who are the children of Ilse Brand?", ["Rosa Lind"]),
        ("Who repaired Gale?", ["Tom Aske"]),
        ("How many sails were sewn in Red Loft?", "2"),
        ("Which is the largest sail?", ["Gale"]),
        ("Which sail is bigger, Gale or Breeze?", ["Gale"]),
    ],
)
def test_what_is_told_is_answered(question: str, answer: list[str] | str) -> None:
    assert asked(question) == answer


def test_who_has_none_has_fewer_than_two() -> None:
    assert asked("Which sailmakers know fewer than two stitches?") == ["Jon Vale", "Rosa Lind", "Tom Aske"]


@pytest.mark.parametrize("question", ["Which sailmakers lack a stitch?", "Which sailmakers know no stitch?"])
def test_to_lack_is_to_have_none(question: str) -> None:
    assert asked(question) == ["Jon Vale"]


def test_what_holds_both_ways_round_is_denied_of_neither() -> None:
    # It is written down that Tom is married to Jon, and not that Jon is to Tom.
    assert asked("Which sailmakers are not married?") == ["Ilse Brand", "Rosa Lind"]
    assert asked("Who is married to Jon Vale?") == ["Tom Aske"]
