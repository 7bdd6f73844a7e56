"""Claims over rows that go by numbers, and idioms of exception, denial and degree."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

ENGINES = make_table(
    "engines",
    "Steam engines of the Holm museum railway",
    [["No.", "Built by", "Year", "Wheels", "Condition"]],
    [
        ["1", "Krantz", "1903", "4", "running"],
        ["2", "Bellamy", "1911", "6", "stored"],
        ["3", "Krantz", "1920", "6", "running"],
        ["4", "Orme", "1924", "8", "under repair"],
        ["5", "Krantz", "1931", "6", "running"],
    ],
)
CHOIRS = make_table(
    "choirs",
    "Rehearsals of the Tarn valley choirs",
    [["Choir", "Conductor", "Concert", "Day", "Hall"]],
    [
        ["Bluebell Singers", "Nora Quist", "March", "Monday", "Old Mill"],
        ["Tarn Chorale", "Ivo Brandl", "June", "Wednesday", "Town Hall"],
        ["Lakeside Voices", "Nora Quist", "October", "Monday", "Old Mill"],
    ],
)
STATIONS = make_table(
    "stations",
    "Canoe hire stations on the Lune",
    [["Station", "Canoes", "Kayaks", "Opens", "Closes", "Café"]],
    [
        ["Alder Bend", "14", "6", "8:00", "18:00", "yes"],
        ["Crook Ferry", "8", "0", "9:00", "17:00", "no"],
        ["Heron Quay", "22", "12", "8:30", "20:00", "yes"],
        ["Sandy Bar", "5", "9", "10:00", "16:00", "no"],
    ],
)
SATELLITES = make_table(
    "satellites",
    "Satellites of the Corvus programme",
    [["Satellite", "Launched", "Mass (kg)", "Status"]],
    [
        ["Corvus 1", "2003", "420", "retired"],
        ["Corvus 2", "2006", "455", "lost"],
        ["Corvus 3", "2009", "910", "active"],
    ],
)
TRANSLATIONS = make_table(
    "translations",
    "Translations published by Halden House",
    [["Title", "Translated from", "Translator", "Year"]],
    [
        ["The Salt Road", "Danish", "Carla Byrne", "2015"],
        ["Nine Rivers", "Spanish", "Hal Ito", "2016"],
        ["The Quiet Dam", "Japanese", "Hal Ito", "2020"],
    ],
)
VOICES = make_table(
    "voices",
    "Members of the Abbey choir by voice",
    [["Voice", "2016", "2018"]],
    [["Soprano", "18", "21"], ["Alto", "14", "15"], ["Tenor", "6", "5"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Only one engine is under repair.", True),
        ("Only one engine is running.", False),
        ("The three running engines were all built by Krantz.", True),
        ("The two running engines were all built by Krantz.", False),
        ("Neither engine 2 nor engine 4 is running.", True),
        ("Neither engine 2 nor engine 3 is running.", False),
    ],
)
def test_numbers_count_rows_that_go_by_numbers_or_name_them(claim: str, truth: bool) -> None:
    assert verify(claim, ENGINES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("All the engines but two are running.", True),
        ("All the engines but one are running.", False),
        ("Every engine built by Krantz but one has six wheels.", True),
    ],
)
def test_what_is_excepted_may_be_parted_from_all(claim: str, truth: bool) -> None:
    assert verify(claim, ENGINES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"), [("Engine 4 is no longer running.", True), ("Engine 5 is no longer running.", False)]
)
def test_no_longer_denies(claim: str, truth: bool) -> None:
    assert verify(claim, ENGINES).supported is truth


def test_a_row_that_is_not_there_is_not_spoken_of() -> None:
    assert not verify("Corvus 6 was launched in 2022.", SATELLITES).decides
    assert verify("Corvus 2 was launched in 2006.", SATELLITES).supported is True
    assert verify("Corvus 2 was launched in 2009.", SATELLITES).supported is False


def test_a_name_keeps_its_column_beside_the_verb_of_another() -> None:
    assert verify("Hal Ito translates from Spanish and Japanese.", TRANSLATIONS).supported is True
    assert verify("Hal Ito translates from Spanish and Danish.", TRANSLATIONS).supported is False


def test_behind_a_month_is_not_in_it() -> None:
    assert not verify("No choir gives its concert after October.", CHOIRS).decides


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("The sopranos sang better in 2018 than in 2016.", VOICES),
        ("A kayak at Heron Quay costs more than a canoe.", STATIONS),
        ("The Tarn Chorale rehearses on Wednesday evenings.", CHOIRS),
    ],
)
def test_what_no_column_tells_is_left_undecided(claim: str, table: Table) -> None:
    assert not verify(claim, table).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The stations without a café have no kayaks.", False),
        ("Crook Ferry has no kayaks.", True),
        ("Neither Crook Ferry nor Sandy Bar opens before nine.", True),
        ("Neither Crook Ferry nor Alder Bend opens before nine.", False),
    ],
)
def test_denials_are_of_the_column_that_they_name(claim: str, truth: bool) -> None:
    assert verify(claim, STATIONS).supported is truth
