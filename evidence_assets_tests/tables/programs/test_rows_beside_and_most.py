"""What came right after in time, of what there is most, and words that only begin like a header."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.questions.wording.words_alike import resembles
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import answered

BEDS = make_table(
    "beds",
    "Beds",
    [["Bed", "Sown", "Crop"]],
    [
        ["North", "12 March", "peas"],
        ["East", "3 April", "beans"],
        ["South", "28 February", "leeks"],
        ["West", "20 March", "kale"],
    ],
)
EWES = make_table(
    "ewes",
    "Lambing",
    [["Ewe", "Born", "2019", "2020", "2021"]],
    [["Daisy", "2018", "1", "2", "2"], ["Poppy", "2017", "2", "-", "1"], ["Fern", "2019", "-", "1", "3"]],
)
SHIPS = make_table(
    "ships",
    "Ships",
    [["Ship", "Plants", "Passengers", "Cards"]],
    [["Argo", "3", "70", "9"], ["Bear", "5", "60", "2"], ["Cobra", "1", "800", "11"]],
)


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        (BEDS, "Which bed was sown first?", {"South"}),
        (BEDS, "Which bed was sown last?", {"East"}),
        (BEDS, "Which bed was sown right after the West bed?", {"East"}),
        (BEDS, "Which bed was sown directly before the North bed?", {"South"}),
        (EWES, "Which ewes had lambs in 2020?", {"Daisy", "Fern"}),
        (SHIPS, "Which ship has the most plants?", {"Bear"}),
    ],
)
def test_what_is_told_is_answered(table: Table, question: str, values: set[str]) -> None:
    assert answered(question, table) == values


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (EWES, "Which ewe died in 2020?"),
        (EWES, "Which ewe was born in 2020?"),
        (SHIPS, "Which ship has the most plans?"),
        (SHIPS, "Which ship passed the most?"),
    ],
)
def test_what_nothing_tells_is_not_answered(table: Table, question: str) -> None:
    assert answered(question, table) is None


def test_what_came_later_did_not_come_right_after() -> None:
    assert not verify("The East bed was sown right after the North bed.", BEDS).decides
    assert verify("The East bed was sown after the North bed.", BEDS).supported is True


def test_only_days_of_a_season_go_on_in_the_next_year() -> None:
    season = make_table(
        "season", "Meets", [["Meet", "Day"]], [["A", "5 October"], ["B", "20 December"], ["C", "10 March"]]
    )
    assert sorted(index_of(season).series[1], key=index_of(season).series[1].__getitem__) == [0, 1, 2]
    assert sorted(index_of(BEDS).series[1], key=index_of(BEDS).series[1].__getitem__) == [2, 0, 3, 1]


@pytest.mark.parametrize(
    ("word", "key"), [("make", "maker"), ("rain", "rainfal"), ("deliv", "deliveri"), ("medalist", "medal")]
)
def test_words_that_are_forms_of_one_another(word: str, key: str) -> None:
    assert resembles(word, key)


@pytest.mark.parametrize(("word", "key"), [("plan", "plant"), ("pass", "passeng"), ("count", "countri")])
def test_words_that_only_begin_alike(word: str, key: str) -> None:
    assert not resembles(word, key)
