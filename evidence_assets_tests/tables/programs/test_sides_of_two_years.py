"""Comparisons whose sides are in different years or at a time, and ranks that `winning` names."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

VISITORS = make_table(
    "visitors",
    "Visitors of the market by month, in thousands",
    [["Month", "2022", "2023", "2024"]],
    [["June", "24.2", "26.5", "27.9"], ["July", "31.7", "33.0", "35.4"], ["August", "33.5", "30.9", "36.2"]],
)
DECK = make_table(
    "deck",
    "Spaces occupied at each count",
    [["Time", "Tuesday", "Thursday"]],
    [["07:00", "61", "58"], ["09:00", "287", "301"], ["11:00", "362", "371"]],
)
SHOW = make_table(
    "show",
    "Heaviest pumpkins of the show",
    [["Rank", "Grower", "Parish", "Weight (kg)", "Shown"]],
    [
        ["1", "Doreen Pask", "Crale", "64.2", "2 May 2021"],
        ["2", "Colin Wray", "Netherby", "58.7", "4 May 2021"],
        ["3", "Asha Mehta", "Crale", "20.1", "3 May 2021"],
    ],
)
FINDS = make_table(
    "finds",
    "Meteorites recovered by season",
    [["Class", "2017/18", "2018/19", "2019/20"]],
    [["Achondrites", "3", "5", "6"], ["Irons", "2", "1", "4"], ["Chondrites", "14", "9", "14"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "supported"),
    [
        (VISITORS, "The market had more visitors in August 2024 than in August 2023.", True),
        (VISITORS, "The market had fewer visitors in August 2024 than in August 2023.", False),
        (VISITORS, "The market had more visitors in June 2024 than in July 2023.", False),
        (VISITORS, "The market had 5,300 more visitors in August 2024 than in August 2023.", True),
        (DECK, "At 09:00 more spaces were occupied on Tuesday than on Thursday.", False),
        (DECK, "At 07:00 more spaces were occupied on Tuesday than on Thursday.", True),
        (SHOW, "The winning pumpkin weighed 64.2 kg.", True),
        (SHOW, "The winning pumpkin was more than 5 kg heavier than the runner-up.", True),
        (SHOW, "The winning pumpkin was more than 6 kg heavier than the runner-up.", False),
        (SHOW, "Asha Mehta's pumpkin weighed less than a third of the winning one.", True),
        (SHOW, "Asha Mehta was the second of the growers to be shown.", True),
        (SHOW, "Colin Wray was the first of the growers to be shown.", False),
        # That some were recovered every year is no rise, though numbers recover.
        (FINDS, "Achondrites were recovered in every season.", None),
        (FINDS, "Chondrites were recovered in every season.", None),
        (FINDS, "Chondrites recovered in 2019/20.", True),
    ],
)
def test_each_side_is_read_where_it_is_told(table: Table, claim: str, supported: bool | None) -> None:
    verdict = verify(claim, table)
    assert (verdict.supported if verdict.decides else None) is supported, verdict.program
