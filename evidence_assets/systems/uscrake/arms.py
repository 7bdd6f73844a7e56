"""USCRaKE's arms: how chunks are ranked, and who reads them."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.corpus.pools import BM25, DENSE
from evidence_assets.reasoning.extractive import GENERAL, OPENBOOKQA

SYSTEM = "uscrake"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One way to rank chunks: which first-stage pool it starts from, and whether it reranks by coverage."""

    name: str
    pool: str
    reranks: bool


@dataclass(frozen=True, slots=True)
class Arm:
    """One experiment: a retrieval and a reader of what it found.

    `weights` names the extractive reader's weights; empty for the baseline, which only looks at the nearest
    chunk.
    """

    name: str
    retrieval: str
    weights: str
    description: str

    @property
    def generator(self) -> str:
        """Who answers, as every row names it: the part of the name after `@`."""
        return self.name.partition("@")[2]


RETRIEVALS = {
    retrieval.name: retrieval
    for retrieval in (
        Retrieval("coverage", DENSE, reranks=True),
        Retrieval("cosine", DENSE, reranks=False),
        Retrieval("bm25", BM25, reranks=False),
    )
}

ARMS = {
    arm.name: arm
    for arm in (
        Arm("chunks_only_coverage@extractive", "coverage", GENERAL, "the default"),
        Arm(
            "chunks_only_coverage@extractive_openbookqa",
            "coverage",
            OPENBOOKQA,
            "the default ranking, read with weights fitted on OpenBookQA's training questions",
        ),
        Arm("chunks_only_cosine@extractive", "cosine", GENERAL, "chunks by embedding alone"),
        Arm("chunks_only_bm25@extractive", "bm25", GENERAL, "chunks by shared words alone"),
        Arm(
            "chunks_only_cosine@nearest",
            "cosine",
            "",
            "the one-line baseline: the option whose nearest chunk is nearest",
        ),
    )
}

DEFAULT_ARM = "chunks_only_coverage@extractive"
BASELINE_ARM = "chunks_only_cosine@nearest"
