"""Claims of who won against whom and by how much, over tables that print scores alone."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.derived.contests import contests_of
from evidence_assets.tables.programs.wording.contest_words import outcome_words
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

# One score of both sides, a draw among them.
KABADDI = make_table(
    "kabaddi",
    "Kabaddi junior cup, group stage",
    [["Date", "Team A", "Score", "Team B", "Arena"]],
    [
        ["3 May", "Pune Panthers", "34-29", "Delhi Dragons", "Shivaji Hall"],
        ["4 May", "Jaipur Jets", "22-41", "Goa Gulls", "Lake Arena"],
        ["5 May", "Delhi Dragons", "30-30", "Jaipur Jets", "Shivaji Hall"],
        ["6 May", "Goa Gulls", "27-33", "Pune Panthers", "Beach Court"],
        ["7 May", "Jaipur Jets", "25-38", "Pune Panthers", "Lake Arena"],
        ["8 May", "Goa Gulls", "31-28", "Delhi Dragons", "Beach Court"],
    ],
)
# A column of numbers for each side.
QUIZ = make_table(
    "quiz",
    "Clayworth pub quiz league",
    [["Week", "Host", "Guest", "Host points", "Guest points", "Pub"]],
    [
        ["1", "Brainwaves", "Quizzly Bears", "41", "38", "The Anchor"],
        ["1", "Les Quizerables", "Trivial Pursuers", "29", "35", "The Plough"],
        ["2", "Quizzly Bears", "Les Quizerables", "44", "44", "The Bell"],
        ["2", "Trivial Pursuers", "Brainwaves", "31", "47", "The Swan"],
        ["3", "Brainwaves", "Les Quizerables", "52", "30", "The Anchor"],
        ["3", "Quizzly Bears", "Trivial Pursuers", "36", "33", "The Bell"],
    ],
)
# Headers that say who won.
WARDS = make_table(
    "wards",
    "Council by-elections, autumn 2018",
    [["Ward", "Winner", "Winner votes", "Runner-up", "Runner-up votes"]],
    [
        ["Elm Park", "Rosa Tindall", "1204", "Geoff Mears", "1187"],
        ["Dockside", "Imran Qadir", "1533", "Helen Frost", "904"],
        ["Hillcrest", "Dev Anand", "1410", "Mary Stone", "1402"],
    ],
)
# Rows of one side, whose outcome and score are of one cell; of some, the winner's number is the first.
BOUTS = make_table(
    "bouts",
    "Bouts of Anna Lund, Nordic fencing open",
    [["Bout", "Opponent", "Country", "Result", "Stage"]],
    [
        ["1", "Mia Koski", "Finland", "W 15-9", "Pool"],
        ["2", "Ida Berg", "Norway", "W 15-12", "Pool"],
        ["3", "Eva Holm", "Denmark", "L 11-15", "Pool"],
        ["4", "Ida Berg", "Norway", "W 15-8", "Quarter-final"],
        ["5", "Siri Dahl", "Norway", "W 15-14", "Semi-final"],
        ["6", "Eva Holm", "Denmark", "L 13-15", "Final"],
    ],
)
# A column that names who won.
HEATS = make_table(
    "heats",
    "Tug of war, county final",
    [["Heat", "Red team", "Blue team", "Winner", "Seconds"]],
    [
        ["1", "Bakers", "Millers", "Millers", "48"],
        ["2", "Smiths", "Coopers", "Smiths", "75"],
        ["3", "Millers", "Smiths", "Smiths", "61"],
        ["4", "Bakers", "Coopers", "Bakers", "39"],
    ],
)
# Abbreviated standings.
LEAGUE = make_table(
    "league",
    "Northern league, final table",
    [["Pos", "Club", "P", "W", "D", "L", "PF", "PA", "Pts"]],
    [
        ["1", "Alnwick", "10", "9", "0", "1", "312", "120", "36"],
        ["2", "Hexham", "10", "7", "1", "2", "280", "165", "30"],
        ["3", "Blyth", "10", "5", "1", "4", "201", "198", "22"],
        ["4", "Morpeth", "10", "4", "0", "6", "170", "215", "16"],
    ],
)
AWARDS = make_table(
    "awards",
    "Prizes of a bakery",
    [["Year", "Prize", "Result"]],
    [["2017", "Best loaf", "Won"], ["2018", "Best tart", "Nominated"], ["2019", "Best loaf", "Nominated"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (KABADDI, "Goa Gulls beat Jaipur Jets by 19 points.", True),
        (KABADDI, "Goa Gulls lost to Jaipur Jets by 19 points.", False),
        (KABADDI, "Goa Gulls were beaten by Pune Panthers.", True),
        (KABADDI, "Pune Panthers were beaten by Goa Gulls.", False),
        (KABADDI, "No team beat Pune Panthers.", True),
        (KABADDI, "Pune Panthers won all their matches.", True),
        (KABADDI, "Goa Gulls won every match at Beach Court.", False),
        (KABADDI, "Pune Panthers were unbeaten.", True),
        (KABADDI, "Goa Gulls were undefeated.", False),
        (KABADDI, "Goa Gulls won two of their three matches.", True),
        (KABADDI, "Goa Gulls won two of their four matches.", False),
        (KABADDI, "Delhi Dragons did not win a single match.", True),
        (KABADDI, "Delhi Dragons lost more matches than they won.", True),
        (KABADDI, "Pune Panthers won more matches than Goa Gulls.", True),
        (KABADDI, "Goa Gulls beat both Jaipur Jets and Pune Panthers.", False),
        (KABADDI, "The only draw was between Delhi Dragons and Jaipur Jets.", True),
        (KABADDI, "Jaipur Jets suffered the heaviest defeat.", True),
        (KABADDI, "Delhi Dragons suffered the heaviest defeat.", False),
        (KABADDI, "The biggest winning margin was 19 points.", True),
        (KABADDI, "Three matches were decided by fewer than six points.", True),
        (KABADDI, "Four matches were won by more than ten points.", False),
        (KABADDI, "Pune Panthers scored 105 points in total.", True),
        (QUIZ, "The host won three of the six matches.", True),
        (QUIZ, "Trivial Pursuers beat Brainwaves in week 2.", False),
        (QUIZ, "Les Quizerables did not win any match.", True),
        (QUIZ, "The match at The Plough was won by the guests.", True),
        (WARDS, "Imran Qadir won Dockside by 629 votes.", True),
        (WARDS, "Geoff Mears won in Elm Park.", False),
        (WARDS, "Two wards were won by fewer than 20 votes.", True),
        (BOUTS, "Anna Lund lost both bouts against Eva Holm.", True),
        (BOUTS, "Eva Holm beat Anna Lund twice.", True),
        (BOUTS, "Ida Berg beat Anna Lund.", False),
        (BOUTS, "Anna Lund won three bouts in the pool.", False),
        (BOUTS, "Anna Lund won her semi-final by a single point.", True),
        (BOUTS, "The biggest win was by 7 points over Ida Berg.", True),
        (BOUTS, "The biggest win was by 6 points over Ida Berg.", False),
        (BOUTS, "Anna Lund won two bouts in a row.", True),
        (BOUTS, "Anna Lund won three bouts in a row.", False),
        (BOUTS, "Anna Lund never lost two bouts in a row.", True),
        (BOUTS, "Her longest winning streak was two bouts.", True),
        (KABADDI, "Pune Panthers won three matches in a row.", True),
        (KABADDI, "Goa Gulls won two straight matches.", False),
        (KABADDI, "The highest combined score was 63 points.", True),
        (KABADDI, "The total score of the match on 8 May was 60.", False),
        (HEATS, "Smiths won both of their heats.", True),
        (HEATS, "Bakers beat Millers.", False),
        (HEATS, "Coopers won a heat.", False),
        (LEAGUE, "Three clubs won more matches than they lost.", True),
        (LEAGUE, "Morpeth won more matches than they lost.", False),
        (LEAGUE, "Blyth beat Hexham.", None),
        (BOUTS, "Anna Lund scored 84 points in total.", True),
        (BOUTS, "Anna Lund scored 80 points in total.", False),
        (KABADDI, "Pune Panthers won the toss against Goa Gulls.", None),
        (KABADDI, "Pune Panthers beat Kerala Kings.", None),
        (KABADDI, "Goa Gulls led Jaipur Jets at half-time.", None),
    ],
)
def test_claims_of_contests(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth


def test_what_follows_from_scores_is_cited_by_them() -> None:
    assert {(3, 2), (3, 1), (3, 3)} <= set(
        verify("Goa Gulls lost to Pune Panthers by 6 points.", KABADDI).cells
    )
    assert {(0, 2), (0, 4)} <= set(verify("Elm Park was won by 17 votes.", WARDS).cells)


def test_a_prize_that_is_won_is_no_contest() -> None:
    assert not contests_of(AWARDS)
    assert verify("The bakery won the prize for the best loaf in 2017.", AWARDS).supported


def test_records_are_no_scores() -> None:
    cells = [["1", "Ulla", "win", "1 - 0"], ["2", "Tarn", "loss", "1 - 1"], ["3", "Elm", "win", "2 - 1"]]
    (contests,) = contests_of(make_table("games", "", [["Game", "Opponent", "Result", "Record"]], cells))
    assert contests.margin is None


@pytest.mark.parametrize(
    ("claim", "outcomes"),
    [
        ("A beat B", ["win"]),
        ("B was beaten by A", ["lose"]),
        ("the heaviest defeat", ["lose"]),
        ("A defeated B", ["win"]),
        ("A was unbeaten", ["lose"]),
        ("A tied with B", ["draw"]),
        ("A tied for the most goals", []),
        ("the match drew 9000 people", []),
    ],
)
def test_words_for_outcomes(claim: str, outcomes: list[str]) -> None:
    keys = [token.key for token in outcome_words(tokens(claim))]
    assert [key for key in keys if key in {"win", "lose", "draw"}] == outcomes
