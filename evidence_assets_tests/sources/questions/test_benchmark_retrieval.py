"""Known answers for the entries whose questions have no options."""

import json
from pathlib import Path

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of


def read(name: str, path: Path, document: object) -> list[Question | RejectedRecord]:
    path.write_text(json.dumps(document), encoding="utf-8")
    return list(BENCHMARKS[name].reader(str(path), "dev"))


def hotpotqa_record(**changes: object) -> dict[str, object]:
    return {
        "_id": "5a77ec11",
        "question": "If Gallu is a demon, Lilu is what?",
        "answer": "spirit",
        "supporting_facts": [["Alû", 1], ["Lilu", 0]],
        "context": [["Alû", ["First.", " Alû is a demon."]], ["Lilu", ["Lilu is a spirit."]]],
        "type": "bridge",
        "level": "easy",
        **changes,
    }


def test_hotpotqa_is_read(tmp_path: Path) -> None:
    unnamed = hotpotqa_record(question="Another?", answer="yes")
    del unnamed["_id"]
    first, second = all_of(Question, read("hotpotqa", tmp_path / "hotpot.json", [hotpotqa_record(), unnamed]))
    assert first == Question(
        question_id="5a77ec11",
        question="If Gallu is a demon, Lilu is what?",
        answers=("spirit",),
        gold_evidence=(GoldEvidence("Alû is a demon.", "Alû"), GoldEvidence("Lilu is a spirit.", "Lilu")),
    )
    assert len(second.question_id) == 24


def test_hotpotqa_names_unnamed_records_by_their_words(tmp_path: Path) -> None:
    records = [hotpotqa_record(question=question) for question in ("One?", "Two?", "One?")]
    for record in records:
        del record["_id"]
    first, second, repeated = read("hotpotqa", tmp_path / "hotpot.json", records)
    assert isinstance(first, Question) and isinstance(second, Question)
    assert isinstance(repeated, RejectedRecord)
    assert first.question_id != second.question_id
    assert (repeated.record, "already used by record 1" in repeated.reason) == ("record 3", True)


@pytest.mark.parametrize("facts", [[["Alû", 1], ["Lilu", 7]], [["Elsewhere", 0]]])
def test_hotpotqa_without_all_supporting_sentences_has_no_gold(
    facts: list[list[object]], tmp_path: Path
) -> None:
    record = hotpotqa_record(supporting_facts=facts)
    (question,) = all_of(Question, read("hotpotqa", tmp_path / "hotpot.json", [record]))
    assert question.gold_evidence == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answer": None}, "no public labels"),
        ({"question": " "}, "the question is empty"),
        ({"supporting_facts": [["Alû"]]}, "not a pair"),
        ({"supporting_facts": [["Alû", "1"]]}, "no sentence number"),
        ({"context": "text"}, "'context' is not a list"),
    ],
)
def test_hotpotqa_records_without_their_parts_are_rejected(
    changes: dict[str, object], reason: str, tmp_path: Path
) -> None:
    records = [hotpotqa_record(**changes), hotpotqa_record(_id="good")]
    rejected, good = read("hotpotqa", tmp_path / "hotpot.json", records)
    assert isinstance(rejected, RejectedRecord) and isinstance(good, Question)
    assert rejected.record == "record 1, id 5a77ec11"
    assert reason in rejected.reason
    assert good.question_id == "good"


def squad_question(identifier: str, *answers: str, **more: object) -> dict[str, object]:
    spans = [{"text": answer, "answer_start": 0} for answer in answers]
    return {"id": identifier, "question": "How many points?", "answers": spans, **more}


def test_xquad_is_read(tmp_path: Path) -> None:
    paragraph = {"context": " The defense gave up 308 points. ", "qas": [
        squad_question("56beb434", "308", "308", "308 points"), squad_question("56beb435", "four"),
    ]}  # fmt: skip
    document = {"version": "1.1", "data": [{"title": "Super_Bowl_50", "paragraphs": [paragraph]}]}
    first, second = all_of(Question, read("xquad", tmp_path / "xquad.en.json", document))
    assert first == Question(
        question_id="56beb434",
        question="How many points?",
        answers=("308", "308 points"),
        gold_evidence=(GoldEvidence("The defense gave up 308 points.", "Super_Bowl_50"),),
    )
    assert second.answers == ("four",)


def test_xquad_rejects_what_is_broken_and_goes_on(tmp_path: Path) -> None:
    questions = [
        squad_question("a"),
        squad_question("b", is_impossible=True),
        squad_question("c", "yes"),
        squad_question("c", "yes"),
    ]
    paragraphs: list[dict[str, object]] = [
        {"qas": [squad_question("d", "x")]},
        {"context": "Text."},
        {"context": "Text.", "qas": questions},
    ]
    articles = [{"title": "No paragraphs"}, {"title": "Title", "paragraphs": paragraphs}]
    records = read("xquad", tmp_path / "squad.json", {"data": articles})
    assert [record.question_id for record in records if isinstance(record, Question)] == ["c"]
    assert [(record.record, record.reason) for record in records if isinstance(record, RejectedRecord)] == [
        ("article 1", "'paragraphs' is missing"),
        ("article 2, paragraph 1, question 1, id d", "the context of paragraph 1 is missing"),
        ("article 2, paragraph 2", "'qas' is missing"),
        (
            "article 2, paragraph 3, question 1, id a",
            "no answer key: 'answers' is missing or empty, as in splits that have no public labels",
        ),
        ("article 2, paragraph 3, question 2, id b", "the question is marked as impossible to answer"),
        (
            "article 2, paragraph 3, question 4, id c",
            "question id 'c' was already used by article 2, paragraph 3, question 3, id c",
        ),
    ]


@pytest.mark.parametrize("name", ["hotpotqa", "xquad", "headqa"])
@pytest.mark.parametrize("content", ["<html>", "", "[1, 2", '{"other": []}', '["\\u00ff'])
def test_a_file_of_another_form_is_unusable(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(UnusableSourceError) as error:
        # What was read before the file broke off has been yielded by then.
        list(BENCHMARKS[name].reader(str(path), "dev"))
    assert error.value.file == str(path)
    assert error.value.remedy
