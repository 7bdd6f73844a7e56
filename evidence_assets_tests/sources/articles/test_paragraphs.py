"""Wrapped lines joined to paragraphs, and line breaks that mean something."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.articles.paragraphs import joined_lines, joined_markdown

PROSE = (
    "The longest bridge of the line has eleven arches of brick and is 214 metres long. An engineer who had "
    "worked on harbour cranes designed it, and nobody has found out why the third arch is wider."
)


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("## Head\none\n  two", "## Head\none two"),
        ("Head\n====\none\ntwo", "Head\n====\none two"),
        ("one\n- a\n  b\n- c", "one\n- a b\n- c"),
        ("- a\n    - nested\n      more", "- a\n    - nested more"),
        ("1. a\n2. b\nlazy", "1. a\n2. b lazy"),
        ("delivered in\n1892. Heron", "delivered in 1892. Heron"),
        ("verse  \nnext\nlast\\\nend", "verse  \nnext last\\\nend"),
        ("> said\n> he", "> said\n> he"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("a | b\n--- | ---\n1 | 2", "a | b\n--- | ---\n1 | 2"),
        ("<div>\nx\n</div>", "<div>\nx\n</div>"),
        ("see\n```\na\nb\n```\nthen\nmore", "see\n```\na\nb\n```\nthen more"),
        ("    code\n    code\n\ntext\n    text", "    code\n    code\n\ntext text"),
        ("one\n***\ntwo", "one\n***\ntwo"),
        ("", ""),
    ],
)
def test_markdown_keeps_the_line_breaks_that_mean_something(text: str, joined: str) -> None:
    assert joined_markdown(text) == joined


@given(st.lists(st.sampled_from([PROSE, "A dog barked.", PROSE[:90]]), min_size=1), st.integers(60, 120))
def test_what_was_wrapped_is_joined_again(paragraphs: list[str], width: int) -> None:
    wrapped = "\n\n".join(textwrap.fill(paragraph, width) for paragraph in paragraphs)
    assert joined_markdown(wrapped) == "\n\n".join(paragraphs)
    # What is wider than half a line tells the width; a text of short lines was not wrapped.
    assert joined_lines(wrapped) in {"\n\n".join(paragraphs), wrapped}
    if PROSE in paragraphs:
        assert joined_lines(wrapped) == "\n\n".join(paragraphs)


def test_lines_of_any_length_are_joined_where_sentences_go_on_in_the_next() -> None:
    ragged = (
        "Cooked food, meat and citrus peel do not belong in\nit because they draw rats. It is sold in\nMay.\n"
        "The courtyard was laid out by the landscape gardener Noor\nHaddad. The swing was taken down as"
        " rotten, and a new one\nwill come in 2025, by the same firm as the one before, which has gone."
        "\nIt is."
    )
    assert joined_lines(ragged).split("\n") == [
        "Cooked food, meat and citrus peel do not belong in it because they draw rats. It is sold in May.",
        "The courtyard was laid out by the landscape gardener Noor Haddad. The swing was taken down as"
        " rotten, and a new one will come in 2025, by the same firm as the one before, which has gone.",
        "It is.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Heart: pumps blood\nLiver: makes bile\nLung: breathes",
        "The heart is a muscle that pumps blood\nThe liver makes bile\nThe lungs\nThe kidneys are two",
        "A first line that is as long as many a line of prose\n- an item\n- another",
        "1. The first item, which is as long as many a line of prose\n2. The second",
        "https://example.org/a-very-long-address-without-any-space\nhttps://example.org/another",
        f"{PROSE}\n\nShall I compare thee\nTo a summer's day",
        "",
        "\n\n",
    ],
)
def test_lines_that_were_not_wrapped_stay(text: str) -> None:
    assert joined_lines(text) == text
