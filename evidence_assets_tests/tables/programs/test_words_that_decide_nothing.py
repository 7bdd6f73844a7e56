"""Words that look decisive and say no more than the table tells, and those alike that do."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

VANS = make_table(
    "vans",
    "Hire vans of the Elmsford depot",
    [["Van", "Maker", "Type", "Seats", "Doors", "Length (m)", "Tow bar", "Airport service"]],
    [
        ["Merlin", "Alder", "All-terrain", "9", "3", "5.2", "Yes", "Yes"],
        ["Heron", "Alder", "All-terrain", "12", "4", "5.9", "No", "Yes"],
        ["Swift", "Boland", "City", "4", "2", "3.8", "No", "No"],
        ["Kestrel", "Boland", "City", "6", "3", "4.4", "Yes", "No"],
        ["Osprey", "Cask", "All-terrain", "16", "4", "6.4", "Yes", "Yes"],
    ],
)
PLAYS = make_table(
    "plays",
    "Plays of the Barn Theatre, autumn 2023",
    [["Play", "Author", "Stage", "First performance", "Last performance", "Tickets sold"]],
    [
        ["The Kiln", "A. Rowe", "1", "4 September", "21 September", "640"],
        ["Salt", "A. Rowe", "2", "9 September", "30 September", "810"],
        ["Owls", "T. Brand", "2", "4 October", "21 October", "455"],
        ["Harvest Moon", "L. Ode", "1", "6 October", "30 October", "1,020"],
        ["Tin Boat", "L. Ode", "2", "2 November", "21 November", "380"],
    ],
)
LIBRARIES = make_table(
    "libraries",
    "Coverage of rural libraries (%)",
    [["District", "Census 2001", "Census 2011", "Census 2021"]],
    [
        ["Harl", "61.2", "58.4", "55.0"],
        ["Dunmore", "44.0", "47.3", "46.1"],
        ["Pell", "70.1", "66.0", "61.9"],
    ],
)
HARVEST = make_table(
    "harvest",
    "Harvest of the Tarn farm in tonnes",
    [["Year", "Melons", "Onions", "Lentils"]],
    [
        ["2018", "40", "81", "12"],
        ["2019", "38", "90", "9"],
        ["2020", "95", "70", "14"],
        ["2021", "61", "66", "20"],
    ],
)
WARDS = make_table(
    "wards",
    "Wards of Saint Brand hospital",
    [["Ward", "Floor", "Beds", "Nurses", "Rooms"]],
    [
        ["Birch", "1", "24", "6", "8"],
        ["Cedar", "2", "36", "12", "9"],
        ["Larch", "2", "18", "6", "6"],
        ["Rowan", "3", "20", "5", "10"],
    ],
)
HUTS = make_table(
    "huts",
    "Mountain huts of the Sella ridge",
    [["Hut", "Owner", "Altitude (m)", "Bunks", "Insurance", "Winter opening", "Heating"]],
    [
        ["Aster", "Alpine Club", "2,140", "48", "full", "Yes", "wood"],
        ["Gentian", "Alpine Club", "2,480", "32", "none", "No", "none"],
        ["Arnica", "Dolan family", "1,920", "60", "full", "Yes", "gas"],
        ["Edel", "Dolan family", "2,760", "20", "basic", "No", "none"],
        ["Primula", "Valley council", "2,050", "26", "none", "Yes", "gas"],
    ],
)
PONDS = make_table(
    "ponds",
    "Garden ponds surveyed by the Marl wildlife group in June 2023",
    [["Pond", "Village", "Newts", "Frogs", "Last cleaned"]],
    [
        ["Mill Pond", "Aske", "14", "22", "2019"],
        ["Rectory Pond", "Aske", "31", "12", "2021"],
        ["Clay Pit", "Corve", "0", "5", "2008"],
        ["School Pond", "Burley", "18", "27", "2022"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Birch has an average of 3 beds per room.", True),
        ("Birch has an average of 4 beds per room.", False),
        ("On average, Larch has 3 beds per nurse.", True),
        ("Birch has an average of 3 visitors per room.", None),
    ],
)
def test_what_a_row_has_for_each_is_its_average(claim: str, truth: bool | None) -> None:
    assert decided(claim, WARDS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Salt was performed for the last time on 30 September.", True),
        ("Both plays by A. Rowe were performed for the last time in September.", True),
        ("Owls was performed for the last time on 30 October.", False),
        ("Salt was performed for the first time on 4 September.", False),
        ("Salt was performed for the second time on 10 September.", None),
        ("Three different plays were performed on stage 2.", True),
        ("Four different plays were performed on stage 2.", False),
    ],
)
def test_last_times_are_told_by_headers_and_what_differs_is_counted(claim: str, truth: bool | None) -> None:
    assert decided(claim, PLAYS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Heron has more seats than the Merlin, and it is the longer of the two.", True),
        ("The Swift has fewer seats than the Kestrel, although it is the longer of the two.", False),
        ("The Swift is the shorter of the two.", None),
        ("The Kestrel has more doors than the Swift and is the more expensive of the two.", None),
    ],
)
def test_two_that_were_named_are_compared(claim: str, truth: bool | None) -> None:
    assert decided(claim, VANS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every all-terrain van has more than 8 seats.", True),
        ("Every all-terrain van has a tow bar.", False),
        ("The Swift is an all-terrain van.", False),
        ("Three vans are all-terrain vehicles.", True),
        ("Every all-electric van has more than 8 seats.", None),
        ("No vehicle made by Boland has more than 6 seats.", True),
        ("No vehicle made by Alder has more than 10 seats.", False),
        ("No electric van made by Boland has more than 6 seats.", None),
        ("Three of the vans run to the airport.", True),
        ("Four of the vans run to the airport.", False),
        ("Three of the vans were built at the airport.", None),
    ],
)
def test_parts_of_compounds_and_nouns_before_participles_narrow_nothing(
    claim: str, truth: bool | None
) -> None:
    assert decided(claim, VANS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Coverage in Harl fell from each census to the next.", True),
        ("Coverage in Dunmore rose from each census to the next.", False),
        ("Of the districts listed, only Pell had a coverage above 65% in 2001.", True),
        ("Of the districts listed, only that of Pell had a coverage above 50% in 2001.", False),
        ("Of the coastal districts listed, only Pell had a coverage above 65% in 2001.", None),
    ],
)
def test_steps_to_the_next_and_things_listed_are_read(claim: str, truth: bool | None) -> None:
    assert decided(claim, LIBRARIES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Melon production more than doubled from 2019 to 2020.", True),
        ("Melon output more than doubled from 2018 to 2019.", False),
        ("The lentil harvest halved from 2018 to 2021.", False),
        ("Melon prices more than doubled from 2019 to 2020.", None),
    ],
)
def test_what_doubled_from_row_to_row_is_read(claim: str, truth: bool | None) -> None:
    assert decided(claim, HARVEST) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Gentian is insured.", False),
        ("The Edel is insured.", True),
        ("Two huts are not insured.", True),
        ("Gentian and Edel are both insured.", False),
        ("Aster and Arnica are both open in winter and both insured.", True),
        ("The Aster is heated with wood.", True),
        ("The Arnica is heated with wood.", False),
    ],
)
def test_participles_tell_that_a_column_says_other_than_none(claim: str, truth: bool | None) -> None:
    assert decided(claim, HUTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The huts owned by the Alpine Club lie above 2,100 metres.", True),
        ("The huts owned by the Alpine Club lie above 2,200 metres.", False),
        ("No shelter owned by the Alpine Club is above 2,200 metres.", False),
        ("No wooden hut owned by the Alpine Club is above 2,500 metres.", None),
    ],
)
def test_participles_tell_which_rows_are_meant(claim: str, truth: bool | None) -> None:
    assert decided(claim, HUTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In June 2023 there were 18 newts in the School Pond.", True),
        ("In June 2023 there were 19 newts in the School Pond.", False),
        ("Each individual pond has more than 4 frogs.", True),
        ("Each individual pond has more than 9 newts.", False),
    ],
)
def test_a_date_of_the_caption_is_that_of_all_rows(claim: str, truth: bool | None) -> None:
    assert decided(claim, PONDS) is truth


LIFTS = make_table(
    "lifts",
    "Ski lifts of Hochried",
    [["Lift", "Type", "Length (m)", "Rise (m)", "Built", "Covered"]],
    [
        ["Sonnenkogel", "Chairlift", "1,420", "380", "1998", "Yes"],
        ["Hexenboden", "T-bar", "860", "210", "1979", "No"],
        ["Gipfelbahn", "Gondola", "2,650", "720", "2014", "Yes"],
        ["Almrausch", "Chairlift", "1,100", "290", "1991", "No"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Sonnenkogel is longer than 1,000 metres.", True),
        ("Both chairlifts are longer than one kilometre.", True),
        ("The Hexenboden is longer than one kilometre.", False),
        ("Two of the lifts are under cover.", True),
        ("The two oldest lifts are covered.", None),
    ],
)
def test_longer_is_of_a_length_and_under_cover_is_no_bound(claim: str, truth: bool | None) -> None:
    assert decided(claim, LIFTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Arnica has the most bunks of any hut.", True),
        ("The Gentian has the most bunks of any hut.", False),
        ("Two of the ridge's five huts are not insured.", True),
        ("Three of the ridge's five huts are not insured.", False),
    ],
)
def test_words_for_all_rows_leave_nothing_open(claim: str, truth: bool) -> None:
    assert decided(claim, HUTS) is truth
