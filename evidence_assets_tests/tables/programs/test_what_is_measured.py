"""Claims of an amount, a limit or a place, beside columns of a rate, a value or a rank."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.columns.column_values import numbers_of
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

MILLS = make_table(
    "mills",
    "Windmills of the Oster marsh",
    [["No.", "Mill", "Sail span (m)", "Millstones", "Sacks per day", "Visitor days", "Weight of a stone"]],
    [
        ["1", "Anke", "21.4", "2", "30", "120", "610 kg"],
        ["2", "Berta", "24.0", "3", "45", "85", "580 kg"],
        ["3", "Clara", "19.2", "1", "18", "–", "610 kg"],
        ["5", "Dora", "24.0", "4", "60", "140", "655 kg"],
    ],
)
PUPPIES = make_table(
    "puppies",
    "Puppies of the Varn kennel",
    [["Puppy", "Weaned at", "Sold at", "Vaccination", "Protects against"]],
    [
        ["Basil", "6 weeks", "9 weeks", "2 of 3", "Parvo, rabies"],
        ["Coco", "7 weeks", "3 months", "3 of 3", "Rabies"],
        ["Dusty", "40 days", "10 weeks", "1 of 3", "Parvo"],
        ["Echo", "8 weeks", "14 weeks", "3 of 3", "Parvo, rabies"],
    ],
)
DANCE = make_table(
    "dance",
    "Dance cup of Orl, marks with places in brackets",
    [["Place", "Pair", "Waltz", "Tango", "Total"]],
    [
        ["1", "Ames", "34.2 (2)", "36.1 (1)", "70.3"],
        ["2", "Cray", "35.0 (1)", "33.4 (3)", "68.4"],
        ["3", "Egan", "31.7 (4)", "35.2 (2)", "66.9"],
        ["4", "Gill", "33.1 (3)", "30.8 (4)", "63.9"],
    ],
)
LINES = make_table(
    "lines",
    "Cable cars of the Runn valley",
    [["Line", "Summit", "Length (m)", "Cabins", "Interval (min)"]],
    [
        ["10", "Kogel", "1,840", "24", "5"],
        ["20", "Spitz", "2,610", "30", "10"],
        ["30", "Horn", "2,220", "12", "not known"],
        ["40", "Alm", "940", "18", "15"],
    ],
)

JAMS = make_table(
    "jams",
    "Jam makers at Hest market",
    [["Stall", "Maker", "Jars per week", "Fruit per jar", "Gate weight", "Jars in store", "Remedy for"]],
    [
        ["1", "Abbot", "120", "310 g", "41 kg", "1,850", "Shingles"],
        ["2", "Birch", "95", "340 g", "38 kg", "2,400", "Colds"],
        ["3", "Cope", "210", "280 g", "38 kg", "900", "Colds"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        # What there is of each of something is not what there is.
        (MILLS, "Fewer than 50 sacks are stored at Berta.", None),
        (MILLS, "There are 30 sacks at Anke.", None),
        (MILLS, "Dora sells more per day than Anke.", None),
        (MILLS, "Dora grinds more sacks per day than Anke.", True),
        (MILLS, "Clara grinds more sacks per day than Anke.", False),
        # What only modifies a column's noun is not what the column counts.
        (MILLS, "There were 85 visitors at Berta.", None),
        (MILLS, "Anke had 120 visitor days.", True),
        (MILLS, "Anke had 140 visitor days.", False),
        # Rows are not counted for another noun.
        (PUPPIES, "Coco is protected against more illnesses than Dusty.", None),
        # The same is said in its clause, and the other clause compares the same two.
        (MILLS, "Berta has the same sail span as Dora but fewer millstones.", True),
        (MILLS, "Dora has the same sail span as Berta but fewer millstones.", False),
        (MILLS, "Anke has the same sail span as Berta but fewer millstones.", False),
        (MILLS, "Anke's stone weighs the same as Clara's but its sails are wider.", True),
        # A limit of age is no age, whatever unit it is told in.
        (PUPPIES, "Dusty was weaned before the age of six weeks.", True),
        (PUPPIES, "Basil was weaned before the age of six weeks.", False),
        (PUPPIES, "Two puppies were weaned before the age of seven weeks.", True),
        (PUPPIES, "Three puppies were weaned before the age of seven weeks.", False),
        (PUPPIES, "Echo was sold after the age of three months.", True),
        (PUPPIES, "Basil was sold after the age of three months.", False),
        # The third of so many is not one of three.
        (PUPPIES, "The third vaccination of Basil was at 9 weeks.", None),
        # A mark stands before its place.
        (DANCE, "Ames received more marks than Cray in the tango.", True),
        (DANCE, "Cray received more marks than Egan in the tango.", False),
        (DANCE, "Gill had a higher mark in the tango than in the waltz.", False),
        (DANCE, "Egan had the second highest mark in the tango.", True),
        # Rows are not measured by the numbers that they go by.
        (LINES, "Line 20 is the longest line.", True),
        (LINES, "Line 40 is the longest line.", False),
        (LINES, "At 2,220 metres, line 30 is the second longest line.", True),
        (LINES, "At 2,220 metres, line 30 is the longest line.", False),
        (JAMS, "Stall 3 is the longest stall.", None),
        # Of columns of one noun a number is of the one that tells so many.
        (JAMS, "Abbot has more than 1,800 jars.", True),
        (JAMS, "Cope has more than 1,800 jars.", False),
        (JAMS, "Birch makes 95 jars every week.", True),
        (JAMS, "Cope makes 95 jars every week.", False),
        (JAMS, "Abbot has more gates than Birch.", None),
        (JAMS, "Cope has 3 stalls.", None),
        (JAMS, "Cope has stall 3.", True),
        # `Every ten minutes` is of no rows, and where it is not told of a line nothing is known.
        (LINES, "Cabins on line 20 leave every ten minutes.", True),
        (LINES, "Cabins on line 10 leave every ten minutes.", False),
        (LINES, "Cabins on line 30 leave every ten minutes.", None),
    ],
)
def test_claims_are_of_what_their_columns_measure(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth


def test_only_goals_and_behinds_make_the_points_in_brackets() -> None:
    football = make_table("f", "", [["Team", "Score"]], [["A", "12.13 (85)"], ["B", "10.4 (64)"]])
    assert numbers_of(football.column(1)) == {0: 85.0, 1: 64.0}
    assert numbers_of(DANCE.column(2)) == {0: 34.2, 1: 35.0, 2: 31.7, 3: 33.1}
