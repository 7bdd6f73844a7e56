"""Differences of harvests by hand: to BertNet under the same prompts, of as many triples as both have."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from benchmarks import PROJECT
from benchmarks.harvest.harvest_data import differences
from benchmarks.harvest.harvest_recovery import ARMS as RECOVERED
from evidence_assets.extraction.arms import ARMS, MULTI, SEARCHES

Scores = list[dict[str, Any]]


def rows(kg: str, relation: str, **values: float) -> Scores:
    return [
        {"kg": kg, "relation": relation, "metric": metric, "value": value} for metric, value in values.items()
    ]


def test_an_arm_is_compared_at_equal_numbers_relation_by_relation() -> None:
    """Of 300 triples .1 is right, of BertNet's 100 .2: what counts is the first 100, .3 against .2."""
    scores = [
        *rows("kbloom", "IsA", attested=0.1, equal_attested=0.3, equal_baseline_attested=0.2),
        *rows("kbloom", "PartOf", equal_attested=0.0, equal_baseline_attested=0.1, attested_at_50=0.4),
        *rows("kbloom", "", equal_attested=0.9, equal_baseline_attested=0.0),
        *rows("bertnet", "IsA", attested=0.2, attested_at_50=0.2),
        *rows("bertnet", "PartOf", attested_at_50=0.1),
        # Under other prompts: not compared with.
        *rows("bertnet_initial", "PartOf", attested_at_50=0.0),
        *rows("bertnet_simplified", "PartOf", attested_at_50=0.2),
    ]
    compared = {(row["arm"], row["baseline"], row["metric"]): row for row in differences(scores)}
    assert compared.keys() == {
        ("kbloom", "bertnet", "equal_attested"),
        ("kbloom", "bertnet", "attested_at_50"),
        ("kbloom", "bertnet_simplified", "attested_at_50"),
        ("bertnet_simplified", "bertnet", "attested_at_50"),
    }
    equal = compared["kbloom", "bertnet", "equal_attested"]
    assert equal["relations"] == 2
    assert equal["difference"] == pytest.approx(0.0)
    assert (equal["low"], equal["high"]) == pytest.approx((-0.1, 0.1))
    # Fewer than fifty triples have no precision at fifty: the relation is left out.
    first = [compared["kbloom", name, "attested_at_50"] for name in ("bertnet", "bertnet_simplified")]
    assert [row["difference"] for row in first] == pytest.approx([0.3, 0.2])
    assert [row["relations"] for row in first] == [1, 1]


def test_the_printed_arms_of_all_prompts_are_harvested_by_both_benchmarks() -> None:
    sources = yaml.safe_load((PROJECT / "benchmarks" / "real_data_sources.yaml").read_text(encoding="utf-8"))
    for arms in (RECOVERED, sources["harvest"]["arms"]):
        printed = [ARMS[name] for name in arms if ARMS[name].printed]
        assert MULTI in {SEARCHES[arm.search].prompts for arm in printed}
        assert {"bertnet", "bertnet_initial", "bertnet_simplified"} <= set(arms)
