"""Links of a claim's words to cells and headers."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.wording.words import tokens

GAMES = make_table(
    "games",
    "1954 season",
    [["home team", "home team score", "away team", "away team score", "crowd", "date"]],
    [
        ["carlton", "9.11 (65)", "richmond", "6.10 (46)", "25,863", "31 july 1954"],
        ["richmond", "16.14 (110)", "hawthorn", "5.3 (33)", "26,708", "7 august 1954"],
        ["hawthorn", "5.3 (33)", "carlton", "6.5 (41)", "19,500", "14 august 1954"],
    ],
)
SCHOOLS = make_table(
    "schools",
    "",
    [["name", "enrollment", "location", "founded"]],
    [
        ["Anderson University", "2.9 million", "Anderson, South Carolina", "1911"],
        ["Élon University", "0.553", "Elon, North Carolina", "1889"],
    ],
)


def reading(claim: str, table: object = GAMES) -> GroundedClaim:
    return ground(claim, TableIndex(table))  # type: ignore[arg-type]


def places(claim: str, table: object = GAMES) -> dict[str, dict[int, set[int]]]:
    made = reading(claim, table)
    return {
        made.phrase(link.start, link.end): {column: set(rows) for column, rows in link.places.items()}
        for link in made.links
    }


def test_a_value_is_held_to_the_header_beside_it() -> None:
    assert places("carlton be the home team")["carlton"] == {0: {0}}
    assert places("the away team be carlton")["carlton"] == {2: {2}}
    assert places("carlton play")["carlton"] == {0: {0}, 2: {2}}


def test_a_value_that_its_header_has_not_is_nowhere() -> None:
    assert places("the home team score be 6.10 (46)")["6.10 ( 46"] == {}


def test_the_last_value_is_held_to_the_header_that_opens_the_claim() -> None:
    linked = places("the away team score at the game when richmond be the home team be 5.3 (33)")
    assert linked["richmond"] == {0: {1}}
    assert linked["5.3 ( 33"] == {3: {1}}


def test_thousands_marks_dates_and_order_of_the_day() -> None:
    assert places("the crowd be 25863")["25863"] == {4: {0}}
    assert places("on july 31 1954 a game took place")["july 31 1954"] == {5: {0}}
    assert places("on 31 july , 1954 a game took place")["31 july , 1954"] == {5: {0}}


def test_a_word_that_begins_otherwise_is_not_misspelt() -> None:
    groups = make_table("groups", "", [["group", "votes"]], [["Others", "31"], ["Moderates", "40"]])
    assert places("few bothered in 2010", groups) == {}
    assert places("the moderrates had 40", groups)["moderrates"] == {0: {1}}


def test_accents_cases_plurals_and_misspellings() -> None:
    assert places("elon university", SCHOOLS)["elon university"] == {0: {1}}
    assert places("the Carltons met Hawthorne")["carltons"] == {0: {0}, 2: {2}}
    assert places("the Carltons met Hawthorne")["hawthorne"] == {0: {2}, 2: {1}}


def test_numbers_in_other_scales() -> None:
    assert places("an enrollment of 2,900,000", SCHOOLS)["2,900,000"] == {1: {0}}
    assert places("an enrollment of 553", SCHOOLS)["553"] == {1: {1}}


def test_scores_keep_their_order() -> None:
    table = make_table("t", "", [["team", "score"]], [["a", "2 - 3"], ["b", "3 - 2"]])
    assert places("the score be 2 - 3", table)["2 - 3"] == {1: {0}}
    assert places("the score be 3 - 2", table)["3 - 2"] == {1: {1}}


def test_bounds_become_rows_of_their_column() -> None:
    assert places("a crowd of more than 20000")["more than 20000"] == {4: {0, 1}}
    assert places("a crowd of at most 25863")["at most 25863"] == {4: {0, 2}}
    assert places("played after august 1 1954")["after august 1 1954"] == {5: {1, 2}}
    assert places("founded before 1900", SCHOOLS)["before 1900"] == {3: {1}}
    assert places("founded between 1900 and 1950", SCHOOLS)["1900 and 1950"] == {3: {0}}


def test_outcomes_are_read_from_their_first_letter() -> None:
    table = make_table("t", "", [["opponent", "result"]], [["bears", "l 24 - 16"], ["lions", "w 28 - 10"]])
    assert places("they win", table)["win"] == {1: {1}}
    assert places("they lose", table)["lose"] == {1: {0}}


def test_words_found_nowhere_lower_the_coverage() -> None:
    assert reading("carlton be the home team").linked.coverage == 1
    assert reading("carlton be the zebra").linked.coverage == 0.5
    assert reading("").linked.coverage == 0


def test_tokens_carry_signs_scales_and_denials() -> None:
    assert [token.number for token in tokens("- 2") if token.number is not None] == [-2]
    assert [token.number for token in tokens("2 - 3") if token.number is not None] == [2, 3]
    assert [token.number for token in tokens("7.8m in 2:06") if token.number is not None] == [7.8e6, 126]
    assert [token.text for token in tokens("it wasn't won")] == ["it", "be", "not", "won"]
    assert tokens("ninth")[0].ordinal and tokens("9th")[0].key == tokens("nine")[0].key


def test_an_ordinal_of_so_many_is_no_score() -> None:
    table = make_table(
        "bouts",
        "",
        [["bout", "red", "score", "standing"]],
        [["A", "Ilo", "1–2", "3rd of 12"], ["B", "Mara", "2–0", "5th of 12"]],
    )

    assert "first of the two" not in places("Ilo was the first of the two to lose", table)
    assert places("Ilo came in 3rd of 12", table)["3 of 12"] == {3: {0}}
