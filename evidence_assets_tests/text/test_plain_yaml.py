"""YAML that cannot be read is told by its line, and a key that stands twice is no value that is lost."""

from __future__ import annotations

import pytest
import yaml

from evidence_assets.text.plain_yaml import load_yaml, yaml_problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "line 2, column 1: did not find expected node content, while parsing a flow node"),
        (
            "a:\n- {b: c\nd",
            "line 4, column 1: did not find expected ',' or '}', while parsing a flow mapping that begins in"
            " line 2",
        ),
        (
            "a\nb: c",
            "line 2, column 2: mapping values are not allowed in this context; the colon behind a name may "
            "be missing in the line before",
        ),
        (
            "a:\n\tb: c",
            "line 2, column 1: found character that cannot start any token, while scanning for the next "
            "token; indent by spaces, not by tabs",
        ),
        ("a: \x00", "character 4: control characters are not allowed"),
        ("a: 2024-13-45", "a value cannot be made (month must be in 1..12): put it in quotes"),
    ],
)
def test_a_problem_is_one_line_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(yaml.YAMLError) as raised:
        load_yaml(text)
    assert yaml_problem(raised.value).startswith(problem)
    assert "\n" not in yaml_problem(raised.value)
    assert "unicode string" not in yaml_problem(raised.value)


def test_a_key_that_stands_twice_is_refused() -> None:
    text = "a: 1\nb: {c: 1}\na: 2\n"
    with pytest.raises(yaml.YAMLError) as raised:
        load_yaml(text)
    assert yaml_problem(raised.value) == "line 3, column 1: a stands twice, first in line 1"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: &x [*x]", "line 1, column 4"),
        ("&x a:\n  b: 1\nc: &y\n  d: {e: [1, *y]}", "line 3, column 4"),
        ("a: &x {b: &y [*x, *y]}", "line 1, column 4"),
    ],
)
def test_a_value_that_holds_itself_is_refused(text: str, place: str) -> None:
    with pytest.raises(yaml.YAMLError) as raised:
        load_yaml(text)
    assert yaml_problem(raised.value) == f"{place}: the value that begins here holds itself"


def test_a_value_may_stand_in_many_places() -> None:
    text = "a: &x [1]\nb: [*x, *x]\nc: &y {k: *x}\nd: {e: *y, f: [*y]}\n"
    assert load_yaml(text)["d"] == {"e": {"k": [1]}, "f": [{"k": [1]}]}


def test_a_merged_key_may_stand_beside_its_own() -> None:
    text = "a: &a {b: 1, c: 1}\nd:\n  <<: *a\n  b: 2\n"
    assert load_yaml(text)["d"] == {"b": 2, "c": 1}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("base: &b {k: 1}\nx: {y: &a {<<: *b, k: 2}}\nz: {<<: *a}\n", {"k": 2}),
        ("x: &x [{k: 1}, {k: 2}]\nz: *x\n", [{"k": 1}, {"k": 2}]),
        ("z: {1: a, '1': b}\n", {1: "a", "1": "b"}),
    ],
)
def test_keys_that_are_each_their_own_are_not_refused(text: str, values: object) -> None:
    assert load_yaml(text)["z"] == values
