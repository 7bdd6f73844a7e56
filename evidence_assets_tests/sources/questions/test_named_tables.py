"""Questions of your own about tables of your own: which table a record names, and what is wrong with it."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from evidence_assets.sources.questions import named_tables
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord
from evidence_assets.sources.tables.registry import read_tables

CASES = "Province,Cases\nQuebec,94\nOntario,53\n"
TABLE = TableRecord("cases.csv", "cases", (("Province", "Cases"),), (("Quebec", "94"), ("Ontario", "53")))
PAGE = (
    "<table><tr><th>a<tr><td>1</table><table><caption>Second</caption><tr><th>b<tr><td>2</table>"
    "<table><tr><th>c</table>"
)
CLAIM = {"question": "Quebec had 94 cases", "options": ["SUPPORTS", "REFUTES"], "answer_index": 0}


def lines(*tables: object) -> str:
    return "".join(
        json.dumps({**CLAIM, "id": f"c{number}", "table": table}) + "\n"
        for number, table in enumerate(tables, start=1)
    )


def read(uri: object) -> list[Question | RejectedRecord]:
    return list(BENCHMARKS["questions_jsonl"].reader(str(uri), "test"))


def read_claims(folder: Path, *tables: object) -> list[Question | RejectedRecord]:
    (folder / "claims.jsonl").write_text(lines(*tables), encoding="utf-8")
    return read(folder / "claims.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the questions, with tables in it, and one beside it."""
    questions_folder = tmp_path / "own"
    (questions_folder / "more").mkdir(parents=True)
    (questions_folder / "cases.csv").write_text(CASES, encoding="utf-8")
    (questions_folder / "more" / "cases.tsv.gz").write_bytes(gzip.compress(CASES.replace(",", "\t").encode()))
    (questions_folder / "page.html").write_text(PAGE, encoding="utf-8")
    book = openpyxl.Workbook()
    sheets: dict[str, list[list[object]]] = {
        "2007": [["Cases"], [94]],
        "2008": [["Cases"], ["=A1+1"]],
        "Notes": [],
    }
    for name, cells in sheets.items():
        sheet = book.create_sheet(name)
        for row in cells:
            sheet.append(row)
    del book["Sheet"]
    book.save(questions_folder / "book.xlsx")
    (tmp_path / "secret.csv").write_text(CASES, encoding="utf-8")
    return questions_folder


def tables_of(records: list[Question | RejectedRecord]) -> list[TableRecord | None]:
    assert all(isinstance(record, Question) for record in records), records
    return [record.table for record in records if isinstance(record, Question)]


def test_a_question_is_about_the_table_that_it_names(folder: Path) -> None:
    first, none, below, dotted = tables_of(
        read_claims(folder, "cases.csv", None, {"path": "more/cases.tsv.gz"}, "./more/../cases.csv")
    )
    assert first == dotted == TABLE
    assert none is None
    assert below == TableRecord("more/cases.tsv.gz", "cases", TABLE.header_rows, TABLE.rows)


def test_one_of_several_tables_is_named(folder: Path) -> None:
    second, same, by_key, sheet, sheet_by_key = tables_of(
        read_claims(
            folder,
            {"path": "page.html", "name": "2"},
            {"path": "page.html", "name": 2},
            "page.html#2",
            {"path": "book.xlsx", "name": "2007"},
            "more/../book.xlsx#2007",
        )
    )
    assert second == same == by_key == TableRecord("page.html#2", "Second", (("b",),), (("2",),))
    assert sheet == sheet_by_key == TableRecord("book.xlsx#2007", "", (("Cases",),), (("94",),))


def test_a_copy_tells_what_it_was_made_of(folder: Path) -> None:
    copied = {"uri": "/data/cases.csv", "fingerprint": "sha256:0"}
    records = read_claims(
        folder, {"path": "cases.csv", "copy_of": copied}, "cases.csv", {"path": "cases.csv", "copy_of": {}}
    )
    of_copy, itself = tables_of(records[:2])
    assert of_copy == itself == TABLE
    assert [table.copy_of for table in (of_copy, itself) if table] == ["/data/cases.csv", ""]
    assert isinstance(records[2], RejectedRecord) and "'uri' of 'copy_of'" in records[2].reason


def test_a_file_whose_name_has_a_number_sign_is_itself(folder: Path) -> None:
    (folder / "cases.csv#2").write_text("Province,Cases\nYukon,1\n", encoding="utf-8")
    (folder / "list#2.csv").write_text(CASES, encoding="utf-8")
    unreadable, whole = read_claims(folder, "cases.csv#2", "list#2.csv")
    assert isinstance(unreadable, RejectedRecord) and "cases.csv#2 cannot be used" in unreadable.reason
    assert tables_of([whole]) == [TableRecord("list#2.csv", "list#2", TABLE.header_rows, TABLE.rows)]


def test_a_file_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_files: list[str] = []

    def counted(uri: str) -> Iterator[TableRecord | RejectedRecord]:
        read_files.append(Path(uri).name)
        return read_tables(uri)

    monkeypatch.setattr(named_tables, "read_tables", counted)
    records = read_claims(
        folder, "cases.csv", "x.pdf", "cases.csv", {"path": "./cases.csv"}, "page.html", "x.pdf"
    )
    assert sum(isinstance(record, Question) for record in records) == 3
    assert read_files == ["cases.csv", "page.html"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "more/../../secret.csv",
        "{outside}/secret.csv",
        "file://{outside}/secret.csv",
        "file:{outside}/secret.csv",
        "zip://secret.csv::{outside}/secret.zip",
        "simplecache::{outside}/secret.csv",
        "~/secret.csv",
        "..",
        ".",
        "more/..",
    ],
)
def test_no_path_leads_out_of_the_folder(folder: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    with zipfile.ZipFile(folder.parent / "secret.zip", "w") as archive:
        archive.writestr("secret.csv", CASES)
    (folder / "claims.jsonl").write_text(lines(path.format(outside=folder.parent)), encoding="utf-8")
    monkeypatch.chdir(folder)
    # A relative URI has no folder before the path that could keep it in.
    for uri in (folder / "claims.jsonl", "claims.jsonl"):
        [rejected] = read(uri)
        assert isinstance(rejected, RejectedRecord)
        assert rejected.record == "line 1, id c1"
        assert "names no file below the folder of the questions" in rejected.reason
        assert "beside the questions, or below" in rejected.remedy


BAD = {
    "gone.csv": ("gone.csv, before the first record: no such file", "fetch the file"),
    "*.csv": ("not one file", "a single file"),
    "more": ("not one file", "a single file"),
    "bare.csv": ("bare.csv: the table has no row with anything in it", "give it rows"),
    "latin.csv": ("latin.csv, line 2, field 2: byte 0xe9 is not UTF-8", "save the file as UTF-8"),
    "quote.csv": ("quote.csv, behind row 1: not delimited text", "close every quote"),
    "broken.xlsx": ("broken.xlsx: not an .xlsx workbook", "save it as .xlsx"),
    "broken.csv.gz": ("broken.csv.gz, ", "fetch the file again"),
    "claims.jsonl": ("no reader of tables for files that end in '.jsonl'", ".csv"),
}


@pytest.mark.parametrize("path", BAD)
def test_a_table_that_cannot_be_used_stops_no_other(folder: Path, path: str) -> None:
    for name, content in {
        "bare.csv": b"a,b\n",
        "latin.csv": b"a,b\n1,\xe9\n",
        "quote.csv": b'a,b\n1,"2\n',
        "broken.xlsx": b"PK",
        "broken.csv.gz": gzip.compress(CASES.encode())[:-9],
    }.items():
        (folder / name).write_bytes(content)
    rejected, good = read_claims(folder, path, "cases.csv")
    assert isinstance(good, Question) and good.table == TABLE
    assert isinstance(rejected, RejectedRecord)
    reason, remedy = BAD[path]
    assert rejected.record == "line 1, id c1"
    assert rejected.reason.startswith(f"'table' {path} cannot be used: ")
    assert reason in rejected.reason
    assert remedy in rejected.remedy


@pytest.mark.parametrize(
    ("table", "reason", "remedy"),
    [
        ("page.html", "'table' page.html holds 3 tables", "name one of 1, 2, 3"),
        ("book.xlsx", "'table' book.xlsx holds 3 tables", "name one of 2007, 2008, Notes"),
        ({"path": "page.html", "name": "4"}, "holds no table '4'", "name one of 1, 2, 3"),
        ("page.html#4", "'table' page.html holds no table '4'", '"path#name"'),
        ("cases.csv#1", "'table' cases.csv is one table", "what stands behind #"),
        ("gone.xlsx#1", "gone.xlsx cannot be used", "fetch the file"),
        ({"path": "page.html", "name": 3}, "page.html#3: the table has no row", "give it rows"),
        ({"path": "book.xlsx", "name": "2008"}, "book.xlsx#2008, row 2, column A: a formula", "save it"),
        ({"path": "book.xlsx", "name": "Notes"}, "book.xlsx#Notes: the table has no row", "give it rows"),
        ({"path": "cases.csv", "name": "1"}, "'table' cases.csv is one table", "leave 'name' out"),
        ({"path": "gone.xlsx", "name": "1"}, "gone.xlsx cannot be used", "fetch the file"),
        ({"path": "page.html", "sheet": "1"}, "unknown field 'sheet'", '"name"'),
        ({"name": "1"}, "'path' of 'table' is missing", "'path'"),
        (
            {"path": "page.html", "name": True},
            "neither text nor a whole number but bool",
            "as a whole number",
        ),
        (" ", "'table' is empty", "a text"),
        (7, "'table' is not text but int", "as text"),
        ("a\0.csv", "cannot be used", ""),
        ("\ud800.csv", "not valid UTF-8", "UTF-8"),
    ],
)
def test_what_is_wrong_with_the_field_is_told(folder: Path, table: object, reason: str, remedy: str) -> None:
    rejected, good = read_claims(folder, table, "cases.csv")
    assert isinstance(good, Question)
    assert isinstance(rejected, RejectedRecord)
    assert reason in rejected.reason
    assert remedy in rejected.remedy


def test_tables_lie_in_the_archive_of_their_questions(folder: Path) -> None:
    path = folder.parent / "own.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("in/claims.jsonl", lines("cases.csv", "more/cases.csv", "../outer.csv"))
        for name in ("in/cases.csv", "in/more/cases.csv", "outer.csv"):
            archive.writestr(name, CASES)
    *good, outside = read(f"zip://in/claims.jsonl::{path}")
    assert [table and table.key for table in tables_of(good)] == ["cases.csv", "more/cases.csv"]
    assert isinstance(outside, RejectedRecord)


def test_topics_are_kept_once_in_their_order(tmp_path: Path) -> None:
    topic_lists = [["b ", "a", "b"], None, [], "b", [""], [7]]
    (tmp_path / "q.jsonl").write_text(
        "".join(
            json.dumps({**CLAIM, "id": f"q{number}", "topics": topics}) + "\n"
            for number, topics in enumerate(topic_lists)
        ),
        encoding="utf-8",
    )
    records = read(tmp_path / "q.jsonl")
    assert [record.topics for record in records if isinstance(record, Question)] == [("b", "a"), (), ()]
    assert [record.reason for record in records if isinstance(record, RejectedRecord)] == [
        "'topics' is not a list but str",
        "topic 1 is empty",
        "topic 1 is not text but int",
    ]
