"""Queries said back in words: without names, each kind of set in its own way, and like their question."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    Number,
    Query,
    Reached,
    Relational,
    Typed,
    Union,
    Value,
)
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.paraphrases import Paraphrases
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.railway_questions import railway, railway_of


@cache
def paraphrases() -> Paraphrases:
    base = railway()
    return Paraphrases(base.schema, base.types, Lexicon(base.graph, base.schema, base.types, encoder()))


def named(label: str) -> Named:
    return Named(label, (railway().graph.labels.to_pylist().index(label),))


LINES = Typed("line")
OPERATED = Reached("operated_by", True, named("Northmoor Rail"))


@pytest.mark.parametrize(
    ("of", "wording"),
    [
        (OPERATED, "line operated by the company"),
        (Reached("operated_by", False, named("Fell Line")), "company that the line operated by"),
        (Reached("length_km", False, LINES), "length of line"),
        (Intersection((OPERATED, LINES)), "line operated by the company"),
        (Union((named("Fell Line"), named("Dale Line"))), "the line or the line"),
        (Difference(LINES, OPERATED), "line not line operated by the company"),
        (Filtered(LINES, Value("length_km"), Relational.MORE, 70.0), "line with length more than 70"),
        (Extreme(LINES, Value("opened_in"), False), "line with the earliest opened in"),
        (
            Filtered(Reached("length_km", True, Typed("")), Value("length_km"), Relational.LESS, 9.0),
            "line with length less than 9",
        ),
        (Filtered(LINES, Value("opened_in"), Relational.MORE, 1900.0), "line opened after 1900"),
        (
            Filtered(Typed("company"), Number("operated_by", True, Typed("")), Relational.MORE, 1.0),
            "company with more than 1 line operated by",
        ),
        (
            Extreme(Typed("company"), Number("operated_by", True, LINES), True),
            "company with the highest number of line operated by",
        ),
        (Reached("builds", False, Typed("")), "train that something builds"),
    ],
)
def test_each_kind_of_set_is_said_in_the_words_of_the_graph(of: Expression, wording: str) -> None:
    assert paraphrases().text(Query(of)) == f"which {wording}"


@pytest.mark.parametrize(
    ("form", "begins"), [(Form.NUMBER, "how many line"), (Form.EXISTENCE, "is there line")]
)
def test_what_is_asked_of_a_set_begins_it(form: Form, begins: str) -> None:
    assert paraphrases().text(Query(LINES, form)) == begins


def test_what_a_question_says_in_other_words_is_more_like_it_than_what_it_does_not() -> None:
    text = "Which firm runs the Fell Line?"
    question = LinkedQuestion("q", text, (Topic("Fell Line", 20, 29, named("Fell Line").nodes),))
    fell = named("Fell Line")
    operator, station = paraphrases().likeness(
        question,
        [Query(Reached("operated_by", False, fell)), Query(Reached("calls_at", False, fell))],
        [(), ()],
    )
    assert operator.whole > station.whole


def test_a_word_that_a_reading_leaves_out_is_least_like_any_of_its_own() -> None:
    query = Query(Reached("operated_by", True, named("Northmoor Rail")))
    least = []
    for text in (
        "Which lines does Northmoor Rail operate?",
        "Which steep lines does Northmoor Rail operate?",
    ):
        start = text.index("Northmoor")
        topic = Topic("Northmoor Rail", start, start + 14, named("Northmoor Rail").nodes)
        [likeness] = paraphrases().likeness(LinkedQuestion("q", text, (topic,)), [query], [()])
        least.append(likeness.least)
    assert least[1] < least[0] - 0.1


def test_a_word_that_an_operation_accounts_for_need_not_be_said_again() -> None:
    oldest_line = LinkedQuestion("q", "What is the oldest line?", ())
    [without_operations], [with_operations] = (
        paraphrases().likeness(oldest_line, [Query(Typed("line"))], [operations])
        for operations in ((), {"oldest"})
    )
    assert with_operations.whole == without_operations.whole
    assert with_operations.least > without_operations.least + 0.1


def test_a_relation_whose_name_holds_no_word_is_said_as_it_is_spelt() -> None:
    base = railway_of([("Helmsby", "->", "Wexcombe")], typed=False)
    wordings = Paraphrases(base.schema, base.types, Lexicon(base.graph, base.schema, base.types, encoder()))
    assert wordings.text(Query(Reached("->", True, Typed("")))) == "which thing whose -> is something"


def test_no_query_is_like_nothing() -> None:
    assert paraphrases().likeness(LinkedQuestion("q", "Which line?", ()), [], []) == []
