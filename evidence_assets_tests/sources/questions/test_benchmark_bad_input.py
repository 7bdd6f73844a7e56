"""What is rejected by name, what makes a whole file unusable, and the project's own question form."""

import gzip
import json
from pathlib import Path

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of

GOOD = {"id": "good", "question": "Is it?", "options": ["yes", "no"], "answer_index": 1}


def read_bytes(path: Path, content: bytes, name: str = "questions_jsonl") -> list[Question | RejectedRecord]:
    path.write_bytes(content)
    return list(BENCHMARKS[name].reader(str(path), "test"))


def read_own(tmp_path: Path, *records: object) -> list[Question | RejectedRecord]:
    return read_bytes(tmp_path / "own.jsonl", b"\n".join(json.dumps(record).encode() for record in records))


def test_own_form_with_everything(tmp_path: Path) -> None:
    record = {
        **GOOD,
        "id": 7,
        "answers": ["no"],
        "gold_evidence": [{"title": "Title", "text": " Text. "}, {"text": "Untitled."}],
        "context": "Given text.",
        "subject": "logic",
    }
    assert read_own(tmp_path, record) == [
        Question(
            question_id="7",
            question="Is it?",
            options=("yes", "no"),
            answer_index=1,
            answers=("no",),
            gold_evidence=(GoldEvidence("Text.", "Title"), GoldEvidence("Untitled.")),
            context="Given text.",
            subject="logic",
        )
    ]


def test_own_form_with_the_least(tmp_path: Path) -> None:
    open_one, by_answer, by_index = all_of(
        Question,
        read_own(
            tmp_path,
            {"id": "a", "question": "Who?", "answers": ["Ann", "Anna", "Ann"]},
            {"id": "b", "question": "Which?", "options": ["x", "y"], "answers": ["y"]},
            GOOD,
        ),
    )
    assert open_one == Question("a", "Who?", answers=("Ann", "Anna"))
    assert (by_answer.answer_index, by_answer.answers) == (1, ("y",))
    assert by_index.answers == ("no",)


@pytest.mark.parametrize("answerable", [None, False])
@pytest.mark.parametrize("options", [["yes", "no"], None])
def test_a_question_may_lack_a_key_or_have_no_answer(
    tmp_path: Path, options: list[str] | None, answerable: bool | None
) -> None:
    keyless = {**GOOD, "options": options, "answer_index": None, "answerable": answerable}
    (question,) = all_of(Question, read_own(tmp_path, keyless))
    assert (question.options, question.answer_index, question.answers) == (tuple(options or ()), None, ())
    assert question.answerable is answerable


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answer_index": 2}, "answer key '2' is out of range: the labels are 0, 1"),
        ({"answer_index": -2}, "out of range"),
        ({"answer_index": True}, "'answer_index' is neither text nor a whole number but bool"),
        ({"answer_index": 1.0}, "'answer_index' is neither text nor a whole number but float"),
        ({"options": ["only"], "answer_index": 0}, "the question has 1 option(s)"),
        ({"options": ["yes", " "]}, "option 2 is empty"),
        ({"options": ["yes", None]}, "option 2 is missing"),
        ({"options": ["yes", 5]}, "option 2 is not text but int"),
        ({"options": ["no", "yes", "yes"]}, "options 2 and 3 are alike"),
        ({"options": [" a  new home", "a new home "]}, "options 1 and 2 are alike"),
        ({"options": ["a", "a"], "answer_index": None}, "options 1 and 2 are alike"),
        ({"options": ["a", "a"], "answer_index": None, "answerable": False}, "options 1 and 2 are alike"),
        ({"options": "yes"}, "'options' is not a list but str"),
        ({"options": None}, "'answer_index' is given without 'options'"),
        ({"answerable": False}, "an answer is given, and 'answerable' is false"),
        ({"answerable": "no", "answer_index": None}, "'answerable' is neither true nor false"),
        ({"options": ["only"], "answer_index": None}, "the question has 1 option(s)"),
        ({"options": None, "answer_index": None, "answers": [""]}, "answer 1 is empty"),
        ({"question": ""}, "the question is empty"),
        ({"question": "\ud800"}, "the question holds bytes that are not valid UTF-8"),
        ({"id": None}, "'id' is missing"),
        ({"id": ["x"]}, "'id' is neither text nor a whole number but list"),
        ({"answers": ["yes"]}, "'answers' and 'answer_index' name different options"),
        ({"answers": ["other"], "answer_index": None}, "'answers' names 0 of the options"),
        ({"options": ["a", "a"], "answers": ["a"], "answer_index": None}, "'answers' names 2 of the options"),
        ({"gold_evidence": [{"title": "T"}]}, "the text of gold evidence 1 is missing"),
        ({"gold_evidence": ["text"]}, "gold evidence 1 is not an object but str"),
        ({"context": 5}, "'context' is not text but int"),
    ],
)
def test_a_bad_record_is_rejected_by_name_and_reading_goes_on(
    changes: dict[str, object], reason: str, tmp_path: Path
) -> None:
    rejected, good = read_own(tmp_path, {**GOOD, "id": "bad", **changes}, GOOD)
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record.startswith("line 1")
    assert reason in rejected.reason
    assert rejected.remedy
    assert isinstance(good, Question)
    assert good.question_id == "good"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("anwsers", "answers"),
        ("Answers", "answers"),
        ("answer", "answers"),
        ("answerindex", "answer_index"),
        ("answer-index", "answer_index"),
        ("qestion", "question"),
        ("ID", "id"),
        ("gold_evidnece", "gold_evidence"),
        ("tabel", "table"),
    ],
)
def test_a_field_that_is_surely_another_is_named_with_it(written: str, meant: str, tmp_path: Path) -> None:
    record = {"id": "bad", "question": "Who?", written: GOOD.get(meant)}
    record.pop(meant, None)
    rejected, _ = read_own(tmp_path, record, GOOD)
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record.startswith("line 1")
    assert (
        rejected.reason == f"there is no field {written!r}; the nearest is {meant!r}, which the record lacks"
    )
    assert rejected.remedy.startswith(f"rename it: {meant!r}, or ")


def test_fields_of_ones_own_are_left_alone(tmp_path: Path) -> None:
    """What is not like a field, is like one that the record has, or may be the singular of a name."""
    own = {"topic": "birds", "answer": "no", "title": "Kites", "_note": 1, "Question": "who", "source": "x"}
    (question,) = all_of(Question, read_own(tmp_path, {**GOOD, **own}))
    assert question.answers == ("no",)


@pytest.mark.parametrize("name", ["content", "contest", "context2", "options_1", "cable", "stable"])
def test_another_word_or_a_numbered_field_is_ones_own(name: str, tmp_path: Path) -> None:
    (question,) = all_of(
        Question, read_own(tmp_path, {"id": "a", "question": "Who?", "answers": ["no"], name: "x"})
    )
    assert question.answers == ("no",)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b'[{"id": "a", "question": "Who?"}]', "line 1: the line is not a JSON object"),
        (b'{\n"id": "a"}', "line 1: the line is not JSON (Expecting property name"),
        (b"id,question\na,Who?", "line 1: the line is not JSON (Expecting value"),
        (b'{"id": "a", "text": "Who?"}', "line 1: it lacks question, and has id, text"),
    ],
)
def test_a_file_of_another_form_is_told_by_its_first_line(content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError) as raised:
        read_bytes(tmp_path / "own.jsonl", content)
    expected = f"no line is a JSON object with the fields id, question; {why}"
    assert raised.value.reason.startswith(expected)


def test_bad_lines_are_rejected_and_reading_goes_on(tmp_path: Path) -> None:
    good = json.dumps(GOOD).encode()
    lines = [b"\xef\xbb\xbf" + good, b"", b"{not json", b'{"id": "\xff"}', b"[1, 2]", b"[" * 100_000, good]
    question, *others = read_bytes(tmp_path / "own.jsonl", b"\r\n".join(lines))
    rejected = all_of(RejectedRecord, others)
    assert isinstance(question, Question)
    assert question.question_id == "good"
    assert [record.record for record in rejected] == [
        "line 3",
        "line 4",
        "line 5",
        "line 6",
        "line 7, id good",
    ]
    assert "not JSON" in rejected[0].reason
    assert "not UTF-8" in rejected[1].reason
    assert "not a JSON object" in rejected[2].reason
    assert "already used by line 1" in rejected[4].reason


def test_a_rejected_id_that_utf8_cannot_store_can_still_be_reported(tmp_path: Path) -> None:
    rejected, _ = read_own(tmp_path, {**GOOD, "id": "\ud800"}, GOOD)
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record.encode() == b"line 1, id ?"


def test_the_first_of_equal_ids_counts_only_if_it_was_usable(tmp_path: Path) -> None:
    rejected, good = read_own(tmp_path, {**GOOD, "options": []}, GOOD)
    assert isinstance(rejected, RejectedRecord)
    assert isinstance(good, Question)


def ai2(**changes: object) -> dict[str, object]:
    choices = [{"text": "marsh", "label": "A"}, {"text": "desert", "label": "B"}]
    return {"id": "x", "question": {"stem": "Where?", "choices": choices}, "answerKey": "A", **changes}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (ai2(answerKey=""), "no public labels"),
        (ai2(answerKey="C"), "answer key 'C' is out of range: the labels are A, B"),
        (ai2(question="Where?"), "'question' is not an object but str"),
        (ai2(question={"stem": "Where?"}), "'choices' is missing"),
        (ai2(question={"stem": "Where?", "choices": ["a", "b"]}), "choice 1 is not an object"),
        (
            ai2(question={"stem": "W?", "choices": [{"text": t, "label": "A"} for t in "ab"]}),
            "answer key 'A' names more than one option",
        ),
        (
            ai2(question={"stem": "W?", "choices": [{"text": "a"}, {"text": "b"}]}),
            "the label of choice 1 is missing",
        ),
    ],
)
def test_bad_records_of_the_ai2_form(record: dict[str, object], reason: str, tmp_path: Path) -> None:
    content = json.dumps(record) + "\n" + json.dumps(ai2(id="good"))
    rejected, good = read_bytes(tmp_path / "dev.jsonl", content.encode(), "commonsenseqa")
    assert isinstance(rejected, RejectedRecord) and isinstance(good, Question)
    assert rejected.record == "line 1, id x"
    assert reason in rejected.reason
    assert good.question_id == "good"


@pytest.mark.parametrize("name", ["commonsenseqa", "riddlesense", "qasc"])
def test_a_hidden_test_set_is_rejected_record_by_record(name: str, tmp_path: Path) -> None:
    records = [ai2(id=f"q{number}") for number in range(3)]
    for record in records:
        del record["answerKey"]
    content = "\n".join(json.dumps(record) for record in records).encode()
    rejected = all_of(
        RejectedRecord, read_bytes(tmp_path / "test_rand_split_no_answers.jsonl", content, name)
    )
    assert [record.record for record in rejected] == ["line 1, id q0", "line 2, id q1", "line 3, id q2"]
    assert all("no public labels" in record.reason for record in rejected)


LINE_READERS = ["openbookqa", "piqa", "medmcqa", "medqa_usmle", "questions_jsonl"]


@pytest.mark.parametrize("name", LINE_READERS)
@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"<html>\n</html>", b'[{"id": 1}]', b'{"other": 1}\n', b"\xff\xfe"]
)
def test_a_file_of_another_form_is_unusable(name: str, content: bytes, tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"the whole file.*Remedy") as error:
        read_bytes(tmp_path / "file.jsonl", content, name)
    assert error.value.file == str(tmp_path / "file.jsonl")


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_an_absent_file_is_unusable(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError):
        list(BENCHMARKS[name].reader(str(tmp_path / "absent.jsonl"), "test"))


@pytest.mark.parametrize(
    ("name", "record"), [("questions_jsonl", GOOD), ("hotpotqa", [{"question": "q"}] * 3)]
)
def test_a_truncated_file_is_unusable(name: str, record: object, tmp_path: Path) -> None:
    compressed = gzip.compress(json.dumps(record).encode())
    with pytest.raises(UnusableSourceError, match="truncated or damaged"):
        read_bytes(tmp_path / "file.gz", compressed[:-4], name)


def test_every_entry_of_the_registry_is_described() -> None:
    for name, benchmark in BENCHMARKS.items():
        assert benchmark.name == name
        assert benchmark.title and benchmark.splits and benchmark.licence and benchmark.where
        assert callable(benchmark.reader)


def test_licences_are_confirmed_by_their_owners_or_said_not_to_be() -> None:
    unconfirmed = {name for name, benchmark in BENCHMARKS.items() if not benchmark.licence_source}
    assert unconfirmed == {
        *("fetaqa", "metaqa", "openbookqa", "pubhealthtab", "riddlesense", "simplequestions", "stark"),
        *("tabfact", "tabmcq", "webqsp", "webquestions", "wikitablequestions"),
    }
