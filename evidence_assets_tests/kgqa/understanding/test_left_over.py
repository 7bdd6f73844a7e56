"""Words that no fact tells are left over and named, and such questions not answered."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.railway_questions import base_of, outcome, railway_of, read
from evidence_assets_tests.testing.workshop_questions import asked

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who will tune Nightjar?", "will"),
        ("Who could tune Nightjar?", "could"),
        ("Who may have tuned Nightjar?", "may"),
        ("Who must tune Nightjar?", "must"),
        ("Who should tune Nightjar?", "should"),
        ("Who used to tune Nightjar?", "used"),
        ("Who cannot tune Nightjar?", "cannot"),
    ],
)
def test_that_something_may_or_must_be_is_told_by_no_fact(text: str, word: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained" and f"'{word}'" in reading.abstains
    assert word in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Could you tell me who tunes Nightjar?", ["Ida Krall"]),
        ("Would you tell me who tunes Nightjar?", ["Ida Krall"]),
        ("Can Ida Krall tune Nightjar?", "yes"),
    ],
)
def test_requests_and_what_is_so_and_hence_can_be_are_answered(
    text: str, expected: list[str] | str, authored: bool
) -> None:
    assert asked(text, authored)[0] == expected


@with_and_without_schema
@pytest.mark.parametrize("verb", ["own", "like", "need", "know", "want"])
def test_verbs_of_general_english_say_what_they_say(verb: str, authored: bool) -> None:
    answer, reading = asked(f"Does Ida Krall {verb} Nightjar?", authored)
    assert answer == "abstained" and verb in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize("verb", ["fills in for", "writes about", "rows with"])
def test_what_is_done_for_whom_a_relation_tells_is_left_over(verb: str, authored: bool) -> None:
    answer, reading = asked(f"Who {verb} the tuner of Nightjar?", authored)
    assert answer == "abstained" and verb.split(maxsplit=1)[0] in reading.accounting.unaccounted
    assert asked("Who is the tuner of Nightjar?", authored)[0] == ["Ida Krall"]


def test_a_verb_that_the_graph_has_is_bound_to_it() -> None:
    base = railway_of([("Ada", "owns", "Heron"), ("Bo", "owns", "Swift")], typed=False)
    reading = read("Which does Ada own?", base)
    assert outcome(read("Does Ada own Heron?", base), base) == "yes"
    assert "own" not in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize("unit", ["month", "season", "decade"])
def test_a_year_tells_no_unit_of_time_but_itself(unit: str, authored: bool) -> None:
    answer, reading = asked(f"In which {unit} was Whinchat built?", authored)
    assert answer == "abstained" and f"'{unit}'" in reading.abstains


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who refused to tune Nightjar?", "refused"),
        ("Who first tuned Nightjar?", "first"),
        ("Who tunes Nightjar on Sundays?", "Sundays"),
        ("Who tunes Nightjar on sundays?", "sundays"),
    ],
)
def test_what_decides_is_not_left_out(text: str, word: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained" and word in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize(
    "text",
    [
        "Who no longer tunes Nightjar?",
        "Which instruments are no longer tuned by Ida Krall?",
        "Who doesn't tune Nightjar any longer?",
    ],
)
def test_what_ended_is_no_length_and_told_by_no_fact(text: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained" and "longer" in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize("verb", ["sold", "stolen", "painted", "demolished", "repaired"])
def test_a_year_is_told_of_what_was_done_then_and_of_nothing_else(verb: str, authored: bool) -> None:
    answer, reading = asked(f"When was Nightjar {verb}?", authored)
    assert answer == "abstained" and verb in reading.accounting.unaccounted
    assert asked("When was Nightjar built?", authored)[0] == ["1962"]


def test_who_used_to_do_what_a_sentence_tells_in_the_past_did_it() -> None:
    assert asked("Who used to build Nightjar?", True)[0] == ["Orlan Brothers"]
    assert asked("Who used to tune Nightjar?", True)[0] == "abstained"


@with_and_without_schema
@pytest.mark.parametrize("other", ["a different", "another"])
def test_another_than_somebodys_is_not_the_same(other: str, authored: bool) -> None:
    answer, reading = asked(f"Which instruments are made of {other} wood than Nightjar?", authored)
    assert answer == "abstained" and other.rsplit(maxsplit=1)[-1] in reading.accounting.unaccounted


def test_values_are_not_told_in_a_unit_that_they_are_not_of() -> None:
    base = railway_of([("Swift", "weight_kg", "120"), ("Dipper", "weight_kg", "85")], typed=False)
    assert outcome(read("What does Swift weigh in kg?", base), base) == ["120"]
    reading = read("What does Swift weigh in pounds?", base)
    assert reading.abstains and "pounds" in reading.accounting.unaccounted


@with_and_without_schema
@pytest.mark.parametrize("verb", ["drive", "sell"])
def test_what_somebody_does_is_not_told_by_what_else_they_do(verb: str, authored: bool) -> None:
    answer, reading = asked(f"Did Ida Krall {verb} Nightjar?", authored)
    assert answer == "abstained" and f"'{verb}'" in reading.abstains


@with_and_without_schema
def test_the_oldest_and_the_newest_are_not_the_newest_of_the_oldest(authored: bool) -> None:
    assert asked("Who tunes the oldest instrument?", authored)[0] == ["Ida Krall"]
    assert asked("Who tunes the oldest and the newest instrument?", authored)[0] == "abstained"


@with_and_without_schema
def test_how_much_is_no_year(authored: bool) -> None:
    assert asked("How much did the building of Nightjar cost?", authored)[0] == "abstained"
    assert asked("When was Nightjar built?", authored)[0] == ["1962"]


@pytest.mark.parametrize("manner", ["secretly", "almost", "supposedly", "rarely", "reluctantly"])
def test_how_or_whether_something_is_done_is_told_by_no_fact(manner: str) -> None:
    answer, reading = asked(f"Who {manner} tuned Nightjar?", False)
    assert answer == "abstained", str(reading.query)
    rows = [("Coast Line", "operated_by", "Northmoor Rail"), ("Fell Line", "operated_by", "Southern Star")]
    base = railway_of(rows)
    assert outcome(read(f"Which lines are {manner} operated by Southern Star?", base), base) == "abstained"


@pytest.mark.parametrize("assured", ["currently", "actually", "presently"])
def test_that_it_is_so_now_is_what_is_asked_anyway(assured: str) -> None:
    rows = [("Coast Line", "operated_by", "Northmoor Rail"), ("Fell Line", "operated_by", "Southern Star")]
    base = railway_of(rows)
    text = f"Which lines are {assured} operated by Southern Star?"
    assert outcome(read(text, base), base) == ["Fell Line"]


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Is there someone who tunes Nightjar, and where do they live?", "where"),
        ("Who tunes Nightjar and what does it cost?", "what"),
    ],
)
def test_a_second_question_is_left_over(text: str, word: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained" and word in reading.accounting.unaccounted


_HIVES = [
    ("Copper Roof", "infested_with", "wax moth"),
    ("Black Skep", "infested_with", "varroa"),
    ("Short Stack", "infested_with", "nosema"),
    ("wax moth", "remedy", "acetic acid"),
    ("varroa", "remedy", "thymol"),
]
_OF_HIVES = {
    **dict.fromkeys(("Copper Roof", "Black Skep", "Short Stack"), "hive"),
    **dict.fromkeys(("wax moth", "varroa", "nosema"), "parasite"),
    **dict.fromkeys(("acetic acid", "thymol"), "substance"),
}


@pytest.mark.parametrize("verb", ["use", "take", "do"])
def test_what_is_used_against_something_is_not_that(verb: str) -> None:
    base = base_of(_HIVES, _OF_HIVES)
    reading = read(f"What can you {verb} against the parasite that Copper Roof is infested with?", base)
    assert outcome(reading, base) != ["wax moth"]
    assert reading.abstains


def test_what_something_is_infested_with_is_told() -> None:
    base = base_of(_HIVES, _OF_HIVES)
    assert outcome(read("What is Copper Roof infested with?", base), base) == ["wax moth"]
