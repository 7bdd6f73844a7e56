"""Rows of `harvest_scores` by hand: likeness by either rule, equal numbers of triples, what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evidence_assets.extraction.filters import SEED
from evidence_assets.extraction.scores import score_rows
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import HARVESTED_TRIPLES, HARVESTS, PROMPT_CAPTURES, RELATION_SEEDS, TRIPLES
from evidence_assets_tests.testing.table_rows import table_of

Pair = tuple[str, str]
OURS, BASELINE, REFERENCE, SEARCH = "kbloom", "bertnet", "stated", "multi"


class AnglesEncoder:
    """A sentence that holds a number of degrees has the vector at that angle."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        degrees = [float(text.split()[0].strip("abcdefghij")) for text in texts]
        angles = np.radians(degrees)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def write(
    lake: Lake,
    relation: str,
    mined: Mapping[str, Sequence[Pair]],
    gold: Sequence[Pair] = (),
    seeds: Sequence[Pair] = (),
    captures: Mapping[Pair, str] | None = None,
) -> None:
    """Triples by graph, best first; what the reference states; seeds, which are flagged.

    `captures`: the prompts, a letter each, that find a pair alone; all of `ABC` are searched.
    """
    captured = [
        {"search": SEARCH, "relation": relation, "head": head, "tail": tail, "prompts": list(prompts)}
        for (head, tail), prompts in sorted((captures or {}).items())
    ]
    place = {"search": SEARCH, "relation": relation}
    lake.write(PROMPT_CAPTURES, place, table_of(PROMPT_CAPTURES, *captured))
    seed_rows = [{"head": head, "tail": tail} for head, tail in seeds]
    row = {"relation": relation, "template": "{head} to {tail}", "pairs": seed_rows}
    lake.write(RELATION_SEEDS, {"relation": relation}, table_of(RELATION_SEEDS, row))
    for kg, pairs in mined.items():
        rows = [
            {
                "kg": kg,
                "relation": relation,
                # By id, as every table is by its key: the order of ranks is to be made again.
                "triple_id": f"{100 - rank}",
                "head": head,
                "tail": tail,
                "rank": rank,
                "flags": [SEED] if (head, tail) in seeds else [],
                "prompts": [{"prompt": prompt, "log_probability": -1.0, "found": True} for prompt in "ABC"],
            }
            for rank, (head, tail) in reversed(list(enumerate(pairs)))
        ]
        place = {"kg": kg, "relation": relation}
        lake.write(HARVESTED_TRIPLES, place, table_of(HARVESTED_TRIPLES, *rows))
    stated = [
        {"kg": REFERENCE, "relation": relation, "triple_id": f"{number}", "head": head, "tail": tail}
        for number, (head, tail) in enumerate(gold)
    ]
    lake.write(TRIPLES, {"kg": REFERENCE, "relation": relation}, table_of(TRIPLES, *stated))


def scores(
    lake: Lake, relations: Sequence[str], baseline: str | None = BASELINE
) -> dict[tuple[str, str], dict[str, Any]]:
    """By relation and metric."""
    rows = [{"kg": OURS, "relation": relation} for relation in relations]
    lake.write(HARVESTS, {"kg": OURS}, table_of(HARVESTS, *rows))
    made = score_rows(lake, OURS, SEARCH, REFERENCE, baseline, AnglesEncoder(), {})  # type: ignore[arg-type]
    return {(row["relation"], row["metric"]): row for row in made.to_pylist()}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


def test_likeness_is_to_half_of_the_reference_in_one_table_and_to_one_in_the_other(lake: Lake) -> None:
    """Nearer than 41.4 degrees to one of four, to two, to none: .75 is their cosine."""
    gold = [("0", "a"), ("10", "a"), ("100", "a"), ("190", "a")]
    write(lake, "IsA", {OURS: [("5", "b"), ("130", "b"), ("300", "b")]}, gold)
    scored = scores(lake, ["IsA"])
    # Table 5.6: to two of the four, half of them. Table 5.7: to one.
    assert scored["IsA", "similarity_accuracy"]["value"] == pytest.approx(1 / 3)
    assert scored["IsA", "similar_to_one"]["value"] == pytest.approx(2 / 3)
    assert scored["", "similarity_accuracy"]["value"] == pytest.approx(1 / 3)
    assert scored["", "similar_to_one"]["value"] == pytest.approx(2 / 3)
    # Nothing is compared where there is no baseline.
    assert not [metric for _, metric in scored if metric.startswith(("equal", "novel_only"))]


def test_what_is_novel_only_is_right_if_it_is_like_one(lake: Lake) -> None:
    gold = [("0", "a"), ("10", "a"), ("100", "a"), ("190", "a")]
    mined = {OURS: [("5", "b"), ("130", "b"), ("300", "b")], BASELINE: [("5", "b"), ("200", "c")]}
    write(lake, "IsA", mined, gold)
    scored = scores(lake, ["IsA"])
    assert scored["IsA", "novel_only_precision"] | {"low": 0, "high": 0} == {
        "kg": OURS,
        "relation": "IsA",
        "metric": "novel_only_precision",
        "value": 0.5,
        "low": 0,
        "high": 0,
        "n": 2,
    }


def test_lists_of_different_lengths_are_compared_at_the_shorter_ones(lake: Lake) -> None:
    """Six triples against two: four entities more are no merit, and what comes late does not count."""
    gold = [("1", "a"), ("2", "a"), ("90", "c"), ("180", "d")]
    ours = [("1", "a"), ("2", "a"), ("3", "e"), ("4", "f"), ("5", "g"), ("6", "h")]
    mined = {OURS: ours, BASELINE: [("1", "b"), ("90", "c")]}
    write(lake, "IsA", mined, gold)
    # The baseline has more here, and a seed first: it was given.
    longer = [("7", "a"), ("8", "a"), ("9", "a"), ("180", "d")]
    write(lake, "PartOf", {OURS: [("180", "d")], BASELINE: longer}, gold, seeds=[("7", "a")])
    scored = scores(lake, ["IsA", "PartOf"])
    compared = {key: row["value"] for key, row in scored.items() if key[1].startswith("equal")}
    assert scored["IsA", "diversity"]["value"] == 11
    assert {metric: value for (relation, metric), value in compared.items() if relation == "IsA"} == {
        "equal_tuples": 2,
        "equal_diversity": 3,
        "equal_baseline_diversity": 4,
        "equal_attested": 1,
        "equal_baseline_attested": 0.5,
        "equal_similarity_accuracy": 1,
        "equal_baseline_similarity_accuracy": 0.5,
        "equal_similar_to_one": 1,
        "equal_baseline_similar_to_one": 1,
    }
    assert compared["PartOf", "equal_tuples"] == 1
    assert (compared["PartOf", "equal_attested"], compared["PartOf", "equal_baseline_attested"]) == (1, 0)
    # Together: three triples of each, not seven of one and six of the other.
    assert compared["", "equal_tuples"] == 3
    assert (compared["", "equal_diversity"], compared["", "equal_baseline_diversity"]) == (5, 6)
    assert compared["", "equal_attested"] == 1
    assert compared["", "equal_baseline_attested"] == pytest.approx(1 / 3)


def test_a_baseline_that_has_not_the_relation_is_not_compared_with(lake: Lake) -> None:
    write(lake, "IsA", {OURS: [("1", "a")], BASELINE: []}, [("1", "a")])
    write(lake, "PartOf", {OURS: [("1", "a")]}, [("1", "a")])
    scored = scores(lake, ["IsA", "PartOf"])
    assert not [metric for _, metric in scored if metric.startswith("equal")]
    # What found nothing left everything: what never looked left nothing.
    assert ("IsA", "novel_only_precision") in scored
    assert ("PartOf", "novel_only_precision") not in scored


def test_coverage_counts_what_one_prompt_alone_finds_though_it_is_no_triple(lake: Lake) -> None:
    """Four pairs once, one twice, one thrice: 6 + 2/3 * 4 * 3 / (2 * 2) = 8. The graph holds the last two."""
    captures = {("a", "b"): "A", ("c", "d"): "B", ("e", "f"): "C", ("g", "h"): "C"}
    captures |= {("i", "j"): "AB", ("k", "l"): "ABC"}
    write(lake, "IsA", {OURS: [("i", "j"), ("k", "l")]}, captures=captures)
    scored = scores(lake, ["IsA"])
    assert scored["IsA", "estimated_tuples"]["value"] == pytest.approx(8)
    assert scored["IsA", "coverage"]["value"] == pytest.approx(6 / 8)
    assert scored["IsA", "coverage"]["n"] == 6


def test_coverage_is_about_right_where_prompts_find_little_of_what_there_is(lake: Lake) -> None:
    """Three prompts of 800 pairs, each finding a twelfth: a quarter was found, and the rest is told of."""
    generator = np.random.default_rng(0)
    captures = {
        (f"h{number}", f"t{number}"): prompts
        for number in range(800)
        for prompts in ["".join(prompt for prompt in "ABC" if generator.random() < 1 / 12)]
        if prompts
    }
    write(lake, "IsA", {OURS: list(captures)[:5]}, captures=captures)
    scored = scores(lake, ["IsA"])
    estimated = scored["IsA", "estimated_tuples"]
    assert estimated["low"] <= 800 <= estimated["high"]
    assert scored["IsA", "coverage"]["value"] == pytest.approx(len(captures) / 800, abs=0.1)
    assert scored["IsA", "coverage"]["value"] < 0.35
