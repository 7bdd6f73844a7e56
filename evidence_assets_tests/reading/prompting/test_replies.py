"""Replies are read strictly: what is not exactly what was asked for is nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.reading.prompting.replies import (
    JUDGEMENT_SCHEMA,
    PARSED,
    SCORE_SCHEMA,
    UNPARSEABLE,
    Decision,
    ReplyError,
    choice_schema,
    letter,
    names_schema,
    object_schema,
    read_choice,
    read_object,
    triples_schema,
    triplets_schema,
)
from evidence_assets_tests.testing.profiles import examples

NOTHING = Decision(None, UNPARSEABLE)
ANY = object_schema(value={})


def test_options_have_letters_that_differ() -> None:
    assert "".join(map(letter, range(26))) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert [letter(index) for index in (26, 27, 51, 52, 701, 702)] == ["AA", "AB", "AZ", "BA", "ZZ", "AAA"]
    assert len({letter(index) for index in range(2_000)}) == 2_000


# --- choices


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "B"}',
        ' \n{ "answer" : "B" }\n ',
        '{"\\u0061nswer": "\\u0042"}',
        '```json\n{"answer": "B"}\n```',
        '```\n{"answer": "B"}```\n',
        "Answer: B",
        "  Answer: B\n",
        "Answer:B",
        "Answer: B.",
        "Answer: (B)",
        "Answer:\t(B).",
    ],
)
def test_the_two_forms_are_read(text: str) -> None:
    assert read_choice(text, 3, may_abstain=False) == Decision(1, PARSED)
    assert read_choice(text, 3, may_abstain=True) == Decision(1, PARSED)
    assert read_choice(text, 1, may_abstain=True) == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B",
        "(B)",
        "b",
        "The answer is B.",
        "answer: B",
        "Answer: b",
        "Answer: B or C",
        "Answer: B\nAnswer: C",
        "Answer: B\nbecause A is wrong",
        "I think so.\nAnswer: B",
        "Answer:\nB",
        "Answer: (B",
        "Answer: B)",
        "Answer: [B]",
        "Answer: BB",
        "Answer: В",  # Cyrillic
        "Answer: option B",
        "Answer: insufficient evidence",
        "Answer: Insufficient",
        "**Answer: B**",
        '"B"',
        "null",
        '["B"]',
        '{"answer": "b"}',
        '{"answer": "B."}',
        '{"answer": " B"}',
        '{"answer": ["B"]}',
        '{"answer": 1}',
        '{"answer": null}',
        '{"answer": "B", "answer": "C"}',
        '{"answer": "B", "answer": "B"}',
        '{"answer": "B", "why": "x"}',
        '{"Answer": "B"}',
        '{"answer": "B"} {"answer": "C"}',
        '{"answer": "B"}\nThat is all.',
        'So: {"answer": "B"}',
        '{"answer": "B"',
        '{"answer": "B",}',
        "{'answer': 'B'}",
        '{"answer": "B"} // sure',
        '\ufeff{"answer": "B"}',
        '```json {"answer": "B"} ```',
        '```json\n```json\n{"answer": "B"}\n```\n```',
        '```json\n{"answer": "B"}\n```\nThat is all.',
        '```json\n{"answer": "A"}\n```\n```json\n{"answer": "B"}\n```',
        '```python\n{"answer": "B"}\n```',
        "```\nAnswer: B\n```",
        '<think>C</think>{"answer": "B"}',
        "[" * 100_000,
        '{"answer": ' * 100_000,
        '{"answer": ' + "9" * 10_000 + "}",
    ],
)
def test_anything_else_decides_nothing(text: str) -> None:
    for may_abstain in (False, True):
        assert read_choice(text, 3, may_abstain) == NOTHING


def test_to_abstain_is_an_answer_where_it_is_allowed() -> None:
    for text in ('{"answer": "insufficient"}', "Answer: insufficient", "Answer: insufficient."):
        assert read_choice(text, 3, may_abstain=True) == Decision(None, PARSED, abstains=True)
        assert read_choice(text, 3, may_abstain=False) == NOTHING


def test_every_option_can_be_chosen() -> None:
    for index in range(60):
        for text in (json.dumps({"answer": letter(index)}), f"Answer: {letter(index)}"):
            assert read_choice(text, 60, may_abstain=False) == Decision(index, PARSED)
            assert read_choice(text, index, may_abstain=False) == NOTHING


def accepted(text: str, letters: str) -> dict[str, str]:
    """The forms of a choice, spelled out: each with its letter."""
    lines = {
        f"Answer:{space}{name}{stop}": option_letter
        for option_letter in letters
        for space in ("", " ", "  ", "\t")
        for name in (option_letter, f"({option_letter})")
        for stop in ("", ".")
    }
    try:
        pairs = json.loads(text, object_pairs_hook=lambda members: ("object", members))
    except (ValueError, RecursionError):
        return lines
    objects = {("object", (("answer", option_letter),)): option_letter for option_letter in letters}
    frozen = ("object", tuple(pairs[1])) if isinstance(pairs, tuple) else None
    return {**lines, **({text.strip(): objects[frozen]} if frozen in objects else {})}


PARTS = st.sampled_from(
    [
        "Answer:",
        " ",
        "A",
        "B",
        "Z",
        "(",
        ")",
        ".",
        "{",
        "}",
        '"answer"',
        '"A"',
        '"B"',
        ":",
        ",",
        "\n",
        "x",
        "```",
    ]
)


@examples(1_500)
@given(text=st.lists(PARTS, max_size=7).map("".join) | st.text(max_size=12))
def test_a_choice_is_read_from_the_two_forms_alone(text: str) -> None:
    fenced_code = text.strip().startswith("```")
    decision = read_choice(text, 2, may_abstain=False)
    expected = accepted(text, "AB").get(text.strip())
    if not fenced_code:
        assert decision == (NOTHING if expected is None else Decision("AB".index(expected), PARSED))


@examples(300)
@given(
    before=st.text(max_size=5),
    after=st.text(max_size=5),
    form=st.sampled_from(["Answer: A", '{"answer": "A"}']),
)
def test_a_choice_with_anything_around_it_is_none(before: str, after: str, form: str) -> None:
    if before.strip() or after.strip().strip("."):
        assert read_choice(f"{before}{form}{after}", 2, may_abstain=False) == NOTHING


# --- objects

BAD_JSON = [
    "",
    "no JSON",
    '{"value": NaN}',
    '{"value": Infinity}',
    '{"value": [-Infinity]}',
    '{"value": 1, "value": 1}',
    '{"value": {"a": 1, "a": 2}}',
    '{"value": [{"a": 1, "\\u0061": 2}]}',
    '{"value": "\\ud800"}',
    '{"value": {"\\udfff": 1}}',
    '{"value": 1} tail',
    '{"value": "a\nb"}',
    '```\n{"value": 1}',
    '{"value": 1}\n```',
    '```json\n```\n{"value": 1}\n```\n```',
    '{"value": ' + "[" * 50_000 + "]" * 50_000 + "}",
    '{"value": ' + "9" * 10_000 + "}",
]


@pytest.mark.parametrize("text", BAD_JSON)
def test_what_is_no_json_object_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ReplyError, match=r"^no JSON: ") as raised:
        read_object(text, ANY)
    assert len(str(raised.value)) <= 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", r"\$: "),
        ('"value"', r"\$: "),
        ("{}", "'value' is a required"),
        ('{"value": 1, "more": 2}', "'more'"),
    ],
)
def test_what_is_another_object_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        read_object(text, ANY)


def test_a_long_complaint_is_cut() -> None:
    with pytest.raises(ReplyError) as raised:
        read_object(json.dumps({"value": "x" * 10_000}), object_schema(value={"type": "number"}))
    assert len(str(raised.value)) == 200


@examples(200)
@given(
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**9), 10**9)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    ),
    ascii_only=st.booleans(),
    code=st.booleans(),
)
def test_any_value_comes_back_as_it_was_written(value: Any, ascii_only: bool, code: bool) -> None:
    text = json.dumps({"value": value}, ensure_ascii=ascii_only)
    assert read_object(f"```json\n{text}\n```" if code else text, ANY) == {"value": value}


TRIPLET = {"head": "?answer", "relation": "treats", "tail": "gout"}
SCHEMAS: dict[str, tuple[Mapping[str, Any], list[Any], list[Any]]] = {
    "choice": (
        choice_schema(2, may_abstain=False),
        [{"answer": "A"}, {"answer": "B"}],
        [{"answer": "C"}, {"answer": "insufficient"}, {"answer": "a"}, {"answer": ""}, {"answer": 0}, {}],
    ),
    "choice or none": (
        choice_schema(1, may_abstain=True),
        [{"answer": "A"}, {"answer": "insufficient"}],
        [{"answer": "B"}, {"answer": "Insufficient"}],
    ),
    "triplets": (
        triplets_schema(["treats"], ["drug"], 2),
        [
            {"answer_type": "drug", "variables": [], "triplets": []},
            {"answer_type": "drug", "variables": [], "triplets": [TRIPLET]},
            {"answer_type": "drug", "variables": [], "triplets": [TRIPLET] * 2},
        ],
        [
            {"answer_type": "gene", "variables": [], "triplets": []},
            {"answer_type": "drug", "variables": [], "triplets": [TRIPLET] * 3},
            {"answer_type": "drug", "variables": [], "triplets": [{**TRIPLET, "relation": "causes"}]},
            {"answer_type": "drug", "variables": [], "triplets": [{**TRIPLET, "head": ""}]},
            {"answer_type": "drug", "variables": [], "triplets": [{**TRIPLET, "tail": "x" * 201}]},
            {"answer_type": "drug", "variables": [], "triplets": [{**TRIPLET, "more": "x"}]},
            {"answer_type": "drug", "variables": [], "triplets": [{"head": "a", "tail": "b"}]},
            {"triplets": []},
        ],
    ),
    "names": (
        names_schema("entities", 2),
        [{"entities": []}, {"entities": ["a", "b" * 200]}],
        [
            {"entities": ["a", "b", "c"]},
            {"entities": [""]},
            {"entities": [1]},
            {"entities": "a"},
            {"names": []},
        ],
    ),
    "triples": (
        triples_schema(1),
        [{"triples": []}, {"triples": [{"head": "a", "relation": "any words", "tail": "b"}]}],
        [
            {"triples": [TRIPLET] * 2},
            {"triples": [{"head": "a", "relation": "", "tail": "b"}]},
            {"triples": [[]]},
        ],
    ),
    "score": (
        SCORE_SCHEMA,
        [{"score": 0}, {"score": 1}, {"score": 0.25}, {"score": 1e-3}],
        [
            {"score": -0.01},
            {"score": 1.01},
            {"score": 1e999},
            {"score": True},
            {"score": "1"},
            {"score": None},
        ],
    ),
    "judgement": (
        JUDGEMENT_SCHEMA,
        [{"correct": True}, {"correct": False}],
        [{"correct": 1}, {"correct": "true"}, {"correct": None}, {"correct": True, "why": ""}],
    ),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_takes_what_it_says_and_nothing_else(name: str) -> None:
    schema, good, bad = SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    json.dumps(schema)
    for value in good:
        assert read_object(json.dumps(value), schema) == value
    for value in bad:
        with pytest.raises(ReplyError):
            read_object(json.dumps(value).replace("Infinity", "1e999"), schema)
