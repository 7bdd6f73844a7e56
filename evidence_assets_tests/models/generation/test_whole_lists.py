"""Replies cut inside a list: what is kept, and what is no beginning of a reply."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.generation.whole_lists import ended
from evidence_assets.reading.prompting.replies import (
    SCORE_SCHEMA,
    names_schema,
    read_object,
    triples_schema,
    triplets_schema,
)

NAMES, TRIPLES = names_schema("answer", 20), triples_schema(12)
CONDITIONS = triplets_schema(["made_by"], ["film"], 6)


@pytest.mark.parametrize(
    ("cut", "items"),
    [
        ('{"answer":["Titan","Io","Eur', ["Titan", "Io"]),
        ('{"answer":["Titan","Io"', ["Titan", "Io"]),
        ('{"answer":["Titan","Io",', ["Titan", "Io"]),
        ('{"answer":["a \\" b","c', ['a " b']),
        ('{"answer":["a ] } b","c', ["a ] } b"]),
        ('{"answer":["Tit', []),
        ('{"answer":[', []),
    ],
)
def test_a_list_ends_at_its_last_whole_item(cut: str, items: list[str]) -> None:
    assert read_object(ended(cut, NAMES) or "", NAMES) == {"answer": items}


def test_an_item_that_is_not_whole_goes_as_a_whole() -> None:
    first = {"head": "Titan", "relation": "orbits", "tail": "Saturn"}
    cut = f'{{"triples":[{json.dumps(first)},{{"head":"Io","relation":"orb'
    assert json.loads(ended(cut, TRIPLES) or "") == {"triples": [first]}


def test_a_list_that_was_never_begun_is_empty() -> None:
    cut = '{"answer_type":"film","variables":[{"name":"?a","type":"film"},{"name":"?b'
    reply = json.loads(ended(cut, CONDITIONS) or "")
    assert reply == {"answer_type": "film", "variables": [{"name": "?a", "type": "film"}], "triplets": []}


@pytest.mark.parametrize("cut", ["", "}]", "no JSON", '{"answer', '{"other":["a","b', '{"answer":"a"'])
def test_what_is_no_beginning_of_a_reply_stays_cut(cut: str) -> None:
    assert ended(cut, NAMES) is None
    assert ended('{"score":0.', SCORE_SCHEMA) is None


@given(st.lists(st.text(min_size=1, max_size=12), max_size=8), st.integers(min_value=0, max_value=200))
def test_wherever_a_reply_is_cut_what_is_kept_are_its_first_items(names: list[str], length: int) -> None:
    full_text = json.dumps({"answer": names}, ensure_ascii=False, separators=(",", ":"))
    ended_text = ended(full_text[:length], NAMES)
    if ended_text is None:
        assert length < len('{"answer":[')
    else:
        items = json.loads(ended_text)["answer"]
        assert items == names[: len(items)]
