"""What a completion's bytes are read as, whatever they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.generation.openai_http import _Failure, read_completion
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets_tests.testing.generation_server import completion
from evidence_assets_tests.testing.profiles import examples


@pytest.mark.parametrize(
    ("log_probabilities", "expected"),
    [
        ({"content": [{"logprob": -1.0}, {"logprob": -2}]}, -1.5),
        ({"content": [{"logprob": -1.0}, {"logprob": None}]}, None),
        ({"content": [{"logprob": -1.0}, None]}, None),
        ({"content": [{"logprob": float("nan")}]}, None),
        ({"content": [{"logprob": float("-inf")}]}, None),
        ({"content": []}, None),
        ({"content": None}, None),
        ([], None),
        (None, None),
    ],
)
def test_a_log_probability_is_told_only_where_every_token_has_one(
    log_probabilities: object, expected: float | None
) -> None:
    body = completion("x")
    body["choices"][0]["logprobs"] = log_probabilities
    assert read_completion(json.dumps(body).encode()).log_probability == expected


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": -1},
        {"prompt_tokens": True},
        {"prompt_tokens": 1.5},
        {"prompt_tokens": 10**30},
    ],
)
def test_counts_that_are_none_are_not_taken(usage: object) -> None:
    body = completion("x")
    body["usage"] = usage
    reply = read_completion(json.dumps(body).encode())
    assert (reply.outcome, reply.prompt_tokens, reply.completion_tokens) == (Outcome.ANSWERED, None, None)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def nearly_completions(draw: st.DrawFn) -> bytes:
    """A completion with one part, anywhere, replaced by another value."""
    body = completion("x", cached_tokens=1, log_probabilities=[-1.0])
    place: Any = body
    while True:
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.booleans()):
            place[key] = draw(JSON_VALUES)
            return json.dumps(body).encode()
        place = place[key]


@examples(300)
@given(
    st.binary(max_size=60) | JSON_VALUES.map(lambda value: json.dumps(value).encode()) | nearly_completions()
)
def test_whatever_bytes_come_they_are_a_reply_that_can_be_kept_or_a_failure(body: bytes) -> None:
    try:
        reply = read_completion(body)
    except _Failure as failure:
        assert failure.outcome is Outcome.UNREADABLE and failure.passes
        assert failure.error.encode()
        return
    assert reply.outcome.is_reply
    assert reply.text.encode() is not None
    assert bool(reply.text) or not reply.outcome.is_text
    for count in (reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens):
        assert count is None or 0 <= count < 2**63
    assert reply.log_probability is None or -float("inf") < reply.log_probability <= 0
