"""Baselines of questions asked of a graph: what search, and steps from what a question names, answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evidence_assets.lake.schemas import DOCUMENT_POOLS, NODE_DOCUMENTS
from evidence_assets.stages.declaration import Input

# What finds answers: vectors of documents, BM25, vectors of their parts, the fewest hops from the topics.
DENSE, BM25, PARTS, HOPS = "dense", "bm25", "parts", "hops"
NEAREST = "nearest"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline that every system of graphs is compared with. What a question names is never its answer."""

    name: str
    description: str
    search: str


BASELINES: Mapping[str, Baseline] = {
    baseline.name: baseline
    for baseline in (
        Baseline(
            f"documents@{NEAREST}",
            "baseline: vector search over the nodes' documents, without what the question names",
            DENSE,
        ),
        Baseline(
            f"documents@{NEAREST}_words",
            "baseline: BM25 over the nodes' documents, without what the question names",
            BM25,
        ),
        Baseline(
            f"documents@{NEAREST}_parts",
            "baseline: vector search over the parts of the nodes' documents, text and triples apart, without "
            "what the question names",
            PARTS,
        ),
        Baseline(
            f"shortest_path@{NEAREST}",
            "baseline: the nodes fewest hops from what the question names, then by their documents",
            HOPS,
        ),
    )
}


def baseline_inputs(baselines: Iterable[str]) -> tuple[Input, ...]:
    """Return what arms of baselines read beside a benchmark's questions and concepts, and its graph."""
    arms = dict.fromkeys(baselines, "")
    return (
        Input(DOCUMENT_POOLS, variants=arms),
        Input(NODE_DOCUMENTS, variants=arms, via=DOCUMENT_POOLS),
    )
