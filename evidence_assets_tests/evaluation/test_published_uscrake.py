"""The thesis's figures of USCRaKE bear the names of arms that do what it prints."""

from __future__ import annotations

from evidence_assets.evaluation.published import published_rows
from evidence_assets.systems.uscrake.arms import arms

# The thesis does not say which vectors' distance this is: it is not cosine's order, which ours is.
WITHOUT_AN_ARM = {"published_euclidean"}


def test_published_figures_are_those_of_the_printed_arms() -> None:
    rows = [row for row in published_rows().to_pylist() if row["system"] == "uscrake"]
    printed = {arm.variant for arm in arms(["generator"]).values() if arm.printed}
    assert {row["arm"].partition("@")[0] for row in rows} == printed | WITHOUT_AN_ARM


def test_the_published_euclidean_and_cosine_figures_differ_as_no_order_of_unit_vectors_can() -> None:
    figures = {
        (row["arm"].partition("@")[0], row["arm"].partition("@")[2], row["benchmark"]): row["value"]
        for row in published_rows().to_pylist()
        if row["system"] == "uscrake" and row["metric"] == "accuracy"
    }
    differences = [
        figures["paper_chunks_only_cosine", generator, benchmark] != value
        for (arm, generator, benchmark), value in figures.items()
        if arm == "published_euclidean"
    ]
    assert len(differences) == 18
    assert all(differences)
