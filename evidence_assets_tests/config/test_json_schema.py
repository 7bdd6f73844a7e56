"""The JSON Schema of the configuration: the one in docs/ is the code's, and it says what the code says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from evidence_assets.config.json_schema import json_schema
from evidence_assets_tests.testing.configuration_samples import Change, configuration, facts_of, source_of

PROJECT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads(json_schema())


def problems(content: object) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(content)]


def test_the_schema_in_docs_is_the_codes() -> None:
    written = (PROJECT / "docs" / "sources.schema.json").read_text(encoding="utf-8")
    assert written == json_schema(), "remedy: evidence-assets schema > docs/sources.schema.json"


def test_it_is_a_schema_of_its_dialect() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "path",
    [
        "data_lake/sources.yaml",
        "benchmarks/real_data_sources.yaml",
        "benchmarks/authored/graph_questions/sources.yaml",
    ],
)
def test_the_projects_own_configurations_fit(path: str) -> None:
    assert problems(yaml.safe_load((PROJECT / path).read_text(encoding="utf-8"))) == []


def test_a_small_configuration_fits() -> None:
    assert problems(configuration()) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(copora={}),
        lambda c: source_of(c).update(licens="x"),
        lambda c: source_of(c).pop("licence"),
        lambda c: source_of(c).update(format="pdf"),
        lambda c: facts_of(c).update(format="lines"),
        lambda c: c["graphs"]["facts"].update(templates="own"),
        lambda c: c["benchmarks"]["quiz"].update(reader="trivia"),
        lambda c: c["benchmarks"]["quiz"].update(systems=["uscrak"]),
        lambda c: c["benchmarks"]["quiz"].update(sample=0),
        lambda c: c["benchmarks"].update({"a|b": c["benchmarks"]["quiz"]}),
    ],
)
def test_what_the_code_refuses_by_its_form_an_editor_marks(change: Change) -> None:
    content = configuration()
    change(content)
    assert problems(content)


def test_files_of_ones_own_are_names() -> None:
    content = configuration()
    content["graphs"]["facts"]["templates"] = "own.yaml"
    content["benchmarks"]["quiz"]["reader"] = "exam.yml"
    assert problems(content) == []
