"""CSV, TSV, Excel, HTML and Markdown files to tables, and what of them is refused by name."""

import csv
import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from evidence_assets.sources.records import RejectedRecord, TableRecord, UnusableSourceError
from evidence_assets.sources.tables.registry import read_tables
from evidence_assets_tests.testing.records_read import all_of, only_of

NAMES, ROWS = (("Model", "F1"),), (("ours", "0.9"), ("theirs", "0.8"))


def written(tmp_path: Path, name: str, content: str | bytes) -> str:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def only_table(uri: str) -> TableRecord:
    return only_of(TableRecord, read_tables(uri))


def refusal(uri: str) -> RejectedRecord:
    return only_of(RejectedRecord, read_tables(uri))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "Model,F1\nours,0.9\ntheirs,0.8\n"),
        ("t.csv", "\ufeffModel,F1\r\nours,0.9\r\n\r\ntheirs,0.8"),
        ("t.csv", '"Model";F1\nours;0.9\n"theirs";"0.8"\n'),
        ("t.tsv", "Model\tF1\nours\t0.9\ntheirs\t0.8\n"),
        ("t.csv", "Model|F1\nours|0.9\ntheirs|0.8\n"),
        ("t.csv", "Model\tF1\nours\t0.9\ntheirs\t0.8\n".encode("utf-16")),
        # Without a time of making: workers of a run must name the test alike.
        ("t.csv.gz", gzip.compress(b"Model,F1\nours,0.9\ntheirs,0.8\n", mtime=0)),
    ],
)
def test_delimited_files_are_read(tmp_path: Path, name: str, content: str | bytes) -> None:
    record = only_table(written(tmp_path, name, content))
    assert record == TableRecord(name, "", NAMES, ROWS)


@pytest.mark.parametrize(
    ("name", "content", "caption"),
    [
        ("road_repairs.csv", "Road,Metres\nElm Lane,40\n", "road repairs"),
        ("BirdCounts-2022.tsv.gz", gzip.compress(b"Bird\tCount\nWren\t4\n", mtime=0), "bird counts 2022"),
        (
            "road_repairs.csv",
            "Repairs of 2022,,\nRoad,Metres,Cost\nElm Lane,40,900\nOak Way,35,700\n",
            "Repairs of 2022",
        ),
        ("t1.csv", "Road,Metres\nElm Lane,40\n", ""),
    ],
)
def test_a_table_without_a_title_is_called_as_its_file(
    tmp_path: Path, name: str, content: str | bytes, caption: str
) -> None:
    assert only_table(written(tmp_path, name, content)).caption == caption


@pytest.mark.parametrize(
    ("content", "caption", "names"),
    [
        ("Revenue by region\nRegion,Q1,Q2\nNorth,10,12\n", "Revenue by region", ("Region", "Q1", "Q2")),
        (
            "Sales,,\nin thousands,,\nRegion,2019,2020\nNorth,10,12\n",
            "Sales in thousands",
            ("Region", "2019", "2020"),
        ),
        # The only name that a header has, and names of which none is above a number.
        ("Country,,\nPeru,10,12\nChile,9,8\n", "", ("Country", "", "")),
        ("Teams,,\nhome,away,at\nReds,Blues,York\n", "", ("Teams", "", "")),
        (",population\nAville,1950\nBville,20300\n", "", ("", "population")),
        (",price,\napple,n/a,x\npear,3,y\n", "", ("", "price", "")),
        ("Person,\nAnna,unknown\nBo,34\n", "", ("Person", "")),
        ("Region,Q1,Q2\nNorth,10,12\n", "", ("Region", "Q1", "Q2")),
        ("Height\n10\n12\n", "", ("Height",)),
    ],
)
def test_lines_of_a_single_cell_above_the_names_are_the_caption(
    tmp_path: Path, content: str, caption: str, names: tuple[str, ...]
) -> None:
    record = only_table(written(tmp_path, "t.csv", content))
    assert (record.caption, record.header_rows) == (caption, (names,))


def test_a_cell_of_twenty_thousand_marks_is_read_in_time(tmp_path: Path) -> None:
    content = f"title,,\na,b,c\n1{'.' * 20_000} end of it,2,3\n"
    assert only_table(written(tmp_path, "t.csv", content)).caption == "title"


def test_cells_keep_delimiters_and_line_ends_in_quotes(tmp_path: Path) -> None:
    record = only_table(written(tmp_path, "t.csv", 'a,b\n"x, y","two\nlines"\n"say ""hi""",\n'))
    assert record.rows == (("x, y", "two\nlines"), ('say "hi"', ""))


def test_tabs_part_cells_whatever_the_quotes(tmp_path: Path) -> None:
    record = only_table(written(tmp_path, "t.tsv", 'a\tb\n"x\ty"\n'))
    assert record.rows == (('"x', 'y"'),)


def test_a_long_cell_is_read(tmp_path: Path) -> None:
    record = only_table(written(tmp_path, "t.csv", "a,b\nx," + "y" * 200_000))
    assert len(record.rows[0][1]) == 200_000
    # The limit is the process's, and stays what other readers found.
    assert csv.field_size_limit() < 200_000


@pytest.mark.parametrize(
    ("name", "content", "place", "reason"),
    [
        ("t.csv", b"a,b\nx,y\nx,\xff\n", "t.csv, line 3, field 2", "0xff is not UTF-8"),
        ("t.tsv", b"a\tb\nx\ty\tz\xe9\n", "t.tsv, line 2, field 3", "is not UTF-8"),
        ("t.csv", b'a,b\nx,y\n"open,z\nx,y\n', "t.csv, behind row 2", "unexpected end of data"),
        ("t.csv", b"a,b\n", "t.csv", "no row with anything in it"),
        ("t.csv", b"a,b\n,\n , \n", "t.csv", "no row with anything in it"),
        ("t.csv", b"", "t.csv", "no row with anything in it"),
    ],
)
def test_delimited_files_that_cannot_be_used(
    tmp_path: Path, name: str, content: bytes, place: str, reason: str
) -> None:
    rejected = refusal(written(tmp_path, name, content))
    assert rejected.record == place
    assert reason in rejected.reason
    assert rejected.remedy


def workbook(tmp_path: Path, fill: Callable[[openpyxl.Workbook], None]) -> str:
    book = openpyxl.Workbook()
    fill(book)
    path = tmp_path / "book.xlsx"
    book.save(path)
    return str(path)


def test_every_sheet_of_a_workbook_is_a_table(tmp_path: Path) -> None:
    import datetime

    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet.title = "Scores"
        sheet.append(["Model", "F1", "Share", "Day", "Best"])
        sheet.append(["ours", 0.5, 0.125, datetime.datetime(2011, 7, 4), True])
        sheet.append([None] * 5)
        sheet.append(["theirs", 3.0, None, datetime.date(2011, 7, 5), False])
        sheet["C2"].number_format = "0.0%"
        book.create_sheet("Empty")

    scores, empty = read_tables(workbook(tmp_path, fill))
    assert scores == TableRecord(
        "book.xlsx#Scores",
        "scores",
        (("Model", "F1", "Share", "Day", "Best"),),
        (
            ("ours", "0.5", "12.5%", "2011-07-04", "TRUE"),
            ("theirs", "3", "", "2011-07-05", "FALSE"),
        ),
    )
    assert isinstance(empty, RejectedRecord)
    assert empty.record == "book.xlsx#Empty"


@pytest.mark.parametrize(("title", "caption"), [("RoadRepairs", "road repairs"), ("Sheet1", ""), ("Q1", "")])
def test_a_sheet_is_called_as_it_is_named(tmp_path: Path, title: str, caption: str) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active.title = title
        for row in (["Road", "Metres"], ["Elm Lane", 40]):
            book.active.append(row)

    assert only_table(workbook(tmp_path, fill)).caption == caption


def test_merged_cells_each_hold_what_the_first_does(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet.title = "S"
        for row in (["", "LR", None], ["Model", "P", "R"], ["a", 1, 2], [None, 3, 4]):
            sheet.append(row)
        sheet.merge_cells("B1:C1")
        sheet.merge_cells("A3:A4")

    record = only_table(workbook(tmp_path, fill))
    assert record.header_rows == (("", "LR", "LR"), ("Model", "P", "R"))
    assert record.rows == (("a", "1", "2"), ("a", "3", "4"))


def test_a_formula_without_a_stored_result_is_named(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active.title = "S"
        book.active.append(["a", "b"])
        book.active.append([1, "=A2*2"])

    rejected = refusal(workbook(tmp_path, fill))
    assert rejected.record == "book.xlsx#S, row 2, column B"
    assert "formula" in rejected.reason


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    for content in (b"Model,F1\n", b""):
        assert "not an .xlsx workbook" in refusal(written(tmp_path, "t.xlsx", content)).reason
    with zipfile.ZipFile(tmp_path / "other.xlsx", "w") as archive:
        archive.writestr("a.txt", "x")
    assert "not an .xlsx workbook" in refusal(str(tmp_path / "other.xlsx")).reason


PAGE = """
<p>before</p><table class="x"><caption>Scores &amp; more</caption>
<thead><tr><th rowspan="2">Model</th><th colspan=2>LR</th></tr><tr><th>P<th>R</tr></thead>
<tbody><tr><td rowspan="2">ours<script>alert("<td>")</script><td>1<td>2 <sup>a</sup></tr>
<tr><td colspan="2">a&nbsp;&lt; <b>b</b><br>c</td></tr></tbody></table>
<table><tr><th>k</th><th>v</th></tr><tr><th>x</th><td>1<table><tr><td>inner</td></tr></table></td></tr></table>
"""


def test_tables_of_a_page_with_their_spans(tmp_path: Path) -> None:
    first, second, inner = read_tables(written(tmp_path, "p.html", PAGE))
    assert first == TableRecord(
        "p.html#1",
        "Scores &amp; more",
        (("Model", "LR", "LR"), ("Model", "P", "R")),
        (("ours", "1", "2 <sup>a</sup>"), ("ours", "a&nbsp;&lt; b c", "a&nbsp;&lt; b c")),
    )
    assert isinstance(second, TableRecord)
    assert isinstance(inner, TableRecord)
    assert (second.header_rows, second.rows) == ((("k", "v"),), (("x", "1"),))
    assert (inner.key, inner.header_rows, inner.rows) == ("p.html#3", (), (("inner",),))


@pytest.mark.parametrize(
    ("markup", "rows"),
    [
        # A cell hangs into rows that end before it, and to the end where it says 0.
        (
            "<tr><td>a<td>b<td rowspan=3>c<tr><td>d<tr><td>e<td>f",
            (("a", "b", "c"), ("d", "", "c"), ("e", "f", "c")),
        ),
        ("<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d", (("a", "b"), ("a", "c"), ("a", "d"))),
        ("<tr><td rowspan=x colspan=-2>a<td>b", (("a", "b"),)),
        ("<td>a<td>b<tr><td>c", (("a", "b"), ("c",))),
        ("<tr><td>a<p>b</p>c<tr></tr><tr><td>d", (("a b c",), ("d",))),
    ],
)
def test_untidy_markup_is_read_as_browsers_do(
    tmp_path: Path, markup: str, rows: tuple[tuple[str, ...], ...]
) -> None:
    assert only_table(written(tmp_path, "p.html", f"<table>{markup}")).rows == rows


def test_a_page_without_a_table_and_one_that_is_not_text(tmp_path: Path) -> None:
    strange = only_table(written(tmp_path, "p.html", "<table><tr><td>a<![foo[ b ]]>c</td></tr></table><![x"))
    assert strange.rows == (("ac",),)
    assert "no <table>" in refusal(written(tmp_path, "p.html", "<p>a|b</p>")).reason
    rejected = refusal(written(tmp_path, "p.html", b"<table>\n<tr><td>\xff"))
    assert rejected.record == "p.html, line 2"
    assert "no row" in refusal(written(tmp_path, "p.html", "<table></table>")).reason


MARKDOWN = """
# Results

Text | with a bar.

| Model | F1  |
|:------|----:|
| ours  | 0.9 |
| a \\| b | `x|y` | more |

```
| in | code |
|----|------|
| 1  | 2    |
```

**Table 2: Others**

Model|F1
-|-
theirs|0.8

|   |   |
|---|---|
| k | v |
"""


def test_pipe_tables_are_read(tmp_path: Path) -> None:
    first, second, third = read_tables(written(tmp_path, "r.md", MARKDOWN))
    assert first == TableRecord("r.md#1", "Results", NAMES, (("ours", "0.9"), ("a | b", "`x|y`", "more")))
    assert second == TableRecord("r.md#2", "Table 2: Others", NAMES, (("theirs", "0.8"),))
    assert isinstance(third, TableRecord)
    assert (third.header_rows, third.rows) == ((), (("k", "v"),))


def test_markdown_without_a_table(tmp_path: Path) -> None:
    assert "no pipe table" in refusal(written(tmp_path, "r.md", "a | b\n\n--- text")).reason
    assert refusal(written(tmp_path, "r.md", b"# a\n|\xff|")).record == "r.md, line 2"


def test_a_folder_is_read_file_by_file_as_their_endings_say(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    written(tmp_path, "below/t.tsv", "Model\tF1\nours\t0.9\n")
    written(tmp_path, "a.csv", "Model,F1\nours,0.9\n")
    written(tmp_path, "b.json", "{}")
    written(tmp_path, "c.md", "x|y\n-|-\n1|2")
    a, b, below, c = sorted(
        read_tables(str(tmp_path)),
        key=lambda record: record.key if isinstance(record, TableRecord) else record.record,
    )
    assert [record.key for record in all_of(TableRecord, (a, below, c))] == ["a.csv", "below/t.tsv", "c.md#1"]
    assert isinstance(b, RejectedRecord)
    assert b.record == "b.json"
    assert ".csv" in b.remedy


def test_a_file_that_is_absent_or_breaks_off_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match="no such file"):
        list(read_tables(str(tmp_path / "absent.csv")))
    broken = written(tmp_path, "t.csv.gz", gzip.compress(b"a,b\n" * 100)[:-20])
    with pytest.raises(UnusableSourceError, match=r"t\.csv\.gz"):
        list(read_tables(broken))
