"""What programs see of a table, and where in the whole table that is."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.shown import ShownTable
from evidence_assets.tables.views import is_glossary, shown_part, whole_view, with_split_cells
from evidence_assets_tests.testing.profiles import examples

GAMES = make_table(
    "games",
    "Games",
    [["Date", "Score", "Note"]],
    [["May 1", "w 3 - 1", "cold"], ["May 2", "l 0 - 2", "rain 3"], ["May 3", "", "sun"], ["M", "w 5-4", ""]],
)  # fmt: skip


def test_mixed_cells_give_a_column_for_each_of_their_numbers() -> None:
    view = with_split_cells(GAMES)
    assert view.table.header == ("Date", "Score", "Note", "Score (1)", "Score (2)")
    assert [[cell.value.number for cell in row[3:]] for row in view.table.rows] == [
        [3, 1],
        [0, 2],
        [None, None],
        [5, 4],
    ]
    assert view.place((3, 4)) == (3, 1)
    assert view.place((-1, 3)) == (-1, 1)
    assert view.table.rows[0][:3] == GAMES.rows[0]


def test_what_is_shown_keeps_its_places() -> None:
    narrow = shown_part(ShownTable(GAMES, (0, 2), (1, 3)))
    assert narrow.table.header == ("Date", "Note")
    assert [[cell.text for cell in row] for row in narrow.table.rows] == [["May 2", "rain 3"], ["M", ""]]
    assert narrow.place((1, 1)) == (3, 2)
    assert narrow.place((-1, 1)) == (-1, 2)
    labelled = replace(GAMES, label_column=2)
    assert shown_part(ShownTable(labelled, (0, 2), (0,))).table.label_column == 1
    assert shown_part(ShownTable(labelled, (0, 1), (0,))).table.label_column is None


CELLS = st.sampled_from(["3", "w 3 - 1", "", "cold", "1 of 2 in 3", "2011"])


@examples(100)
@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5), data=st.data())
def test_every_cell_of_a_view_is_told_by_its_own_place(rows: list[list[str]], data: st.DataObject) -> None:
    table = make_table("t", "", [["a", "b", "c"]], [*rows, ["x", "y", "z"]])
    columns = data.draw(st.lists(st.integers(0, 2), min_size=1, unique=True).map(sorted))
    chosen = data.draw(st.lists(st.integers(0, len(table.rows) - 1), unique=True).map(sorted))
    for view in (whole_view(table), shown_part(ShownTable(table, tuple(columns), tuple(chosen)))):
        for row, cells in enumerate(view.table.rows):
            for column, cell in enumerate(cells):
                at = view.place((row, column))
                assert table.rows[at[0]][at[1]] is cell
    split = with_split_cells(table)
    assert split.columns[:3] == (0, 1, 2)
    for row, cells in enumerate(split.table.rows):
        assert len(cells) == len(split.columns) == split.table.columns
        for column, cell in enumerate(cells[3:], start=3):
            source = table.rows[row][split.columns[column]]
            assert cell.value.number is None or cell.value.number in source.value.numbers


def test_a_list_of_terms_is_a_glossary() -> None:
    terms = [
        ["mpMRI", "multiparametric magnetic resonance imaging of the prostate"],
        ["TZ", "the transition zone, the inner part of the prostate"],
    ]
    assert is_glossary(make_table("g", "", [], terms))
    assert is_glossary(make_table("g", "", [["Term", "Meaning"]], terms))
    assert not is_glossary(GAMES)
    assert not is_glossary(
        make_table("g", "", [["Town", "People"]], [["Rome", "2 800 000"], ["Bari", "316 000"]])
    )
