"""Names of rows and columns as tables write them: codes, initials, nouns before their unit."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets_tests.testing.program_verdicts import decided

PITCHES = make_table(
    "pitches",
    "Pitches of a campsite",
    [["Pitch", "Guest", "Adults", "Paid (€)"]],
    [
        ["A1", "Gus T.", "2", "252"],
        ["B3", "Hana W.", "3", "54"],
        ["C2", "Dr. Orr", "1", "90"],
        ["C3", "Iva K.", "2", "120"],
    ],
)
CLASSES = make_table(
    "classes",
    "Classes of a school",
    [["Class", "Pupils"]],
    [["7a", "28"], ["7b", "25"], ["8a", "24"], ["8b", "26"]],
)
COUNTRIES = make_table(
    "countries",
    "Countries of the gulf",
    [["Country", "Altitude (m)", "GDP (US$ billion)", "GDP growth (%)", "Deaths"]],
    [
        ["Farran", "310", "45.9", "3.8", "7"],
        ["Aravia", "120", "98.2", "2.1", "9"],
        ["Olm", "80", "12.4", "4.4", "2"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Both C3 and B3 have more than 1 adult.", True),
        ("Both C2 and B3 have more than 1 adult.", False),
        ("C3 and B3 have 5 adults together.", True),
        ("Both Gus T. and Iva K. paid more than €100.", True),
        ("Both Gus T. and Hana W. paid more than €100.", False),
    ],
)
def test_codes_and_initials_name_rows_whole(claim: str, truth: bool) -> None:
    assert decided(claim, PITCHES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"), [("7a is the biggest class.", True), ("8b is the biggest class.", False)]
)
def test_codes_of_figures_and_letters_measure_nothing(claim: str, truth: bool) -> None:
    assert decided(claim, CLASSES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Farran has a higher GDP than Aravia.", False),
        ("Farran has a higher GDP growth than Aravia.", True),
        ("Aravia has the highest GDP.", True),
        ("The number of deaths in Aravia is lower than in Farran.", False),
        ("The GDP of Farran is lower than that of Aravia.", True),
        ("Aravia is lower than Farran.", True),
    ],
)
def test_a_header_is_named_by_its_noun_and_comes_before_what_is_high(claim: str, truth: bool) -> None:
    assert decided(claim, COUNTRIES) is truth


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Gus T. and St. Anne", ["gus", "t", "and", "st", "anne"]),
        ("It is plan B.", ["it", "be", "plan", "b", "."]),
        ("He left. They stayed", ["he", "left", ".", "they", "stayed"]),
    ],
)
def test_a_point_behind_an_initial_ends_no_sentence(text: str, words: list[str]) -> None:
    assert [token.text for token in tokens(text)] == words


DRUGS = make_table(
    "drugs",
    "Drugs of a ward",
    [["Drug", "Class", "Price (€)", "Generic available"]],
    [
        ["Vexil", "Statin", "20", "Yes"],
        ["Moran", "Beta blocker", "50", "Yes"],
        ["Tarsin", "Statin", "40", "No"],
        ["Pelode", "Diuretic", "25", "Yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Vexil has a generic.", True),
        ("There is no generic of Tarsin.", True),
        ("Tarsin is the only one without a generic.", True),
        ("Every statin has a generic.", False),
        ("Three drugs have generics.", True),
        pytest.param("Tarsin is a generic.", None, id="it is told to have one, not to be one"),
    ],
)
def test_a_header_that_ends_with_available_names_what_there_is(claim: str, truth: bool | None) -> None:
    assert decided(claim, DRUGS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A pack of Moran costs 10 euros more than one of Tarsin.", True),
        ("A prescription for Moran costs 10 euros more than one for Tarsin.", True),
        ("A prescription for Moran costs more than one for Tarsin.", True),
        ("A prescription for Vexil costs more than one for Tarsin.", False),
        ("The Moran pack is more expensive than the Vexil one.", True),
    ],
)
def test_one_stands_for_a_noun_said_before(claim: str, truth: bool) -> None:
    assert decided(claim, DRUGS) is truth
