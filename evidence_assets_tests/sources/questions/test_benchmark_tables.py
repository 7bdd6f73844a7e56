"""Questions and claims over tables: small files in each benchmark's own form, good and bad."""

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import (
    GoldCell,
    Question,
    RejectedRecord,
    TableRecord,
    UnusableSourceError,
)
from evidence_assets_tests.testing.records_read import all_of

THREE = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION")


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def read(name: str, uri: Path | str, split: str = "test") -> list[Question | RejectedRecord]:
    return list(BENCHMARKS[name].reader(str(uri), split))


def reasons(records: Iterable[Question | RejectedRecord]) -> dict[str, str]:
    return {record.record: record.reason for record in records if isinstance(record, RejectedRecord)}


CLAIM = {
    "id": "c1",
    "claim": "Ours is best.",
    "label": "supports",
    "table_id": "t1",
    "table_caption": "Table 1: Scores",
    "table_column_names": ["", "F1"],
    "table_content_values": [["ours", "[BOLD] 0.9"], ["theirs", 0.8]],
}


def test_scitab_is_read(tmp_path: Path) -> None:
    others = [
        {**CLAIM, "id": "c2", "label": "refutes"},
        {**CLAIM, "id": "c3", "label": "not enough info", "table_column_names": ["", ""]},
    ]
    write(tmp_path, {"s.json": json.dumps([CLAIM, *others])})
    first, second, third = all_of(Question, read("scitab", tmp_path / "s.json"))
    table = TableRecord("t1", "Table 1: Scores", (("", "F1"),), (("ours", "[BOLD] 0.9"), ("theirs", "0.8")))
    assert first == Question("c1", "Ours is best.", THREE, 0, ("SUPPORTS",), table=table)
    assert [question.answer_index for question in (first, second, third)] == [0, 1, 2]
    assert third.table is not None
    assert third.table.header_rows == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label": "maybe"}, "answer key 'maybe' is out of range"),
        ({"label": None}, "no answer key"),
        ({"claim": " "}, "the question is empty"),
        ({"table_id": None}, "'table_id' is missing"),
        ({"table_content_values": "x"}, "'table_content_values' is not a list but str"),
        ({"table_content_values": [["x"], "y"]}, "row 2 of 'table_content_values' is not a list but str"),
        ({"table_content_values": [["x", ["y"]]]}, "cell 2 of row 1 of 'table_content_values' is list"),
        ({"table_content_values": [["", " "]]}, "its table has no row with anything in it"),
    ],
)
def test_scitab_records_that_cannot_be_used(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    write(tmp_path, {"s.json": json.dumps([{**CLAIM, **change}, {**CLAIM, "id": "good"}, 7])})
    records = read("scitab", tmp_path / "s.json")
    assert [record.question_id for record in records if isinstance(record, Question)] == ["good"]
    rejections = reasons(records)
    assert reason in rejections["record 1, id c1"]
    assert "not an object" in rejections["record 3"]


TABFACT = {
    "test_examples.json": json.dumps(
        {
            "a.csv": [["it be so", "it be not so"], [1, 0], "a caption"],
            "b.csv": [["x be y"], [1], "b"],
            "gone.csv": [["x be z"], [1], "gone"],
        }
    ),
    "small_test_id.json": json.dumps(["a.csv", "never.csv"]),
    "csv/a.csv": 'name#year\n"ann"#1999\nbob#\n',
    "csv/b.csv": "k\nv\n",
}


def test_tabfact_is_read(tmp_path: Path) -> None:
    write(tmp_path, TABFACT)
    first, second, unlisted = read("tabfact", tmp_path, "small_test")
    table = TableRecord("a.csv", "a caption", (("name", "year"),), (('"ann"', "1999"), ("bob", "")))
    assert first == Question("a.csv-0", "it be so", ("SUPPORTS", "REFUTES"), 0, ("SUPPORTS",), table=table)
    assert isinstance(second, Question) and isinstance(unlisted, RejectedRecord)
    assert (second.question_id, second.answers) == ("a.csv-1", ("REFUTES",))
    assert unlisted.record == "table never.csv"
    records = read("tabfact", tmp_path, "test")
    assert [record.question_id for record in records if isinstance(record, Question)] == [
        "a.csv-0",
        "a.csv-1",
        "b.csv-0",
    ]
    assert reasons(records) == {"table gone.csv": "its table gone.csv cannot be read: no such file"}


def test_tabfact_in_an_archive_with_the_tables_of_the_whole_release(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for name, content in TABFACT.items():
            archive.writestr(f"data/{name.replace('csv/', 'all_csv/')}", content)
    records = read("tabfact", f"zip://data::{tmp_path / 't.zip'}", "small_test")
    assert [record.question_id for record in records if isinstance(record, Question)] == [
        "a.csv-0",
        "a.csv-1",
    ]


@pytest.mark.parametrize(
    ("entry", "place", "reason"),
    [
        ([["x"], [1]], "table a.csv", "2 parts"),
        ([["x"], [1, 0], "c"], "table a.csv", "1 statements, but 2 labels"),
        ([["x"], [2], "c"], "table a.csv, statement 0", "answer key '2' is out of range"),
        ([[" "], [1], "c"], "table a.csv, statement 0", "the question is empty"),
        ("x", "table a.csv", "not a list"),
    ],
)
def test_tabfact_entries_that_cannot_be_used(tmp_path: Path, entry: object, place: str, reason: str) -> None:
    write(tmp_path, {**TABFACT, "test_examples.json": json.dumps({"a.csv": entry})})
    assert reason in reasons(read("tabfact", tmp_path, "test"))[place]


@pytest.mark.parametrize(
    ("content", "reason"), [(b"a#b\nx#\xff\n", "line 2 of its table a.csv"), (b"a#b\n", "no row")]
)
def test_tabfact_tables_that_cannot_be_used(tmp_path: Path, content: bytes, reason: str) -> None:
    write(tmp_path, {**TABFACT, "csv/a.csv": content})
    assert reason in reasons(read("tabfact", tmp_path, "test"))["table a.csv"]


def test_tabfact_without_its_tables_or_of_another_split_is_unusable(tmp_path: Path) -> None:
    write(tmp_path, {name: text for name, text in TABFACT.items() if "/" not in name})
    with pytest.raises(UnusableSourceError, match="no folder csv or all_csv"):
        read("tabfact", tmp_path, "test")
    with pytest.raises(UnusableSourceError, match="no split 'validation'"):
        read("tabfact", tmp_path, "validation")


HEALTH: dict[str, Any] = {
    "_id": 7,
    "claim": "It cures.",
    "label": "REFUTES",
    "table": {
        "_id": "t7",
        "caption": "Trials",
        "header_horizontal": ["Trial", "Cured"],
        "rows": [["one", "12"], ["two", 13]],
    },
}


def read_health(tmp_path: Path, **change: Any) -> list[Question | RejectedRecord]:
    record = {**HEALTH, **{name: value for name, value in change.items() if name != "table"}}
    record["table"] = {**HEALTH["table"], **change["table"]} if "table" in change else HEALTH["table"]
    write(tmp_path, {"h.jsonl": json.dumps(record)})
    return read("pubhealthtab", tmp_path / "h.jsonl")


def health(tmp_path: Path, **change: Any) -> Question:
    (question,) = all_of(Question, read_health(tmp_path, **change))
    return question


def test_pubhealthtab_is_read(tmp_path: Path) -> None:
    table = TableRecord("t7", "Trials", (("Trial", "Cured"),), (("one", "12"), ("two", "13")))
    assert health(tmp_path) == Question("7", "It cures.", THREE, 1, ("REFUTES",), table=table)
    assert health(tmp_path, label="NOT ENOUGH INFO").answers == ("NOT ENOUGH INFORMATION",)
    # Names of rows that stand apart are the first column, those that the rows begin with are not repeated.
    apart = health(
        tmp_path,
        table={"header_horizontal": ["Cured"], "header_vertical": ["one", "two"], "rows": [["12"], ["13"]]},
    )
    assert apart.table is not None
    assert apart.table.header_rows == (("", "Cured"),)
    assert apart.table.rows == (("one", "12"), ("two", "13"))
    assert health(tmp_path, table={"header_vertical": ["one", "two"]}).table == table
    with_names = health(tmp_path, table={"rows": [["Trial", "Cured"], ["one", "12"], ["two", 13]]})
    assert with_names.table == table
    drawn = health(tmp_path, table={"rows": None, "html_code": "<table><tr><th>a<th>b<tr><td>1<td>2</table>"})
    assert drawn.table is not None
    assert (drawn.table.header_rows, drawn.table.rows) == ((("a", "b"),), (("1", "2"),))
    assert health(tmp_path, _id=None).question_id == "line-1"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label": "FALSE"}, "answer key 'FALSE' is out of range: the labels are SUPPORTS, SUPPORT, REFUTES"),
        ({"label": None}, "no answer key"),
        ({"table": {"rows": None}}, "neither rows nor HTML"),
        ({"table": {"rows": [[""]]}}, "its table has no row"),
    ],
)
def test_pubhealthtab_records_that_cannot_be_used(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    (rejected,) = all_of(RejectedRecord, read_health(tmp_path, **change))
    assert reason in rejected.reason


MCQ = "QUESTION,CHOICE 1,CHOICE 2,CHOICE 3,CHOICE 4,CORRECT CHOICE,RELEVANT TABLE,RELEVANT ROW,RELEVANT COL\n"


def test_tabmcq_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "q.csv": MCQ
            + 'What melts?,ice,"rock, hard",wood,air,1,melts,2,1\n'
            + "What is hot?,ice,fire,wood,air,B,melts.csv,,\n"
            + "What burns?,ice,fire,wood,air,wood,melts,9,2\n"
            + "Short,ice\n"
            + "What flies?,ice,fire,wood,air,5,melts,1,1\n"
            + "What flies?,ice,fire,wood,air,4,gone,1,1\n",
            "tables/melts.csv": "thing,point\niron,high\nice,low\n",
        },
    )
    records = read("tabmcq", tmp_path / "q.csv")
    first, second, third = (record for record in records if isinstance(record, Question))
    table = TableRecord("melts", "", (("thing", "point"),), (("iron", "high"), ("ice", "low")))
    assert first == Question(
        "row-2",
        "What melts?",
        ("ice", "rock, hard", "wood", "air"),
        0,
        ("ice",),
        table=table,
        gold_cells=(GoldCell("melts", 1, 0),),
    )
    assert (second.answers, second.gold_cells) == (("fire",), ())
    # A row that the table lacks is not named; the column that is told still is.
    assert (third.answers, third.gold_cells) == (("wood",), (GoldCell("melts", None, 1),))
    rejections = reasons(records)
    assert rejections["q.csv, row 5"] == "2 cells where the first row names 9"
    assert "answer key '5' is out of range" in rejections["q.csv, row 6"]
    assert rejections["q.csv, row 7"] == "there is no table 'gone'"


def test_tabmcq_of_another_form_is_unusable(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"q.csv": "question,a,b\nx,y,z\n", "bad.csv": MCQ.encode() + b"\xff", "open.csv": MCQ + 'x\n"y,z\n'},
    )
    with pytest.raises(UnusableSourceError, match="behind row 2"):
        read("tabmcq", tmp_path / "open.csv")
    with pytest.raises(UnusableSourceError, match="does not name CHOICE 1"):
        read("tabmcq", tmp_path / "q.csv")
    with pytest.raises(UnusableSourceError, match=r"row 2: .*not valid UTF-8"):
        read("tabmcq", tmp_path / "bad.csv")


def test_wikitablequestions_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "data/training.tsv": "id\tutterance\tcontext\ttargetValue\n"
            "nt-0\twho won?\tcsv/1-csv/2.csv\tAnn\n"
            "nt-1\twhich\\pboth?\tcsv/1-csv/2.csv\tAnn|B\\pob\n"
            "nt-2\twhen?\tcsv/1-csv/2.csv\t\n"
            "nt-3\twhen?\tcsv/gone.csv\t1\n"
            "nt-5\twhen?\tcsv/open.csv\t1\n"
            "nt-4\ttoo\tmany\ttabs\there\n"
            "nt-0\tagain?\tcsv/1-csv/2.csv\tAnn\n",
            "csv/open.csv": '"a","b"\n"c","d\n',
            "csv/1-csv/2.csv": '"Name","Said"\n"Ann","she said \\"no\\", twice"\n"Bob","a\\nb \\\\n"\n',
        },
    )
    records = read("wikitablequestions", tmp_path / "data" / "training.tsv")
    first, second = (record for record in records if isinstance(record, Question))
    table = TableRecord(
        "csv/1-csv/2.csv", "", (("Name", "Said"),), (("Ann", 'she said "no", twice'), ("Bob", "a\nb \\n"))
    )
    assert first == Question("nt-0", "who won?", answers=("Ann",), table=table)
    assert (second.question, second.answers) == ("which|both?", ("Ann|B|ob",))
    rejections = reasons(records)
    assert rejections["line 4, id nt-2"] == "answer 1 is empty"
    assert "csv/gone.csv cannot be read" in rejections["line 5, id nt-3"]
    assert "not CSV behind row 1" in rejections["line 6, id nt-5"]
    assert rejections["line 7"] == "5 cells where the first line names 4"
    assert "already used" in rejections["line 8, id nt-0"]


def test_wikitablequestions_without_its_line_of_names_is_unusable(tmp_path: Path) -> None:
    write(tmp_path, {"data/q.tsv": "nt-0\twho won?\tcsv/1.csv\tAnn\n"})
    with pytest.raises(UnusableSourceError, match="does not name id"):
        read("wikitablequestions", tmp_path / "data" / "q.tsv")


FETA = {
    "feta_id": 18162,
    "table_page_title": "Cats",
    "table_section_title": "Kinds",
    "table_array": [["Name", "Year"], ["Tom", "1940"]],
    "highlighted_cell_ids": [[0, 1], [1, 0]],
    "question": "Which cat?",
    "answer": "Tom, in 1940.",
}


def test_fetaqa_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"f.jsonl": json.dumps(FETA)})
    (question,) = read("fetaqa", tmp_path / "f.jsonl")
    assert question == Question(
        "18162",
        "Which cat?",
        answers=("Tom, in 1940.",),
        table=TableRecord("feta-18162", "Cats - Kinds", (("Name", "Year"),), (("Tom", "1940"),)),
        gold_cells=(GoldCell("feta-18162", -1, 1), GoldCell("feta-18162", 0, 0)),
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"highlighted_cell_ids": [[2, 0]]}, "no row and column of the table"),
        ({"highlighted_cell_ids": [["a", 0]]}, "no row and column of the table"),
        ({"table_array": [["a"], ["\ud800"]]}, "cell 1 of row 2 of 'table_array' holds bytes"),
        ({"table_array": [["only", "names"]]}, "its table has no row"),
        ({"answer": ""}, "answer 1 is empty"),
        ({"feta_id": None}, "'feta_id' is missing"),
    ],
)
def test_fetaqa_records_that_cannot_be_used(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    write(tmp_path, {"f.jsonl": json.dumps({**FETA, **change})})
    (rejected,) = all_of(RejectedRecord, read("fetaqa", tmp_path / "f.jsonl"))
    assert reason in rejected.reason


def worldtree(*questions: tuple[str, ...]) -> str:
    names = ('",,QuestionID"', "AnswerKey", "category", "explanation", "question")
    return "\n".join("\t".join(cells) for cells in (names, *questions)) + "\n"


STORE = {
    "tables/KINDOF.tsv": "HYPONYM\t[FILL]\t[SKIP] UID\ncat\tis\tu-1\n\ndog\tis\tu-2\n",
    "tables/PARTOF.tsv": "PART\t[SKIP] UID\nleg\tu-3\n",
}


def test_worldtree_questions_are_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            **STORE,
            "q.tsv": worldtree(
                (
                    "q1",
                    "B",
                    "Train",
                    "u-2|CENTRAL u-3|LEXGLUE u-2|NEG u-9|ROLE",
                    "Which barks? (A) a cat (B) a dog",
                ),
                ("q2", "A", "Dev", "u-1|CENTRAL", '"Which ""mews"", (b)? (A) a cat (B) an owl (C) plan (A)"'),
                ("q3", "A", "Test", "u-1|CENTRAL", "Text of licensed questions can be requested at: x"),
                ("q4", "A", "Train", "", "Which? (A) a (B) b"),
                ("q5", "E", "Train", "u-1|CENTRAL", "Which? (A) a (B) b"),
                ("q6", "A", "Train", "u-1|CENTRAL", "Which has no options?"),
            ),
        },
    )
    records = read("worldtree_questions", tmp_path / "q.tsv", "all")
    first, second = (record for record in records if isinstance(record, Question))
    assert first == Question(
        "q1",
        "Which barks?",
        ("a cat", "a dog"),
        1,
        ("a dog",),
        gold_cells=(GoldCell("KINDOF.tsv", 1), GoldCell("PARTOF.tsv", 0)),
    )
    assert (second.question, second.options) == ('Which "mews", (b)?', ("a cat", "an owl", "plan (A)"))
    rejections = reasons(records)
    assert "licence" in rejections["line 4, id q3"]
    assert "no explanation" in rejections["line 5, id q4"]
    assert "out of range" in rejections["line 6, id q5"]
    assert "0 option(s)" in rejections["line 7, id q6"]
    (dev,) = read("worldtree_questions", tmp_path / "q.tsv", "dev")
    assert dev == second


def test_worldtree_of_another_form_is_unusable(tmp_path: Path) -> None:
    write(tmp_path, {"q.tsv": worldtree(), "tables/T.tsv": "a\tb\nx\ty\n", "e.tsv": ""})
    with pytest.raises(UnusableSourceError, match=r"no column '\[SKIP\] UID'"):
        read("worldtree_questions", tmp_path / "q.tsv", "all")
    with pytest.raises(UnusableSourceError, match="no split 'half'"):
        read("worldtree_questions", tmp_path / "q.tsv", "half")
    write(tmp_path, STORE)
    (tmp_path / "tables" / "T.tsv").unlink()
    with pytest.raises(UnusableSourceError, match="does not name"):
        read("worldtree_questions", tmp_path / "e.tsv", "all")
