"""Claims of times of day and of durations in words, and of what came last."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

FILMS = make_table(
    "films",
    "Programme of the Luna, Friday 6 October",
    [["Start", "Film", "Hall", "Length (min)"]],
    [
        ["14:00", "The Long Ferry", "Blue hall", "105"],
        ["15:30", "Pip", "Red hall", "75"],
        ["17:45", "Night Shift", "Blue hall", "90"],
        ["20:15", "Border Line", "Blue hall", "135"],
        ["21:00", "Quiet Water", "Red hall", "80"],
    ],
)
TOWER = make_table(
    "tower",
    "Opening of the tower",
    [["Season", "Opens", "Closes"]],
    [["Spring", "10:00", "16:30"], ["Summer", "09:30", "19:00"], ["Autumn", "10:00", "17:00"]],
)
ROADS = make_table(
    "roads",
    "Road works",
    [["Project", "Begun", "Finished"]],
    [
        ["Harrow bypass", "Mar 2012", "Oct 2014"],
        ["Tull bridge", "June 2015", "May 2016"],
        ["Coast road", "Jan 2016", "Dec 2020"],
        ["Mill tunnel", "Sept 2014", "Nov 2018"],
        ["Station square", "Nov 2018", "Aug 2021"],
    ],
)
OBJECTS = make_table(
    "objects",
    "Objects of the museum",
    [["Object", "Material", "Kept since"]],
    [["Bell", "bronze", "1934"], ["Loom", "wood", "1903"], ["Clock", "brass", "1958"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Night Shift starts at a quarter to six.", True),
        ("Night Shift starts at a quarter past six.", False),
        ("Border Line is shown in the Blue hall at a quarter past eight.", True),
        ("The Long Ferry lasts an hour and three quarters.", True),
        ("Pip lasts an hour and three quarters.", False),
        ("Quiet Water lasts 1 hour and 20 minutes.", True),
        ("Border Line is the last film to be shown in the Blue hall.", True),
        ("Night Shift is the last film in the Blue hall.", False),
        ("The first film in the Red hall is Pip.", True),
    ],
)
def test_words_tell_when_a_row_begins_and_how_long_it_takes(claim: str, truth: bool) -> None:
    assert verify(claim, FILMS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The tower closes half an hour later in autumn than in spring.", True),
        ("The tower closes an hour later in autumn than in spring.", False),
    ],
)
def test_hours_lie_between_times_of_day(claim: str, truth: bool) -> None:
    assert verify(claim, TOWER).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Coast road was begun before the Tull bridge was finished.", True),
        ("The Coast road was begun after the Tull bridge was finished.", False),
        ("The Mill tunnel did not begin before the Harrow bypass had ended.", False),
        # Which came first in November 2018 is not told.
        ("The Harrow bypass was finished before the Coast road was begun.", True),
    ],
)
def test_each_side_is_of_the_time_that_it_names(claim: str, truth: bool) -> None:
    assert verify(claim, ROADS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Loom has been kept for the longest time.", True),
        ("The Clock has been kept for the longest time.", False),
    ],
)
def test_what_is_kept_longest_was_begun_first(claim: str, truth: bool) -> None:
    assert verify(claim, OBJECTS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Clock has been kept for the second-longest time, after the Bell.", False),
        ("The Bell has been kept for the second-longest time, after the Loom.", True),
    ],
)
def test_the_second_stands_behind_the_first(claim: str, truth: bool) -> None:
    assert verify(claim, OBJECTS).supported is truth


ACTS = make_table(
    "acts",
    "Programme of the Barn",
    [["No.", "Act", "Genre", "Minutes"]],
    [["1", "Dust", "blues", "50"], ["2", "Oriel", "jazz", "60"], ["3", "Moe", "jazz", "75"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Moe lasts an hour and a quarter.", True),
        ("Moe plays a quarter of an hour longer than Oriel.", True),
        ("Moe plays half an hour longer than Oriel.", False),
        ("Dust plays for longer than Oriel.", False),
    ],
)
def test_a_header_that_is_a_unit_tells_it(claim: str, truth: bool) -> None:
    assert verify(claim, ACTS).supported is truth
