"""Published rows bear the names of arms that there are, or say plainly that no arm of ours is that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from evidence_assets.extraction.arms import ARMS as MINED
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.published_figures import PUBLISHED, figures

GENERATOR = "generator"
# How the name begins of what is no arm of ours: another system, another model of it, or people.
NO_ARM = "published"
# What has no language model to read with, by the name of the file's model.
NO_GENERATOR = "none"

KEY = ("system", "arm", "benchmark", "metric", "source", "table_number")
SOURCES = {
    "attention2query": "attention2query-2025",
    "four_step_focus": "4stepfocus-2024",
    "kaping": "kbqa-capstone-2024",
}
THESIS = "thesis-vo-2026"
# Metrics that are counts, hours or seconds. Every other one is a share.
NO_SHARES = {
    "kbloom": {"extracted_facts", "tuples", "diversity", "novelty"},
    "uscrake": {
        "knowledge_graph_reasoning_hours",
        "chunk_retrieval_hours",
        "answer_generator_hours",
        "total_hours",
        "seconds_per_question",
    },
}

Row = Mapping[str, str]


def unknown_arms(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the rows whose arm is none, with the file, the line and a remedy."""
    arms = {system.name: tuple(system.arms((GENERATOR,))) for system in SYSTEMS}
    for line, row in enumerate(rows, start=2):
        arm, _, generator = row["arm"].partition("@")
        if arm.startswith(NO_ARM):
            continue
        wanted = f"{arm}@" if generator == NO_GENERATOR else f"{arm}@{GENERATOR}"
        is_known = arm in MINED or any(
            offered == row["arm"] or offered.startswith(wanted) for offered in arms.get(row["system"], ())
        )
        if not is_known:
            yield (
                f"{name}, line {line}: {row['system']} has no arm {arm!r}; remedy: name the arm that the "
                f"figure describes, or {NO_ARM}@… where no arm of ours is that"
            )


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_figure_has_a_key_of_its_own_and_its_source_and_is_a_share(name: str) -> None:
    rows = figures(name)
    keys = Counter(tuple(row[column] for column in KEY) for row in rows)
    assert [key for key, count in keys.items() if count > 1] == []
    assert {row["source"] for row in rows} == {SOURCES.get(name, THESIS)}
    shares = [row for row in rows if row["metric"] not in NO_SHARES.get(name, ())]
    assert all(0 <= float(row["value"]) <= 1 for row in shares)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_published_row_names_an_arm_or_says_that_there_is_none(name: str) -> None:
    assert not list(unknown_arms(name, figures(name)))


@pytest.mark.parametrize(
    ("system", "arm", "is_known"),
    [
        ("uscrake", "full@llama", True),
        ("uscrake", "full@none", True),
        ("uscrake", "fuller@llama", False),
        ("four_step_focus", "no_triplets@nearest", True),
        # Read by no language model: there is the extractive reader's alone.
        ("ugat_medqa", "no_retrieval_at_all@llama", False),
        ("ucret", "split_cells@llama", False),
        ("kbloom", "kbloom_paper@roberta-large", True),
        ("kbloom", "initial_prompt@roberta-large", False),
        ("elsewhere", "full@llama", False),
        ("elsewhere", "published@llama", True),
        ("uscrake", "published_euclidean@llama", True),
    ],
)
def test_an_arm_that_is_none_is_named_with_its_line(system: str, arm: str, is_known: bool) -> None:
    problems = list(unknown_arms("some.csv", [{"system": system, "arm": arm}]))
    assert not problems if is_known else problems[0].startswith(f"some.csv, line 2: {system} has no arm")
