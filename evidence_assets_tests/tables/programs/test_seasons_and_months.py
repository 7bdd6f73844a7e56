"""Claims over columns of school years, over rows of months, and of times that are told in another unit."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

STARTS = make_table(
    "starts",
    "Apprenticeship starts by sector",
    [["Sector", "2019/20", "2020/21", "2021/22", "Women, 2021/22 (%)"]],
    [
        ["Digital", "110", "145", "225", "28"],
        ["Law", "530", "470", "455", "63"],
        ["Hotels", "240", "95", "180", "54"],
    ],
)
LEVELS = make_table(
    "levels",
    "Monthly mean water level of the Arn (cm)",
    [["Month", "2022", "2023", "Mean 1991–2020"]],
    [["June", "214", "231", "226"], ["July", "171", "208", "197"], ["August", "176", "186", "178"]],
)
FLOODS = make_table(
    "floods",
    "Floods of the Arn",
    [["Date", "Peak (m)", "Damage (million kr)"]],
    [["14 January 1986", "5.31", "38"], ["2 March 1995", "5.12", "31"], ["19 April 1977", "4.52", "2.1"]],
)
COURSES = make_table(
    "courses",
    "Courses of the college",
    [["Course", "Level", "Duration (months)"]],
    [["Baker", "2", "18"], ["Electrician", "3", "42"], ["Plumber", "3", "36"], ["Driver", "1", "12"]],
)
RIDERS = make_table(
    "riders",
    "Riders of the buses",
    [["Bus", "2021", "2022", "2023"]],
    [["East", "20", "30", "40"], ["West", "25", "26", "27"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (STARTS, "Starts in the digital sector more than doubled between 2019/20 and 2021/22.", True),
        (STARTS, "Starts in law more than doubled between 2019/20 and 2021/22.", False),
        (STARTS, "Starts in law did not increase in any year after 2019/20.", True),
        (STARTS, "Starts in hotels did not increase in any year after 2019/20.", False),
        (LEVELS, "The mean water level rose from July to August 2022.", True),
        (LEVELS, "The mean water level rose from July to August 2023.", False),
        (FLOODS, "The flood of 1995 caused less damage than the flood of 1986.", True),
        (FLOODS, "The flood of 1995 caused less damage than the flood of 1977.", False),
        (COURSES, "The electrician course has a duration of three years.", False),
        (COURSES, "The plumber course has a duration of three years.", True),
        (COURSES, "The driver course is the shortest one offered.", True),
        (RIDERS, "On the East bus, August was the busiest month of 2023.", None),
    ],
)
def test_times_are_read_as_the_table_tells_them(table: Table, claim: str, truth: bool | None) -> None:
    assert verify(claim, table).supported is truth
