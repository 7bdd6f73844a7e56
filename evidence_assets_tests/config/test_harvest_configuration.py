"""What a configuration may say of a harvest, and what its errors say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config.configuration import load
from evidence_assets.extraction.arms import ARMS
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets_tests.testing.configuration_samples import Change, configuration, written


def harvesting() -> dict[str, Any]:
    """A configuration with a harvest, and a graph that merges one of its arms."""
    content = configuration()
    content["harvest"] = {"corpus": "small", "arms": ["kbloom", "bertnet"], "reference": "facts"}
    content["graphs"]["merged"] = {"sources": content["graphs"]["facts"]["sources"], "harvests": ["kbloom"]}
    return content


def test_a_harvest_is_read_with_its_defaults(tmp_path: Path) -> None:
    content = harvesting()
    content["harvest"] = {"corpus": "small"}
    sources = load(written(tmp_path, content))
    harvest = sources.harvest
    assert harvest is not None
    assert (harvest.seeds, harvest.corpus, harvest.arms) == (
        "seeds/relations",
        "small",
        ["kbloom", "bertnet"],
    )
    assert (harvest.reference, harvest.triples, harvest.least_readiness) == (None, 1_000, 0.2)
    recipe = Recipe()
    of_the_recipe = harvest.training.model_dump(exclude={"from_scratch", "prepared"})
    assert {field: getattr(recipe, field) for field in of_the_recipe} == of_the_recipe, (
        "what the configuration leaves open is what the recipe does"
    )
    assert (harvest.training.from_scratch, harvest.training.prepared) == (False, "")
    assert sources.graphs["merged"].harvests == ["kbloom"]
    assert sources.graphs["facts"].harvests == []
    assert load(written(tmp_path, configuration())).harvest is None


def test_what_is_written_of_a_harvest_is_what_is_read(tmp_path: Path) -> None:
    content = harvesting()
    limits = {"triples": 7, "list_size": 5, "prompts": 3, "most_first": 0, "most_phrases": 0, "branch": 0}
    training = {
        "steps": 50,
        "batch": 8,
        "vocabulary": 500,
        "layers": 2,
        "body_rate": 1e-3,
        "evaluations": 4,
        "from_scratch": True,
        "prepared": "models",
    }
    content["harvest"] |= {**limits, "training": training, "seeds": "mine", "least_readiness": 0}
    harvest = load(written(tmp_path, content)).harvest
    assert harvest is not None
    assert {name: getattr(harvest, name) for name in limits} == limits
    assert harvest.training.model_dump() == training
    assert (harvest.seeds, harvest.reference, harvest.least_readiness) == ("mine", "facts", 0)


def test_a_graph_may_consist_of_harvests_alone(tmp_path: Path) -> None:
    content = harvesting()
    content["graphs"]["merged"] = {"harvests": ["bertnet", "kbloom"]}
    merged = load(written(tmp_path, content)).graphs["merged"]
    assert (merged.sources, merged.harvests) == ([], ["bertnet", "kbloom"])


@pytest.mark.parametrize(
    ("change", "field", "problem"),
    [
        (lambda c: c["harvest"].pop("corpus"), "harvest.corpus", "it is missing"),
        (lambda c: c["harvest"].update(corpus="big"), "harvest.corpus", "big is none of small"),
        (lambda c: c["harvest"].update(corpus="No Name"), "harvest.corpus", "is no name"),
        (lambda c: c["harvest"].update(seed="x"), "harvest.seed", "no such field"),
        (lambda c: c["harvest"].update(seeds=""), "harvest.seeds", "it is empty"),
        (lambda c: c["harvest"].update(arms=[]), "harvest.arms", "it is empty"),
        (lambda c: c["harvest"].update(arms="kbloom"), "harvest.arms", "a list is expected"),
        (lambda c: c["harvest"].update(arms=["kbloom", "x", "y"]), "harvest.arms", "x, y is none of kbloom"),
        (
            lambda c: c["harvest"].update(arms=["kbloom"] * 2),
            "harvest.arms",
            "used twice: kbloom;",
        ),
        (lambda c: c["harvest"].update(reference="x"), "harvest.reference", "x is none of facts, merged"),
        (lambda c: c["harvest"].update(reference="kbloom"), "harvest.reference", "kbloom is none of facts"),
        (
            lambda c: [c.pop("graphs"), c.pop("benchmarks")],
            "harvest.reference",
            "facts is none of (there are none)",
        ),
        (lambda c: c["harvest"].update(triples=0), "harvest.triples", "where at least 1 is expected"),
        (lambda c: c["harvest"].update(list_size=0), "harvest.list_size", "where at least 1 is expected"),
        (lambda c: c["harvest"].update(prompts=0), "harvest.prompts", "where at least 1 is expected"),
        (lambda c: c["harvest"].update(prompts=21), "harvest.prompts", "where at most 20 is expected"),
        (lambda c: c["harvest"].update(most_first=-1), "harvest.most_first", "where at least 0 is expected"),
        (
            lambda c: c["harvest"].update(most_phrases=-1),
            "harvest.most_phrases",
            "where at least 0 is expected",
        ),
        (lambda c: c["harvest"].update(branch=-1), "harvest.branch", "where at least 0 is expected"),
        (lambda c: c["harvest"].update(branch=1.5), "harvest.branch", "a whole number is expected"),
        (
            lambda c: c["harvest"].update(least_readiness=1.1),
            "harvest.least_readiness",
            "where at most 1 is expected",
        ),
        (
            lambda c: c["harvest"].update(training={"steps": 0}),
            "harvest.training.steps",
            "where at least 1 is expected",
        ),
        (
            lambda c: c["harvest"].update(training={"vocabulary": 99}),
            "harvest.training.vocabulary",
            "where at least 100 is expected",
        ),
        (
            lambda c: c["harvest"].update(training={"layers": -1}),
            "harvest.training.layers",
            "where at least 0 is expected",
        ),
        (
            lambda c: c["harvest"].update(training={"body_rate": 0}),
            "harvest.training.body_rate",
            "where more than 0 is expected",
        ),
        (lambda c: c["harvest"].update(training={"epochs": 3}), "harvest.training.epochs", "no such field"),
        (
            lambda c: c["harvest"].update(training={"from_scratch": "maybe"}),
            "harvest.training.from_scratch",
            "true or false is expected",
        ),
        (
            lambda c: c["graphs"].update(kbloom=c["graphs"]["facts"]),
            "graphs.kbloom",
            "a harvest has that name",
        ),
        (
            lambda c: c["graphs"]["merged"].update(harvests=["kbloom_paper"]),
            "graphs.merged.harvests",
            "kbloom_paper is none of harvest.arms, kbloom, bertnet",
        ),
        (
            lambda c: c.pop("harvest"),
            "graphs.merged.harvests",
            "kbloom is none of harvest.arms, (there is no harvest)",
        ),
        (
            lambda c: c["graphs"]["merged"].update(harvests=["kbloom"] * 2),
            "graphs.merged.harvests",
            "used twice",
        ),
        (
            lambda c: c["graphs"]["merged"].update(harvests="kbloom"),
            "graphs.merged.harvests",
            "a list is expected",
        ),
        (
            lambda c: c["graphs"].update(merged={"harvests": [], "sources": []}),
            "graphs.merged",
            "name sources, harvests, or both",
        ),
    ],
)
def test_errors_of_a_harvest_name_file_field_and_problem(
    tmp_path: Path, change: Change, field: str, problem: str
) -> None:
    content = harvesting()
    path = written(tmp_path, content)
    assert load(path).harvest is not None
    change(content)
    written(tmp_path, content)
    with pytest.raises(ConfigurationError) as raised:
        load(path)
    # The files that it names are not there either.
    of_field, *_ = raised.value.problems
    assert of_field.startswith(field)
    assert problem in of_field


def test_unknown_arms_are_told_what_there_is(tmp_path: Path) -> None:
    content = harvesting()
    content["harvest"]["arms"] = ["bloom"]
    content["graphs"].pop("merged")
    with pytest.raises(ConfigurationError) as raised:
        load(written(tmp_path, content))
    assert all(name in str(raised.value) for name in ARMS)


def test_a_harvest_is_not_measured_against_a_graph_that_merges_it(tmp_path: Path) -> None:
    project = Path(__file__).resolve().parents[2]
    text = (project / "data_lake" / "sources.yaml").read_text(encoding="utf-8")
    path = tmp_path / "sources.yaml"
    text = text.replace("../evidence_assets/starter/", f"{project}/evidence_assets/starter/")
    path.write_text(
        text.replace("  reference: starter_facts\n", "  reference: starter_merged\n"), encoding="utf-8"
    )
    with pytest.raises(ConfigurationError, match=r"harvest\.reference: starter_merged merges a harvest"):
        load(path)
