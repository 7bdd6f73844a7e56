"""A sample of a benchmark's questions, and the templates that a configuration's graphs name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.config.configuration import load
from evidence_assets.sources.questions.rows import question_rows, sampled
from evidence_assets.sources.records import Question
from evidence_assets.sources.specifications import BenchmarkSource, ConfigurationError

SOURCE = BenchmarkSource(reader="questions_jsonl", uri="q.jsonl", split="dev", corpus="c")


def rows_of(*identifiers: str) -> pa.Table:
    questions = [
        Question(identifier, "Who?", answers=("x",), topics=("T", "U")) for identifier in identifiers
    ]
    return question_rows(questions, "quiz", SOURCE)[0]


def ids(rows: pa.Table) -> list[str]:
    question_ids: list[str] = rows.column("question_id").to_pylist()
    return question_ids


def test_topics_are_a_column() -> None:
    assert rows_of("a").column("topics").to_pylist() == [["T", "U"]]
    rows, _ = question_rows([Question("b", "Who?", answers=("x",))], "quiz", SOURCE)
    assert rows.column("topics").to_pylist() == [[]]


def test_a_sample_is_the_same_ever_since() -> None:
    rows = rows_of(*(f"q{number}" for number in range(10)))
    # Made once, and the same ever since: it is read in results.
    assert ids(sampled(rows, 3)) == ["q0", "q1", "q7"]
    assert sampled(rows, None) is rows
    assert sampled(rows, 10) is rows
    assert sampled(rows, 11) is rows


@given(
    names=st.lists(st.text("abc", min_size=1, max_size=4), unique=True, min_size=1, max_size=12),
    sample=st.integers(1, 12),
    random=st.randoms(),
)
def test_a_sample_does_not_depend_on_the_order_and_grows_from_itself(
    names: list[str], sample: int, random: Any
) -> None:
    sample_ids = ids(sampled(rows_of(*names), sample))
    assert len(sample_ids) == min(sample, len(names))
    assert sample_ids == [name for name in names if name in sample_ids]
    shuffled = list(names)
    random.shuffle(shuffled)
    assert set(ids(sampled(rows_of(*shuffled), sample))) == set(sample_ids)
    assert set(sample_ids) <= set(ids(sampled(rows_of(*names), sample + 1)))


def configured(folder: Path, templates: str, sample: object = None) -> Path:
    content: dict[str, Any] = {
        "corpora": {"c": {"sources": [{"name": "s", "uri": "n", "format": "text_folder", "licence": "CC0"}]}},
        "graphs": {
            "g": {
                "templates": templates,
                "sources": [{"name": "s", "uri": "n", "format": "relation_head_tail", "licence": "CC0"}],
            }
        },
        "benchmarks": {"b": {"reader": "metaqa", "uri": "q", "split": "dev", "graph": "g", "sample": sample}},
    }
    path = folder / "sources.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    load.cache_clear()
    return path


@pytest.mark.parametrize("sample", [1, 2_000, None])
def test_a_sample_is_configured(tmp_path: Path, sample: int | None) -> None:
    assert load(configured(tmp_path, "names", sample)).benchmarks["b"].sample == sample


@pytest.mark.parametrize("sample", [0, -1, 1.5, "many"])
def test_a_sample_is_a_number_of_questions(tmp_path: Path, sample: object) -> None:
    with pytest.raises(ConfigurationError, match=r"benchmarks\.b\.sample"):
        load(configured(tmp_path, "names", sample))


def test_a_file_of_templates_is_relative_to_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.yaml").write_text('made_of: "{head} is made of {tail}"', encoding="utf-8")
    monkeypatch.setenv("PLACE", str(tmp_path))
    for written in ("own.yaml", "./own.yaml", "${PLACE}/own.yaml"):
        sources = load(configured(tmp_path, written))
        assert sources.graphs["g"].templates == str(tmp_path / "own.yaml")
        assert sources.templates == [str(tmp_path / "own.yaml")]


@pytest.mark.parametrize(
    ("templates", "problem"),
    [
        ("wordnet", "'wordnet' is none of conceptnet, biomedical, films, names"),
        ("absent.yaml", "absent.yaml: No such file"),
        ("broken.yml", "a: '.head.' must hold"),
        ("${NOWHERE}/own.yaml", "NOWHERE"),
    ],
)
def test_templates_that_cannot_be_used_are_refused(tmp_path: Path, templates: str, problem: str) -> None:
    (tmp_path / "broken.yml").write_text("a: '{head}'", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        load(configured(tmp_path, templates))
