"""Comparisons with several rows, with all the others, and of what is the only one of its kind."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

BRIDGES = make_table(
    "t",
    "Bridges",
    [["Bridge", "Type", "Span (m)", "Opened", "Cost (million $)", "Lanes", "Toll"]],
    [
        ["Carrow", "Suspension", "1,280", "1937", "35", "6", "Yes"],
        ["Hale", "Arch", "503", "1932", "20", "8", "No"],
        ["Lind", "Cable-stayed", "856", "1995", "465", "4", "Yes"],
        ["Moss", "Suspension", "1,410", "1981", "151", "4", "No"],
        ["Tarn", "Beam", "220", "1964", "4.5", "2", "No"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Lind is longer than Hale and Tarn.", True),
        ("Lind is longer than Tarn and Carrow.", False),
        ("Moss is longer than Carrow, Hale and Lind.", True),
        ("Moss is longer than Carrow, Hale, and Lind.", True),
        ("Lind has fewer lanes than Hale and Carrow.", True),
        ("Moss and Carrow are longer than Lind.", True),
        ("Moss and Tarn are longer than Lind.", False),
        ("Lind cost more than Hale and Moss together.", True),
        ("Lind is longer than Tarn and Hale is older than Carrow.", True),
    ],
)
def test_what_is_compared_with_several_is_compared_with_each(claim: str, truth: bool) -> None:
    assert decided(claim, BRIDGES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Lind cost more than all the others together.", True),
        ("Lind cost more than all the other bridges combined.", True),
        ("Moss cost more than all the other bridges combined.", False),
        ("Lind cost more than all other four bridges together.", True),
        ("Lind cost more than all the other bridges.", True),
    ],
)
def test_all_the_others_are_added_up_where_it_is_said(claim: str, truth: bool) -> None:
    assert decided(claim, BRIDGES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The only arch bridge has more lanes than Moss.", True),
        ("The only arch bridge has more than six lanes.", True),
        ("The only arch bridge has fewer than six lanes.", False),
        ("The only beam bridge has no toll.", True),
        ("The only beam bridge has a toll.", False),
        ("The only beam bridge is shorter than Hale.", True),
        ("The only suspension bridge opened in 1937.", False),
        ("The only bridge with more than seven lanes is Hale.", True),
        ("Only the arch bridge has more lanes than Moss.", False),
    ],
)
def test_what_is_the_only_one_of_its_kind_need_not_alone_be_so(claim: str, truth: bool) -> None:
    assert decided(claim, BRIDGES) is truth
