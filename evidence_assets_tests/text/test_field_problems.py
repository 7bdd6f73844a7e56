"""What is said of a field that a file should not have, lacks, or gives another value than it may have."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidence_assets.text.field_problems import field_problem

A_LIST = "write a list: [one, two], or a line each, after a dash"
NAMED = "write a name and a value a line: NAME: VALUE"


class Wheel(BaseModel):
    model_config = ConfigDict(extra="forbid")

    spokes: int = Field(default=36, ge=1, le=100)
    rim: str = ""
    brake: Literal["disc", "none"] = "none"


class Bicycle(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=8, pattern="^[a-z0-9][a-z0-9_-]*$")
    wheels: dict[str, Wheel] = Field(default_factory=dict)
    spares: list[Wheel] | None = None
    bells: list[str] = Field(default_factory=list)
    is_new: bool = False


def told(**content: Any) -> list[str]:
    with pytest.raises(ValidationError) as raised:
        Bicycle.model_validate({"name": "roadster", **content})
    return [field_problem(error, Bicycle) for error in raised.value.errors()]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"whels": {}}, "whels: there is no such field; remedy: is it wheels? Else remove it"),
        # Of the part that it stands in, though that is named as another part's field.
        (
            {"wheels": {"spares": {"spoke": 3}}},
            "wheels.spares.spoke: there is no such field; remedy: is it spokes? Else remove it",
        ),
        (
            {"spares": [{"wheels": 3}]},
            "spares.0.wheels: there is no such field; remedy: remove it; the fields are spokes, rim, brake",
        ),
        (
            {"wheels": {"front": {"rim": 26}}},
            "wheels.front.rim: 26 where text is expected; remedy: put it in quotes",
        ),
        (
            {"wheels": {"front": {"rim": []}}},
            "wheels.front.rim: a list where text is expected; remedy: write text",
        ),
        (
            {"wheels": {"front": {"spokes": 0}}},
            "wheels.front.spokes: 0 where at least 1 is expected; remedy: correct the value",
        ),
        (
            {"wheels": {"front": {"spokes": "many"}}},
            "wheels.front.spokes: 'many' where a whole number is expected; remedy: write a whole number",
        ),
        (
            {"wheels": {"front": {"brake": "foot"}}},
            "wheels.front.brake: 'foot' is none of 'disc' or 'none'; remedy: write one of them",
        ),
        ({"bells": "one"}, f"bells: 'one' where a list is expected; remedy: {A_LIST}"),
        (
            {"is_new": "perhaps"},
            "is_new: 'perhaps' where true or false is expected; remedy: write true or false",
        ),
        (
            {"wheels": []},
            f"wheels: a list where names with values are expected; remedy: {NAMED}",
        ),
        (
            {"wheels": {"front": None}},
            f"wheels.front: nothing where names with values are expected; remedy: {NAMED}",
        ),
        ({"name": ""}, "name: it is empty; remedy: fill it in"),
        ({"name": "velocipede"}, "name: 'velocipede' has more than 8 characters; remedy: shorten it"),
        (
            {"name": "Bike"},
            "name: 'Bike' is no name that may stand here; remedy: use small letters, digits, _ and -, and "
            "begin with a letter or a digit",
        ),
    ],
)
def test_a_problem_names_place_value_and_remedy(content: dict[str, Any], problem: str) -> None:
    assert told(**content) == [problem]


@pytest.mark.parametrize("content", [None, [], "words"])
def test_a_file_of_no_fields_is_told_what_to_begin_with(content: object) -> None:
    with pytest.raises(ValidationError) as raised:
        Bicycle.model_validate(content)
    [error] = raised.value.errors()
    assert field_problem(error, Bicycle) == (
        "top level: the file is empty, or no mapping of names; remedy: begin with name:"
    )


@pytest.mark.parametrize("name", ["(foo)", "(a"])
def test_a_name_in_brackets_is_told_as_it_is_written(name: str) -> None:
    class Model(BaseModel):
        model_config = ConfigDict(extra="forbid")
        corpora: int = 1

    with pytest.raises(ValidationError) as raised:
        Model.model_validate({name: 1})
    [error] = raised.value.errors()
    assert field_problem(error, Model).startswith(f"{name}: there is no such field; remedy: ")
