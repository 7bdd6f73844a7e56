"""Questions over knowledge graphs: every public layout, by hand, and what is rejected in each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import torch

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of

Records = list[Question | RejectedRecord]


def read(name: str, path: Path, split: str = "test") -> Records:
    return list(BENCHMARKS[name].reader(str(path), split))


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_json(path: Path, content: object) -> Path:
    return written(path, json.dumps(content))


def question_contents(records: Records) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Question, answers and topics of what was read."""
    return [
        (record.question, record.answers, record.topics) for record in records if isinstance(record, Question)
    ]


def reasons(records: Records) -> list[tuple[str, str]]:
    rejected = [record for record in records if isinstance(record, RejectedRecord)]
    assert all(record.remedy for record in rejected)
    return [(record.record, record.reason) for record in rejected]


def test_every_reader_is_registered_with_its_task() -> None:
    registered = {name for name, benchmark in BENCHMARKS.items() if benchmark.task == "graph_questions"}
    assert registered == {"metaqa", "webqsp", "webquestions", "simplequestions", "mintaka", "stark"}


# --- MetaQA


def test_metaqa_takes_the_topic_out_of_its_brackets(tmp_path: Path) -> None:
    lines = "who directed [Eden]\tAnn Li|Bo Oh|Ann Li\r\nwhat is [[REC]] about\tzombies\r\n\r\n"
    records = read("metaqa", written(tmp_path / "1hop_dev.txt", lines))
    assert question_contents(records) == [
        ("who directed Eden", ("Ann Li", "Bo Oh"), ("Eden",)),
        ("what is [REC] about", ("zombies",), ("[REC]",)),
    ]
    assert all(not record.options for record in records if isinstance(record, Question))


def test_metaqa_ids_are_of_the_content_alone(tmp_path: Path) -> None:
    lines = ["who acted in [Eden]\tAnn", "who acted in [Eden]\tBo", "who wrote [Eden]\tAnn"]
    first = all_of(Question, read("metaqa", written(tmp_path / "1hop_dev.txt", "\n".join(lines))))
    reordered = written(tmp_path / "1hop_dev.txt", "\r\n".join(reversed(lines)))
    second = all_of(Question, read("metaqa", reordered))
    assert {question.question_id for question in first} == {question.question_id for question in second}
    assert len({question.question_id for question in first}) == 3
    assert all(question.question_id.startswith("1hop_dev-") for question in first)


def test_metaqa_keeps_a_line_that_comes_again(tmp_path: Path) -> None:
    records = read("metaqa", written(tmp_path / "q.txt", "who wrote [Eden]\tAnn\n" * 3))
    ids = [record.question_id for record in records if isinstance(record, Question)]
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("who directed Eden\tAnn", "no topic in brackets"),
        ("who directed []\tAnn", "no topic in brackets"),
        ("who directed [Eden]", "1 columns where 2 are expected"),
        ("who directed [Eden]\tAnn\tBo", "3 columns where 2 are expected"),
        ("who directed [Eden]\t ", "answer 1 is empty"),
        ("who directed [Eden]\tAnn||Bo", "answer 2 is empty"),
        ("\tAnn", "the question is empty"),
    ],
)
def test_metaqa_rejects_a_bad_line_alone(tmp_path: Path, line: str, reason: str) -> None:
    records = read("metaqa", written(tmp_path / "q.txt", f"{line}\nwho wrote [Eden]\tAnn\n"))
    assert reasons(records) == [("line 1", reason)]
    assert question_contents(records) == [("who wrote Eden", ("Ann",), ("Eden",))]


def test_metaqa_rejects_what_is_no_text(tmp_path: Path) -> None:
    records = read("metaqa", written(tmp_path / "q.txt", b"who wrote [\xff]\tAnn\nwho wrote [Eden]\tAnn\n"))
    assert [place for place, _ in reasons(records)] == ["line 1"]
    assert len(question_contents(records)) == 1


# --- WebQSP


def parse(topic: str | None, *answers: Mapping[str, object]) -> dict[str, object]:
    return {"TopicEntityName": topic, "TopicEntityMid": "m.1", "Answers": list(answers)}


def entity(name: str | None, argument: str = "m.2") -> dict[str, object]:
    return {"AnswerType": "Entity", "AnswerArgument": argument, "EntityName": name}


def test_webqsp_takes_topics_and_answers_of_all_parses(tmp_path: Path) -> None:
    value = {"AnswerType": "Value", "AnswerArgument": "1912", "EntityName": None}
    question = {
        "QuestionId": "WebQTest-0",
        "RawQuestion": "what does jamaican people speak?",
        "ProcessedQuestion": "what does jamaican people speak",
        "Parses": [
            parse("Jamaica", entity("Jamaican English"), entity(None, "m.04ygk0")),
            parse("Jamaica", entity("Jamaican English"), value),
            parse(None),
        ],
    }
    records = read("webqsp", as_json(tmp_path / "WebQSP.test.json", {"Questions": [question]}))
    assert question_contents(records) == [
        ("what does jamaican people speak?", ("Jamaican English", "m.04ygk0", "1912"), ("Jamaica",))
    ]
    assert isinstance(records[0], Question)
    assert records[0].question_id == "WebQTest-0"


def test_webqsp_rejects_a_bad_record_alone(tmp_path: Path) -> None:
    good = {"QuestionId": "g", "ProcessedQuestion": "who", "Parses": [parse("A", entity("B"))]}
    bad = [
        5,
        {**good, "QuestionId": None},
        {**good, "QuestionId": "b", "ProcessedQuestion": ""},
        {**good, "QuestionId": "c", "Parses": None},
        {**good, "QuestionId": "d", "Parses": [parse("A")]},
        {**good, "QuestionId": "e", "Parses": [parse("A", {"EntityName": None})]},
        {**good, "QuestionId": "f", "Parses": ["A"]},
    ]
    records = read("webqsp", as_json(tmp_path / "w.json", {"Questions": [*bad, good, good]}))
    assert [reason for _, reason in reasons(records)] == [
        "the record is not an object but int",
        "'QuestionId' is missing",
        "the question is empty",
        "'Parses' is missing",
        "no answer key: 'Answers' is missing or empty, as in splits that have no public labels",
        "answer 1 is missing",
        "parse 1 is not an object but str",
        "question id 'g' was already used by record 8, id g",
    ]
    assert question_contents(records) == [("who", ("B",), ("A",))]


# --- Mintaka


def mintaka(number: int, answer: object, **more: object) -> dict[str, object]:
    return {"id": f"m{number}", "question": "Which?", "answer": answer, "category": "books", **more}


def test_mintaka_answers_by_labels_values_and_numbers(tmp_path: Path) -> None:
    labelled = {"name": "Q1", "label": "Breaking Dawn"}
    entities = [
        {"name": "Q2", "entityType": "entity", "label": "Twilight", "mention": "twilight"},
        {"name": "Q3", "entityType": "entity", "mention": "The Saga"},
        {"name": 4, "entityType": "ordinal", "mention": "fourth"},
    ]
    records = read(
        "mintaka",
        as_json(
            tmp_path / "mintaka_dev.json",
            [
                mintaka(
                    1, {"answerType": "entity", "answer": [labelled], "mention": "x"}, questionEntity=entities
                ),
                mintaka(2, {"answerType": "entity", "answer": [{"name": "Q1", "label": {"en": "Dune"}}]}),
                mintaka(3, {"answerType": "boolean", "answer": [True], "mention": "Yes"}),
                mintaka(4, {"answerType": "numerical", "answer": [4.0]}),
                mintaka(5, {"answerType": "date", "answer": ["1990-01-01"]}),
                mintaka(6, {"answerType": "string", "answer": None, "mention": "by hand"}),
                mintaka(7, {"answer": [labelled], "answerNum": 6}, complexityType="count"),
                mintaka(8, {"answer": [labelled], "answerNum": 6}, complexityType="superlative"),
                mintaka(9, {"answer": None, "mention": None}),
                mintaka(10, None),
            ],
        ),
    )
    assert [(answers, topics) for _, answers, topics in question_contents(records)] == [
        (("Breaking Dawn",), ("Twilight", "The Saga")),
        (("Dune",), ()),
        (("Yes",), ()),
        (("4",), ()),
        (("1990-01-01",), ()),
        (("by hand",), ()),
        (("6",), ()),
        (("Breaking Dawn",), ()),
    ]
    assert [place for place, _ in reasons(records)] == ["record 9, id m9", "record 10, id m10"]
    assert {record.subject for record in records if isinstance(record, Question)} == {"books"}


# --- SimpleQuestions

FREEBASE = (
    "www.freebase.com/m/04whkz5\twww.freebase.com/book/written_work/subjects\twww.freebase.com/m/01cj3p\t"
    "what is the book e about\n"
)


def test_simplequestions_keeps_identifiers_where_no_names_lie_beside(tmp_path: Path) -> None:
    records = read("simplequestions", written(tmp_path / "annotated_fb_data_test.txt", FREEBASE))
    assert question_contents(records) == [("what is the book e about", ("m.01cj3p",), ("m.04whkz5",))]
    wikidata = written(tmp_path / "annotated_wd_data_test.txt", "Q126399\tR19\tQ42\twho was born there\n")
    assert question_contents(read("simplequestions", wikidata)) == [
        ("who was born there", ("Q42",), ("Q126399",))
    ]


def test_simplequestions_takes_names_from_beside(tmp_path: Path) -> None:
    written(tmp_path / "names.tsv", "m.04whkz5\te\r\nwww.freebase.com/m/01cj3p\tSoftware\r\n")
    lines = FREEBASE + FREEBASE.replace("01cj3p", "0000") + "one column\n"
    records = read("simplequestions", written(tmp_path / "annotated_fb_data_test.txt", lines))
    assert question_contents(records) == [("what is the book e about", ("Software",), ("e",))]
    assert reasons(records) == [
        ("line 2", "the answer m.0000 has no name"),
        ("line 3", "1 columns where 4 are expected"),
    ]


# --- WebQuestions


def test_webquestions_in_both_forms(tmp_path: Path) -> None:
    stated = r'(list (description "Jazmyn \"J\" Bieber") (description Jaxon) (description "a) b"))'
    old = {
        "url": "http://www.freebase.com/view/en/justin_bieber",
        "targetValue": stated,
        "utterance": "what is the name of justin bieber brother?",
    }
    new = {"url": old["url"], "question": old["utterance"], "answers": ['Jazmyn "J" Bieber', "Jaxon", "a) b"]}
    expected = [(old["utterance"], ('Jazmyn "J" Bieber', "Jaxon", "a) b"), ("justin bieber",))]
    in_json = read("webquestions", as_json(tmp_path / "whole.json", [old]))
    lines = read("webquestions", written(tmp_path / "lines.jsonl", json.dumps(new) + "\n"))
    assert question_contents(in_json) == question_contents(lines) == expected


@pytest.mark.parametrize(
    "stated",
    ["", "(list)", "Jaxon", "(list (description Jaxon)", "(list (description))", '(list (description ""))'],
)
def test_webquestions_rejects_what_is_no_list_of_descriptions(tmp_path: Path, stated: str) -> None:
    good = {"utterance": "who?", "targetValue": "(list (description Jaxon))"}
    bad = {"utterance": "who else?", "targetValue": stated}
    records = read("webquestions", as_json(tmp_path / "w.json", [bad, 3, good]))
    assert [place for place, _ in reasons(records)] == ["record 1", "record 2"]
    assert question_contents(records) == [("who?", ("Jaxon",), ())]


# --- STaRK


def stark_folder(folder: Path, questions: str, *, test: Sequence[int] = (0, 1, 2, 3)) -> Path:
    processed = folder / "processed"
    nodes = [
        {"node": 0, "DisplayName": "Ann"},
        {"node": 1, "title": "On light"},
        {"node": 2, "title": "On light"},
        {"node": 3, "DisplayName": -1},
    ]
    written(processed / "node_info.jsonl", "\n".join(map(json.dumps, nodes)))
    as_json(processed / "node_type_dict.json", {"0": "author", "1": "paper"})
    as_json(processed / "edge_type_dict.json", {"0": "author___writes___paper"})
    torch.save(torch.tensor([0, 1, 1, 0]), processed / "node_types.pt")
    torch.save(torch.tensor([[0], [1]]), processed / "edge_index.pt")
    torch.save(torch.tensor([0]), processed / "edge_types.pt")
    written(folder / "split" / "test.index", "\n".join(map(str, test)))
    return written(folder / "stark_qa" / "stark_qa.csv", questions)


def test_stark_answers_with_the_labels_of_nodes(tmp_path: Path) -> None:
    rows = (
        'id,query,answer_ids\n0,"papers, by\nAnn?","[1, 2]"\n1,who?,[0]\n2,nobody?,[3]\n3,none?,[]\n'
        "4,other split?,[0]\n5,other split?,oops\n"
    )
    records = read("stark", stark_folder(tmp_path, rows))
    assert question_contents(records) == [
        ("papers, by\nAnn?", ("On light", "On light (STARK_MAG:2)"), ()),
        ("who?", ("Ann",), ()),
    ]
    keys = [record.answer_keys for record in records if isinstance(record, Question)]
    assert keys == [("STARK_MAG:1", "STARK_MAG:2"), ("STARK_MAG:0",)]
    assert [reason for _, reason in reasons(records)] == [
        "the answer 3 is no node with a name",
        "no answer key: 'answer_ids' is missing or empty, as in splits that have no public labels",
    ]


@pytest.mark.parametrize("value", ['"[1, ""a""]"', "[true]", "1", "__import__('os')", "{}", "[1.5]"])
def test_stark_takes_answer_ids_as_data_alone(tmp_path: Path, value: str) -> None:
    records = read("stark", stark_folder(tmp_path, f"id,query,answer_ids\n0,who?,{value}\n1,who?,[0]\n"))
    assert len(reasons(records)) == len(question_contents(records)) == 1


def test_stark_questions_of_people_need_no_split(tmp_path: Path) -> None:
    stark_folder(tmp_path, "id,query,answer_ids\n")
    human_questions = tmp_path / "stark_qa" / "stark_qa_human_generated_eval.csv"
    written(human_questions, "id,query,answer_ids,answer_ids_source\n7,who?,[0],[0]\n")
    assert len(question_contents(read("stark", human_questions, "human_generated_eval"))) == 1


def test_stark_files_that_are_missing_or_broken_say_so(tmp_path: Path) -> None:
    path = stark_folder(tmp_path, "id,query\n0,who?\n")
    with pytest.raises(UnusableSourceError, match="does not name answer_ids"):
        read("stark", path)
    with pytest.raises(UnusableSourceError, match=r"val\.index"):
        read("stark", stark_folder(tmp_path, "id,query,answer_ids\n"), "val")


# --- the public files


@pytest.mark.real_data
@pytest.mark.parametrize(("file", "count"), [("1hop_dev.txt", 9_992), ("2hop_dev.txt", 14_872)])
def test_the_real_metaqa_is_read(real_data: Path, file: str, count: int) -> None:
    folder = real_data / "kgqa" / "metaqa"
    records = read("metaqa", folder / file, "dev")
    questions = [record for record in records if isinstance(record, Question)]
    assert len(questions) == len(records) == count
    assert len({question.question_id for question in questions}) == count
    lines = (folder / "entity2text.txt").read_text(encoding="utf-8").splitlines()
    entities = {line.partition("\t")[2] for line in lines}
    assert all(len(question.topics) == 1 for question in questions)
    assert {topic for question in questions for topic in question.topics} <= entities
    assert {answer for question in questions for answer in question.answers} <= entities
    assert not any("[" in question.question and "[" not in question.topics[0] for question in questions)
