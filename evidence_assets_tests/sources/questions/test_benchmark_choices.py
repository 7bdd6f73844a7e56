"""Known answers for every multiple-choice entry of the registry, in its public form."""

import csv
import gzip
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of


def write_lines(path: Path, records: Sequence[Mapping[str, object]]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def write_json(path: Path, document: object) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def read(name: str, uri: str, split: str = "dev") -> list[Question | RejectedRecord]:
    return list(BENCHMARKS[name].reader(uri, split))


def ai2_record(
    identifier: str, stem: str, options: str, labels: str, key: str, **more: str
) -> dict[str, Any]:
    choices = [{"text": text, "label": label} for text, label in zip(options.split(), labels, strict=True)]
    return {"id": identifier, "question": {"stem": stem, "choices": choices}, **more, "answerKey": key}


FOG = Question("1129", "Fog forms around:", ("marsh", "tundra", "plains", "desert"), 0, ("marsh",))


def test_openbookqa_keeps_the_core_fact_as_gold_evidence(tmp_path: Path) -> None:
    complete = ai2_record(
        "8-343", " The best way to save is to ", "call quit buy lunch", "ABCD", "B",
        fact1="using less resources usually causes money to be saved", humanScore="1.00",
    )  # fmt: skip
    plain = ai2_record("1129", "Fog forms around:", "marsh tundra plains desert", "ABCD", "A")
    first, second = read("openbookqa", write_lines(tmp_path / "dev_complete.jsonl", [complete, plain]))
    assert first == Question(
        question_id="8-343",
        question="The best way to save is to",
        options=("call", "quit", "buy", "lunch"),
        answer_index=1,
        answers=("quit",),
        gold_evidence=(GoldEvidence("using less resources usually causes money to be saved"),),
    )
    assert second == FOG


def test_openbookqa_is_read_inside_its_archive(tmp_path: Path) -> None:
    record = ai2_record("1129", "Fog forms around:", "marsh tundra plains desert", "ABCD", "A")
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("Data/Main/dev.jsonl", json.dumps(record))
    assert read("openbookqa", f"zip://Data/Main/dev.jsonl::{tmp_path}/archive.zip") == [FOG]


def test_commonsenseqa_is_read(tmp_path: Path) -> None:
    records = [
        ai2_record("1afa02", "A revolving door serves at a", "bank library store mall york", "ABCDE", "A"),
        ai2_record("a7ab08", "What do people aim to do?", "work learn kill wear talk", "ABCDE", "E"),
    ]
    records[0]["question"]["question_concept"] = "revolving door"
    uri = write_lines(tmp_path / "dev_rand_split.jsonl", records)
    first, second = all_of(Question, read("commonsenseqa", uri))
    assert (first.question_id, first.answer_index, first.answers) == ("1afa02", 0, ("bank",))
    assert second.options == ("work", "learn", "kill", "wear", "talk")
    assert second.answers == ("talk",)


@pytest.mark.parametrize("name", ["arc_easy", "arc_challenge"])
def test_arc_reads_lettered_and_numbered_labels(name: str, tmp_path: Path) -> None:
    records = [
        ai2_record("Mercury_7175875", "A planet rotates faster.", "density years days gravity", "ABCD", "C"),
        ai2_record("NYSEDREGENTS_2013_4_1", "Which is a liquid?", "ice water steam", "123", "2"),
    ]
    first, second = all_of(Question, read(name, write_lines(tmp_path / "ARC-Dev.jsonl", records)))
    assert (first.answer_index, first.answers) == (2, ("days",))
    assert (second.answer_index, second.answers) == (1, ("water",))


def test_riddlesense_is_read(tmp_path: Path) -> None:
    records = [
        ai2_record("a1", "What can he put in the bag to make it lighter?", "throw bit gallow mouse hole",
                   "ABCDE", "E"),
        ai2_record("a2", "What has a neck and no head?", "man bottle hat bed shoe", "ABCDE", "B"),
    ]  # fmt: skip
    questions = all_of(Question, read("riddlesense", write_lines(tmp_path / "rs.jsonl", records)))
    assert [question.answers for question in questions] == [("hole",), ("bottle",)]


def test_qasc_keeps_both_facts_and_not_their_combination(tmp_path: Path) -> None:
    facts = {
        "fact1": "Climate is described in terms of temperature and moisture.",
        "fact2": "Fire behavior is driven by local weather conditions.",
        "combinedfact": "Climate is described in terms of local weather conditions",
    }
    records = [
        ai2_record("3NGI5A", "Climate is described by what?", "sand range wood heat change local motion city",
                   "ABCDEFGH", "F", **facts),
        ai2_record("3E7TUJ", "What forms beads of water?", "a b c d e f g h", "ABCDEFGH", "H"),
    ]  # fmt: skip
    first, second = all_of(Question, read("qasc", write_lines(tmp_path / "dev.jsonl", records)))
    assert first.answers == ("local",)
    assert [gold.text for gold in first.gold_evidence] == [facts["fact1"], facts["fact2"]]
    assert (second.answer_index, second.gold_evidence) == (7, ())


PIQA_RECORDS = [
    {"id": "f6be", "goal": "When butter boils", "sol1": "Pour it onto a plate", "sol2": "Pour it into a jar"},
    {"goal": "To attach metal legs", "sol1": "weld them", "sol2": "nail them"},
]


def test_piqa_takes_labels_from_the_file_beside_it(tmp_path: Path) -> None:
    uri = write_lines(tmp_path / "dev.jsonl", PIQA_RECORDS)
    (tmp_path / "dev-labels.lst").write_text("1\n0\n")
    first, second = all_of(Question, read("piqa", uri))
    assert first == Question(
        "f6be",
        "When butter boils",
        ("Pour it onto a plate", "Pour it into a jar"),
        1,
        ("Pour it into a jar",),
    )
    assert (second.question_id, second.answers) == ("dev-2", ("weld them",))


def test_piqa_takes_labels_from_the_archive_it_lies_in(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "piqa.zip", "w") as archive:
        archive.writestr("inner/dev.jsonl", "\n".join(json.dumps(record) for record in PIQA_RECORDS))
        archive.writestr("inner/dev-labels.lst", "1\n0")
    questions = all_of(Question, read("piqa", f"zip://inner/dev.jsonl::{tmp_path}/piqa.zip"))
    assert [question.answer_index for question in questions] == [1, 0]


def test_piqa_prefers_labels_in_the_records(tmp_path: Path) -> None:
    records = [{**record, "label": 0} for record in PIQA_RECORDS]
    uri = write_lines(tmp_path / "dev.jsonl", records)
    (tmp_path / "dev-labels.lst").write_text("1\n1\n1\n")
    assert [question.answer_index for question in all_of(Question, read("piqa", uri))] == [0, 0]


def test_piqa_labels_follow_their_line_past_a_bad_one(tmp_path: Path) -> None:
    path = tmp_path / "dev.jsonl"
    path.write_text(json.dumps(PIQA_RECORDS[0]) + "\nnot json\n" + json.dumps(PIQA_RECORDS[1]) + "\n")
    (tmp_path / "dev-labels.lst").write_text("0\n0\n1\n")
    first, bad, third = read("piqa", str(path))
    assert isinstance(first, Question) and isinstance(bad, RejectedRecord) and isinstance(third, Question)
    assert (first.answer_index, bad.record, third.answer_index) == (0, "line 2", 1)


def test_piqa_refuses_labels_of_another_length(tmp_path: Path) -> None:
    uri = write_lines(tmp_path / "dev.jsonl", PIQA_RECORDS)
    (tmp_path / "dev-labels.lst").write_text("1\n0\n1\n")
    with pytest.raises(UnusableSourceError, match="3 labels stand beside 2 questions"):
        read("piqa", uri)


def test_piqa_without_labels_is_rejected_by_record(tmp_path: Path) -> None:
    rejected = all_of(RejectedRecord, read("piqa", write_lines(tmp_path / "tests.jsonl", PIQA_RECORDS)))
    assert [record.record for record in rejected] == ["line 1, id f6be", "line 2"]
    assert all("no public labels" in record.reason for record in rejected)
    assert all("labels file" in record.remedy for record in rejected)


def test_piqa_without_labels_in_its_archive_is_rejected_by_record(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "piqa.zip", "w") as archive:
        archive.writestr("inner/tests.jsonl", json.dumps(PIQA_RECORDS[0]))
    (rejected,) = all_of(RejectedRecord, read("piqa", f"zip://inner/tests.jsonl::{tmp_path}/piqa.zip"))
    assert "no public labels" in rejected.reason


def test_piqa_labels_that_cannot_be_read_are_no_missing_labels(tmp_path: Path) -> None:
    uri = write_lines(tmp_path / "dev.jsonl", PIQA_RECORDS)
    (tmp_path / "dev-labels.lst").mkdir()
    with pytest.raises(UnusableSourceError, match=r"dev-labels\.lst"):
        read("piqa", uri)


def medmcqa_record(identifier: str, key: int) -> dict[str, object]:
    return {
        "question": "Which is not true for myelinated fibers:",
        "exp": "Ans-a. The impulse is faster.",
        "cop": key,
        "opa": "slower",
        "opb": "nodes",
        "opc": "saltatory",
        "opd": "anesthesia",
        "subject_name": "Physiology",
        "topic_name": None,
        "id": identifier,
        "choice_type": "single",
    }


@pytest.mark.parametrize(("name", "first_key"), [("medmcqa", 1), ("medmcqa_huggingface", 0)])
def test_medmcqa_counts_keys_as_its_entry_says(name: str, first_key: int, tmp_path: Path) -> None:
    records = [medmcqa_record(f"q{position}", first_key + position) for position in range(4)]
    questions = all_of(Question, read(name, write_lines(tmp_path / "dev.json", records)))
    assert [question.answer_index for question in questions] == [0, 1, 2, 3]
    assert questions[0].answers == ("slower",)
    assert questions[0].subject == "Physiology"
    assert questions[0].gold_evidence == ()


@pytest.mark.parametrize(("name", "key"), [("medmcqa", 0), ("medmcqa_huggingface", 4)])
def test_medmcqa_stops_at_a_key_of_the_other_form(name: str, key: int, tmp_path: Path) -> None:
    uri = write_lines(tmp_path / "dev.json", [medmcqa_record("q1", 2), medmcqa_record("q2", key)])
    with pytest.raises(UnusableSourceError, match=r"line 2, id q2: .*off by one.*read the file as 'medmcqa"):
        read(name, uri)


def test_a_public_set_keeps_questions_with_options_alike(tmp_path: Path) -> None:
    record = {**medmcqa_record("q1", 2), "opc": "slower"}
    (question,) = all_of(Question, read("medmcqa", write_lines(tmp_path / "dev.json", [record])))
    assert (question.options.count("slower"), question.answer_index) == (2, 1)


@pytest.mark.parametrize("name", ["medmcqa", "medmcqa_huggingface"])
def test_medmcqa_hidden_test_set_is_rejected(name: str, tmp_path: Path) -> None:
    without_key = medmcqa_record("q1", 1)
    del without_key["cop"]
    uri = write_lines(tmp_path / "test.json", [without_key, medmcqa_record("q2", -1)])
    first, second = all_of(RejectedRecord, read(name, uri, "test"))
    assert all("no public labels" in rejected.reason for rejected in (first, second))


def test_medqa_is_read(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {
            "question": "A junior orthopaedic resident cuts a tendon. What next?",
            "answer": "Tell the attending",
            "options": {"A": "Disclose", "B": "Tell the attending", "C": "Hide", "D": "Refuse", "E": "Wait"},
            "meta_info": "step1",
            "answer_idx": "B",
        },
        {"question": "Which drug?", "answer": "x", "options": {"A": "x", "B": "y"}, "answer_idx": "A"},
    ]
    uri = write_lines(tmp_path / "test.jsonl", records)
    first, second = all_of(Question, read("medqa_usmle", uri, "test"))
    assert (first.question_id, first.answer_index, first.subject) == ("test-1", 1, "step1")
    assert len(first.options) == 5
    assert (second.question_id, second.answers) == ("test-2", ("x",))


def write_mmlu(path: Path, *rows: list[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows(rows)


def test_mmlu_reads_the_wanted_subjects_of_a_folder(tmp_path: Path) -> None:
    write_mmlu(tmp_path / "anatomy_test.csv", ["A lesion,\ncausing", "w", "x", "y", "z", "D"],
               ["Second", "1", "2", "3", "4", "A"])  # fmt: skip
    write_mmlu(tmp_path / "college_biology_test.csv", ["Third", "1", "2", "3", "4", "C"])
    write_mmlu(tmp_path / "anatomy_dev.csv", ["Of another split", "1", "2", "3", "4", "A"])
    write_mmlu(tmp_path / "virology_test.csv", ["Of another subject", "1", "2", "3", "4", "A"])
    (tmp_path / "README.md").write_text("not a subject")
    questions = all_of(Question, read("mmlu_medical", str(tmp_path), "test"))
    assert [question.question_id for question in questions] == ["anatomy-1", "anatomy-2", "college_biology-1"]
    assert questions[0] == Question(
        "anatomy-1", "A lesion,\ncausing", ("w", "x", "y", "z"), 3, ("z",), subject="anatomy"
    )
    of_dev = all_of(Question, read("mmlu_medical", str(tmp_path), "dev"))
    assert [question.question for question in of_dev] == ["Of another split"]


def test_mmlu_reads_one_file_and_a_glob(tmp_path: Path) -> None:
    write_mmlu(tmp_path / "medical_genetics_val.csv", ["Q", "1", "2", "3", "4", "B"])
    for uri in (tmp_path / "medical_genetics_val.csv", tmp_path / "*.csv"):
        (question,) = all_of(Question, read("mmlu_medical", str(uri), "val"))
        assert (question.question_id, question.answers) == ("medical_genetics-1", ("2",))


def test_mmlu_rejects_only_the_row_with_bad_bytes_or_cells(tmp_path: Path) -> None:
    path = tmp_path / "anatomy_test.csv"
    path.write_bytes(b"Q1,a,b,c,d,A\nQ\xff2,a,b,c,d,A\nQ3,a,b\nQ4,a,b,c,d,E\nQ5,a,b,c,d,B\n")
    first, *others, last = read("mmlu_medical", str(path), "test")
    assert isinstance(first, Question) and isinstance(last, Question)
    bad_bytes, short, bad_key = all_of(RejectedRecord, others)
    assert (first.question_id, last.question_id) == ("anatomy-1", "anatomy-5")
    assert bad_bytes.record == "anatomy_test.csv, row 2"
    assert "UTF-8" in bad_bytes.reason
    assert "3 columns where 6 are expected" in short.reason
    assert "out of range" in bad_key.reason


def test_mmlu_without_columns_or_subjects_is_unusable(tmp_path: Path) -> None:
    write_mmlu(tmp_path / "anatomy_test.csv", ["only", "three", "cells"])
    with pytest.raises(UnusableSourceError, match="no row fits: 3 columns where 6 are expected"):
        read("mmlu_medical", str(tmp_path), "test")
    with pytest.raises(UnusableSourceError, match="no file of the split 'val'"):
        read("mmlu_medical", str(tmp_path), "val")


def pubmedqa_record(decision: str) -> dict[str, object]:
    return {
        "QUESTION": "Do mitochondria play a role?",
        "CONTEXTS": ["Cell death is regulated.", "Mitochondria were observed."],
        "LABELS": ["BACKGROUND", "RESULTS"],
        "final_decision": decision,
        "LONG_ANSWER": "They do.",
    }


@pytest.fixture
def pubmedqa(tmp_path: Path) -> str:
    questions = {"21645374": pubmedqa_record("yes"), "16418930": pubmedqa_record("maybe")}
    return write_json(tmp_path / "ori_pqal.json", questions)


def test_pubmedqa_is_read(pubmedqa: str) -> None:
    first, second = all_of(Question, read("pubmedqa", pubmedqa, "all"))
    assert first == Question(
        question_id="21645374",
        question="Do mitochondria play a role?",
        options=("yes", "no", "maybe"),
        answer_index=0,
        answers=("yes",),
        gold_evidence=(GoldEvidence("Cell death is regulated."), GoldEvidence("Mitochondria were observed.")),
        context="Cell death is regulated.\nMitochondria were observed.",
    )
    assert second.answer_index == 2


def test_pubmedqa_test_split_follows_the_official_list(pubmedqa: str, tmp_path: Path) -> None:
    write_json(tmp_path / "test_ground_truth.json", {"16418930": "maybe", "999": "no"})
    question, missing = read("pubmedqa", pubmedqa, "test")
    assert isinstance(question, Question) and isinstance(missing, RejectedRecord)
    assert question.question_id == "16418930"
    assert missing.record == "id 999"


def test_pubmedqa_refuses_a_test_split_without_its_list_and_other_splits(pubmedqa: str) -> None:
    with pytest.raises(UnusableSourceError, match="test_ground_truth"):
        read("pubmedqa", pubmedqa, "test")
    with pytest.raises(UnusableSourceError, match="no split 'train'"):
        read("pubmedqa", pubmedqa, "train")


def test_pubmedqa_rejects_a_repeated_id(tmp_path: Path) -> None:
    record = json.dumps(pubmedqa_record("no"))
    (tmp_path / "ori_pqal.json").write_text(f'{{"1": {record}, "1": {record}}}')
    question, repeated = read("pubmedqa", str(tmp_path / "ori_pqal.json"), "all")
    assert isinstance(question, Question) and isinstance(repeated, RejectedRecord)
    assert question.answers == ("no",)
    assert "already used by record 1" in repeated.reason


def headqa_question(number: str, right: str) -> dict[str, object]:
    answers = [{"aid": position, "atext": text} for position, text in enumerate(("a ", "b", "c"), start=1)]
    return {
        "qid": number,
        "qtext": "The excitatory potentials:",
        "ra": right,
        "answers": answers,
        "image": "",
    }


def test_headqa_is_read(tmp_path: Path) -> None:
    exams = {
        "Cuaderno_2013_1_B": {
            "name": "Cuaderno_2013_1_B",
            "year": "2013",
            "category": "biology",
            "data": [headqa_question("1", "3")],
        },
        "Cuaderno_2014_1_M": {"category": "medicine", "data": [headqa_question("1", "1"), "broken"]},
        "Cuaderno_2015_1_M": {"category": "medicine"},
    }
    uri = write_json(tmp_path / "dev_HEAD_EN.json", {"version": "1.0", "language": "en", "exams": exams})
    first, second, broken, empty_exam = read("headqa", uri)
    assert isinstance(second, Question)
    assert isinstance(broken, RejectedRecord) and isinstance(empty_exam, RejectedRecord)
    assert first == Question(
        "Cuaderno_2013_1_B-1", "The excitatory potentials:", ("a", "b", "c"), 2, ("c",), subject="biology"
    )
    assert (second.question_id, second.answers) == ("Cuaderno_2014_1_M-1", ("a",))
    assert broken.record == "exam Cuaderno_2014_1_M, question 2"
    assert empty_exam.record == "exam Cuaderno_2015_1_M"


def olmo_requests(query: str, choices: list[str], gold: int, **more: object) -> list[dict[str, object]]:
    """One question as it is asked of a language model: a request an option, twice each."""
    doc = {"query": query, "choices": choices, "gold": gold}
    request = {"task_name": "piqa", "native_id": 7, "doc": doc, "label": gold, **more}
    return [
        {**request, "idx": place, "request": {"continuation": option}} for place, option in enumerate(choices)
    ] * 2


def test_requests_of_one_question_are_one_question(tmp_path: Path) -> None:
    first = olmo_requests("Goal: dresser\nAnswer:", ["replace the drawer", "polish it"], 1)
    second = olmo_requests("Who named them?", ["darwin", "shaw"], 0, task_name="sciq", native_id="a-1")
    path = tmp_path / "requests.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(request) + "\n" for request in [*first, *second]))
    assert read("olmo_requests", str(path)) == [
        Question("piqa-dev-7", "dresser", ("replace the drawer", "polish it"), 1, ("polish it",)),
        Question("sciq-dev-a-1", "Who named them?", ("darwin", "shaw"), 0, ("darwin",)),
    ]


def test_a_request_whose_key_names_no_option_is_rejected_once_by_its_line(tmp_path: Path) -> None:
    right = olmo_requests("Question: What is wet?\nAnswer:", ["water", "sand"], 0)
    wrong = olmo_requests("Question: What is dry?\nAnswer:", ["water", "sand"], 2, native_id=8)
    first, second = read("olmo_requests", write_lines(tmp_path / "requests.jsonl", [*right, *wrong]))
    assert isinstance(first, Question) and first.question == "What is wet?"
    assert isinstance(second, RejectedRecord)
    assert second.record == "line 5" and "'gold'" in second.remedy
