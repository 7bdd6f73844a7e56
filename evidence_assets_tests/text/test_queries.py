"""Queries, and questions that are too long for an encoder: the option is never cut off in silence."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.text.queries import NO_OPTION, queries, shorten_questions, with_option
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.question_rows import question_row

LIMIT = 64


def count_tokens(texts: Sequence[str]) -> list[int]:
    """A token a word of up to four letters, two of a longer one, and two special tokens."""
    return [2 + sum(1 + (len(word) > 4) for word in text.split()) for text in texts]


def table(text: str, options: list[str]) -> pa.Table:
    return pa.Table.from_pylist([question_row("q", text, options, 0 if options else None)], QUESTIONS.schema)


def test_queries_are_the_question_alone_and_followed_by_each_option() -> None:
    assert [(query.candidate, query.text) for query in queries(table("Who?", ["he", "she"]))] == [
        (NO_OPTION, "Who?"),
        (0, "Who? he"),
        (1, "Who? she"),
    ]


def test_what_fits_is_not_touched() -> None:
    text = "one two " * 30
    shortened = shorten_questions(table(text, ["he", "she"]), count_tokens, LIMIT)
    assert (shortened.texts, shortened.unread, shortened.shown()) == ({}, {}, {})
    assert shortened.of("anything") == "anything"


def test_a_long_question_is_shortened_at_its_start_and_keeps_its_options_whole() -> None:
    words = [f"w{number}" for number in range(100)]
    text = " ".join(words)
    options = ["he", "she and they"]
    shortened = shorten_questions(table(text, options), count_tokens, LIMIT)
    # 62 tokens beside the special ones, three of which the longest option takes.
    ending = " ".join(words[-59:])
    assert shortened.of(text) == ending
    assert [shortened.of(with_option(text, option)) for option in options] == [
        f"{ending} he",
        f"{ending} she and they",
    ]
    assert shortened.unread == {"q": 41}
    assert shortened.shown() == {"questions_shortened": 1}
    shortened_queries = queries(table(text, options), shortened)
    assert [query.text for query in shortened_queries] == [ending, f"{ending} he", f"{ending} she and they"]
    encoded = shortened.encoding(list)([text, with_option(text, "he"), "another"])
    assert encoded == [ending, f"{ending} he", "another"]


def test_an_option_that_leaves_no_room_is_named() -> None:
    text = " ".join(f"w{number}" for number in range(40))
    options = ["he", "long " * 70]
    shortened = shorten_questions(table(text, options), count_tokens, LIMIT)
    assert shortened.of(text) == " ".join(f"w{number}" for number in range(32, 40))
    assert shortened.cut_options == [("q", 1)]
    assert shortened.shown() == {"questions_shortened": 1, "options_cut": 1}
    only = shorten_questions(table("Who?", options), count_tokens, LIMIT)
    assert (only.unread, only.cut_options) == ({}, [("q", 1)])


@pytest.mark.parametrize("text", ["", " ", "?" * 500, "word" * 500, "火" * 500])
@pytest.mark.parametrize("options", [[], [""], ["", "a " * 200]])
def test_strange_questions_have_a_query_for_every_option(text: str, options: list[str]) -> None:
    shortened = shorten_questions(table(text, options), count_tokens, LIMIT)
    assert len(queries(table(text, options), shortened)) == 1 + len(options)


_WORDS = st.lists(st.sampled_from(["a", "bcd", "longer", "x,", "y\n"]), max_size=150).map(" ".join)


@examples(100)
@given(text=_WORDS, options=st.lists(_WORDS, max_size=4))
def test_every_option_is_whole_or_named_and_no_word_is_left_out_for_nothing(
    text: str, options: list[str]
) -> None:
    shortened = shorten_questions(table(text, options), count_tokens, LIMIT)
    ending, left_out = shortened.of(text), shortened.unread.get("q", 0)
    assert text.endswith(ending)
    assert len(text.split()) - len(ending.split()) == left_out
    assert len(ending.split()) >= min(len(text.split()), LIMIT // 8)
    named = {index for _, index in shortened.cut_options}
    for index, option in enumerate(options):
        query = shortened.of(with_option(text, option))
        assert query == with_option(ending, option)
        assert (count_tokens([query])[0] > LIMIT) == (index in named)
    if left_out:
        longer = " ".join(text.split()[left_out - 1 :])
        candidates = [with_option(longer, option) for option in options] or [longer]
        assert max(count_tokens(candidates)) > LIMIT
