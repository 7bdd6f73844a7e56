"""The data the project starts with: enough of it, consistent, and answerable from what it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evidence_assets.sources.articles import text_folder
from evidence_assets.sources.graphs import relation_head_tail
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Article, Question, Triple
from evidence_assets.text.verbalisation import CONCEPTNET, templates

STARTER = Path(__file__).resolve().parents[2] / "evidence_assets" / "starter"
QUESTION_FILES = sorted((STARTER / "questions").glob("*.jsonl"))
MEDICAL_FILES = sorted((STARTER / "medical_questions").glob("*.jsonl"))


@pytest.fixture(scope="module")
def articles() -> list[Article]:
    records = list(text_folder.read(str(STARTER / "articles"), {}))
    assert [record for record in records if not isinstance(record, Article)] == []
    return [record for record in records if isinstance(record, Article)]


def read_questions(files: list[Path]) -> list[Question]:
    records = [record for file in files for record in BENCHMARKS["questions_jsonl"].reader(str(file), "test")]
    assert [record for record in records if not isinstance(record, Question)] == []
    return [record for record in records if isinstance(record, Question)]


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    return read_questions(QUESTION_FILES)


def test_there_is_enough_to_search_and_to_ask(articles: list[Article], questions: list[Question]) -> None:
    assert len(articles) >= 120
    assert len(questions) >= 80
    assert len(QUESTION_FILES) >= 3


def test_titles_are_unique_and_texts_are_not_empty(articles: list[Article]) -> None:
    titles = Counter(article.title.casefold() for article in articles)
    assert [title for title, count in titles.items() if count > 1] == []
    assert [article.title for article in articles if len(article.text) < 200] == []
    assert len({article.text for article in articles}) == len(articles)


def test_questions_and_their_ids_are_unique(questions: list[Question]) -> None:
    assert len({question.question_id for question in questions}) == len(questions)
    assert len({question.question.casefold() for question in questions}) == len(questions)


def test_ids_name_their_file() -> None:
    for file in QUESTION_FILES:
        for record in BENCHMARKS["questions_jsonl"].reader(str(file), "test"):
            assert isinstance(record, Question)
            assert record.question_id.startswith(f"{file.stem}-")


def test_every_question_offers_distinct_options_and_has_its_key(questions: list[Question]) -> None:
    for question in questions:
        assert len(question.options) >= 2, question.question_id
        assert len({option.casefold().strip() for option in question.options}) == len(question.options)
        assert question.answer_index is not None
        assert question.answers == (question.options[question.answer_index],)


def test_every_gold_sentence_stands_verbatim_in_its_article(
    articles: list[Article], questions: list[Question]
) -> None:
    texts = {article.title: article.text for article in articles}
    missing = [
        (question.question_id, gold.title, gold.text)
        for question in questions
        for gold in question.gold_evidence
        if gold.text not in texts.get(gold.title, "")
    ]
    assert missing == []


def test_every_question_needs_two_sentences_of_two_articles(questions: list[Question]) -> None:
    for question in questions:
        assert len({gold.text for gold in question.gold_evidence}) >= 2, question.question_id
        assert len({gold.title for gold in question.gold_evidence}) >= 2, question.question_id


def test_no_position_of_the_answer_can_be_guessed(questions: list[Question]) -> None:
    by_size: dict[int, list[int]] = {}
    for question in questions:
        assert question.answer_index is not None
        by_size.setdefault(len(question.options), []).append(question.answer_index)
    for options, positions in by_size.items():
        if len(positions) < 5 * options:
            continue
        counts = Counter(positions)
        expected = len(positions) / options
        assert all(0.6 * expected <= counts[position] <= 1.4 * expected for position in range(options)), (
            counts
        )


@pytest.mark.parametrize("files", [QUESTION_FILES, MEDICAL_FILES])
def test_the_longest_option_is_not_the_right_one_more_often_than_chance_allows(files: list[Path]) -> None:
    questions = read_questions(files)
    longest = sum(
        len(question.options[question.answer_index or 0]) == max(map(len, question.options))
        for question in questions
    )
    assert longest / len(questions) < 0.5


def test_no_question_names_its_answer_alone_among_the_options(questions: list[Question]) -> None:
    given_away = [
        question.question_id
        for question in questions
        if [option for option in question.options if option.casefold() in question.question.casefold()]
        == [question.options[question.answer_index or 0]]
    ]
    assert given_away == []


def test_the_graph_is_read_whole_and_can_be_read_out() -> None:
    records = list(relation_head_tail.read(str(STARTER / "graph" / "commonsense.tsv"), {}))
    assert [record for record in records if not isinstance(record, Triple)] == []
    stated = [(record.relation, record.head, record.tail) for record in records if isinstance(record, Triple)]
    assert len(stated) >= 1_000
    assert [triple for triple, count in Counter(stated).items() if count > 1] == []
    assert {relation for relation, _, _ in stated} <= templates(CONCEPTNET).keys()
    assert [(head, tail) for _, head, tail in stated if head == tail] == []
