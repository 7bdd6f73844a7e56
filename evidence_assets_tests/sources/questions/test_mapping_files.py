"""Question sets that a mapping file describes: a user's own, in every format, and what is wrong with one."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from evidence_assets.config.configuration import load
from evidence_assets.sources.questions import registry
from evidence_assets.sources.questions.benchmark import MappingError
from evidence_assets.sources.questions.registry import BENCHMARKS, NAMES
from evidence_assets.sources.questions.rows import question_rows
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord, UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets_tests.testing.configuration_samples import configuration, written

Records = list[Question | RejectedRecord]

EXAM = """
title: Entrance exams of our school
licence: CC BY 4.0
format: csv
id: nr
question: stem
options: [a, b, '"option c"']
key: right
key_is: [letter, text]
subject: area
gold_evidence: [source]
topics: split(about, ';')
"""
ROWS = (
    "nr,stem,a,b,option c,right,area,source,about\n"
    '7,"Which melts, at 0 °C?",iron,ice,wood,B,physics,Ice melts at 0 °C.,ice;heat\n'
    "8,Which burns?,iron,ice,wood,wood,chemistry,,wood\n"
    "9,Which sinks?,iron,ice,wood,D,physics,,\n"
    "10,Which floats?,iron\n"
)


def mapping(folder: Path, content: str | dict[str, Any], name: str = "exam.yaml") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return path


def read(path: Path, uri: object, split: str = "test") -> Records:
    return list(BENCHMARKS[str(path)].reader(str(uri), split))


def test_a_csv_file_in_an_archive_is_read_by_a_mapping_that_the_configuration_names(tmp_path: Path) -> None:
    mapping(tmp_path, EXAM)
    with zipfile.ZipFile(tmp_path / "exams.zip", "w") as archive:
        archive.writestr("2024/exam.csv", ROWS)
    content = configuration()
    content["benchmarks"]["quiz"] |= {"reader": "exam.yaml", "uri": "zip://2024/exam.csv::exams.zip"}
    quiz = load(written(tmp_path, content)).benchmarks["quiz"]
    assert quiz.reader == str(tmp_path / "exam.yaml")
    benchmark = BENCHMARKS[quiz.reader]
    assert (benchmark.name, benchmark.title) == ("exam", "Entrance exams of our school")
    records = list(benchmark.reader(f"zip://2024/exam.csv::{tmp_path}/exams.zip", "test"))
    ice = Question(
        "7",
        "Which melts, at 0 °C?",
        ("iron", "ice", "wood"),
        1,
        ("ice",),
        (GoldEvidence("Ice melts at 0 °C."),),
        subject="physics",
        topics=("ice", "heat"),
    )
    assert records[0] == ice
    assert isinstance(records[1], Question) and records[1].answers == ("wood",)
    assert [
        (record.record, record.reason) for record in records[2:] if isinstance(record, RejectedRecord)
    ] == [
        ("exam.csv, row 4, id 9", "answer key 'D' is out of range: the labels are A, B, C"),
        ("exam.csv, row 5", "3 cells where the first row names 9"),
    ]
    rows, _ = question_rows(records, "quiz", quiz)
    assert rows.column("licence").to_pylist() == ["CC BY 4.0", "CC BY 4.0"]


def test_what_a_mapping_says_is_part_of_how_a_benchmark_is_read(tmp_path: Path) -> None:
    content = configuration()
    content["benchmarks"]["quiz"]["reader"] = "exam.yaml"
    readers = []
    for folder, text in (("a", EXAM), ("b", EXAM), ("c", EXAM.replace("stem", "text"))):
        (tmp_path / folder).mkdir()
        mapping(tmp_path / folder, text)
        quiz = load(written(tmp_path / folder, content)).benchmarks["quiz"]
        readers.append(quiz.model_dump(mode="json")["reader"])
    assert readers[0] == readers[1] != readers[2]
    assert readers[0].startswith("exam.yaml:")


RECORDS = [
    {"paper": {"n": 1}, "text": "Who?", "right": ["Ann", "Bo"]},
    {"paper": {"n": 2}, "text": "Why?", "right": []},
]
OPEN = {"licence": "CC0", "id": "paper.n", "question": "text", "answers": "right"}


@pytest.mark.parametrize("form", ["jsonl", "json", "json or jsonl", "parquet"])
def test_the_same_records_in_every_format(form: str, tmp_path: Path) -> None:
    file = tmp_path / "questions"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(RECORDS), file)
    elif form == "jsonl":
        file.write_text("\n".join(map(json.dumps, RECORDS)))
    else:
        file.write_text(json.dumps(RECORDS))
    good, rejected = read(mapping(tmp_path, {**OPEN, "format": form}), file)
    assert good == Question("1", "Who?", answers=("Ann", "Bo"))
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record.endswith(" 2, id 2")
    assert "no answer key: 'right' is missing or empty" in rejected.reason


def test_what_is_no_parquet_or_lacks_a_column_is_unusable(tmp_path: Path) -> None:
    path = mapping(tmp_path, {**OPEN, "format": "parquet", "needed": ["text", "right"]})
    (tmp_path / "q.parquet").write_text("text")
    with pytest.raises(UnusableSourceError, match=r"q\.parquet.*not Parquet"):
        read(path, tmp_path / "q.parquet")
    pq.write_table(pa.table({"text": ["Who?"]}), tmp_path / "q.parquet")
    with pytest.raises(UnusableSourceError, match="does not name right"):
        read(path, tmp_path / "q.parquet")


def test_records_in_records_with_what_they_lie_in(tmp_path: Path) -> None:
    document = {
        "papers": {"p1": {"title": "Ice", "questions": [{"q": "Who?", "a": 5}, {"q": "When?"}]}, "p2": 3}
    }
    (tmp_path / "q.json").write_text(json.dumps(document))
    path = mapping(
        tmp_path,
        {
            "licence": "CC0",
            "format": "json",
            "records": {"paper": "papers.*", "question": "questions[]"},
            "made_id": ["paper._key", "_number"],
            "question": "q",
            "answers": ["as_text(a)"],
            "subject": "paper.title",
        },
    )
    good, unanswered, broken = read(path, tmp_path / "q.json")
    assert good == Question("p1-1", "Who?", answers=("5",), subject="Ice")
    assert isinstance(unanswered, RejectedRecord) and unanswered.record == "paper p1, question 2"
    assert isinstance(broken, RejectedRecord)
    assert (broken.record, broken.reason) == ("paper p2", "the paper is not an object but int")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": "text["}, r"question: 'text\[' is no JMESPath expression .*remedy"),
        ({"question": "text of it"}, r"question: .*double quotes"),
        ({"answers": ["ann(right)"]}, "answers.0: 'ann.right.' calls ann, which is no function.*split"),
        ({"question": 5}, "question: 5 is no path expression; remedy: write it as text"),
        ({"question": None}, "question: "),
        (
            {"colour": "text"},
            "colour: there is no such field; remedy: remove it; the fields are .*question, ",
        ),
        ({"id": None}, "no id; remedy"),
        ({"answers": None}, "neither key nor answers; remedy"),
        ({"key": "right"}, "key without options; remedy"),
        ({"key": "right", "options": ["a"]}, "key without key_is; remedy.*letter"),
        ({"options": {"each": {}}}, "options.each: .*remedy"),
        ({"table": {"rows": "cells"}}, "table.key: it is missing; remedy: add it"),
        ({"format": "pdf"}, "format: 'pdf' is none of jsonl, json"),
        ({"licence": ""}, "licence: "),
        ({"records": {"record": "a["}}, r"records: 'a\[' of record is no path to records; remedy"),
        ({"records": {"a": "[]", "b": "c.*"}}, "only the first path may be"),
        ({"files": "(x"}, "files: .*no pattern.*remedy"),
    ],
)
def test_a_broken_mapping_names_file_field_and_remedy(
    changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = mapping(tmp_path, {**OPEN, "format": "jsonl", **changes})
    with pytest.raises(MappingError, match=reason) as raised:
        BENCHMARKS[str(path)]
    assert str(raised.value).startswith(str(path))
    content = configuration()
    content["benchmarks"]["quiz"]["reader"] = "exam.yaml"
    with pytest.raises(ConfigurationError, match=r"benchmarks\.quiz\.reader: .*exam\.yaml: "):
        load(written(tmp_path, content))


def test_all_problems_of_a_mapping_are_told_each_with_its_place(tmp_path: Path) -> None:
    path = mapping(tmp_path, {**OPEN, "format": "pdf", "key_is": ["rune"], "qestion": "stem"})
    with pytest.raises(MappingError) as raised:
        BENCHMARKS[str(path)]
    problems = str(raised.value).splitlines()
    assert all(problem.startswith(f"{path}: ") and "; remedy: " in problem for problem in problems)
    assert len(problems) == 3
    content = configuration()
    content["benchmarks"]["quiz"]["reader"] = "exam.yaml"
    with pytest.raises(ConfigurationError) as raised_of_all:
        load(written(tmp_path, content))
    of_reader = f"benchmarks.quiz.reader: {path}: "
    assert sum(problem.startswith(of_reader) for problem in raised_of_all.value.problems) == 3


@pytest.mark.parametrize(
    ("text", "reason"), [(None, "No such file"), ("a: [", "not YAML"), ("- a", "mapping")]
)
def test_a_mapping_that_cannot_be_read_says_so(text: str | None, reason: str, tmp_path: Path) -> None:
    if text is not None:
        mapping(tmp_path, text)
    with pytest.raises(MappingError, match=rf"exam\.yaml: .*{reason}"):
        BENCHMARKS[str(tmp_path / "exam.yaml")]


def test_a_record_that_an_expression_does_not_apply_to_is_rejected_alone(tmp_path: Path) -> None:
    path = mapping(tmp_path, {**OPEN, "format": "jsonl", "answers": "split(right, '|')"})
    lines = [{**RECORDS[0], "right": right} for right in (["Ann"], "Ann|Bo")]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, [*lines, {**lines[1], "paper": "3"}])))
    rejected, good, no_object = read(path, tmp_path / "q.jsonl")
    assert isinstance(rejected, RejectedRecord) and isinstance(no_object, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("line 1, id 1", "split takes text, not list: ['Ann']")
    assert "as_text" in rejected.remedy
    assert isinstance(good, Question) and good.answers == ("Ann", "Bo")
    assert (no_object.record, no_object.reason) == ("line 3", "'paper' is not an object but str")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answers": "find_all(text, '(')"}, "find_all(text, '(') does not apply to 'text'"),
        ({"answers": "split(text, '')"}, "split(text, '') does not apply to 'text'"),
        ({"answers": "split(text, `1`)"}, "invalid type"),
        ({"answers": "keys(right)"}, "invalid type"),
        ({"options": "right", "labels": "[paper.n]", "key": "text"}, "'n' has 1 labels for 2 options"),
        ({"gold_evidence": {"each": {"fact": "right"}, "text": "said"}}, "fact 1 is not an object but str"),
        ({"gold_evidence": ["paper"]}, "gold evidence 1 is not text but dict"),
        ({"gold_evidence": {"each": {"fact": "facts"}}}, "'facts' is missing"),
        ({"table": "right"}, "'right' is no table"),
    ],
)
def test_what_a_mapping_cannot_do_with_a_record_is_told_of_the_record(
    changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = mapping(tmp_path, {**OPEN, "format": "jsonl", **changes})
    (tmp_path / "q.jsonl").write_text(json.dumps(RECORDS[0]))
    [rejected] = read(path, tmp_path / "q.jsonl")
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "line 1, id 1"
    assert reason in rejected.reason
    assert rejected.remedy


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"nr;text;right\n1;Who?;Ann\n", "its cells are parted by ';': the first row is 'nr;text;right'"),
        (b"nr|text|right\n1|Who?|Ann\n", "its cells are parted by '|': the first row is 'nr|text|right'"),
        ("nr,text,right\n1,Who?,Ann\n".encode("utf-16"), "it is in UTF-16"),
    ],
)
def test_cells_that_other_marks_part_are_told_of_the_file(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = mapping(
        tmp_path, {"licence": "CC0", "format": "csv", "id": "nr", "question": "text", "answers": ["right"]}
    )
    (tmp_path / "exam.csv").write_bytes(content)
    with pytest.raises(UnusableSourceError) as raised:
        read(path, tmp_path / "exam.csv")
    assert (raised.value.record, raised.value.reason) == ("line 1", reason)


def test_every_mapping_of_the_project_is_one_of_its_names() -> None:
    folder = Path(registry.__file__).parent / "mappings"
    assert sorted(path.stem for path in folder.glob("*.yaml")) == sorted(NAMES) == sorted(BENCHMARKS)
