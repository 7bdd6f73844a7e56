"""USCRaKE's arms: how chunks are ranked, and who reads them."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.corpus.pools import BM25, DENSE
from evidence_assets.reasoning.extractive import GENERAL, OPENBOOKQA
from evidence_assets.transport.methods import METHODS, Method

SYSTEM = "uscrake"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One way to rank chunks: which first-stage pool it starts from, and how it reranks it, if it does."""

    name: str
    pool: str
    description: str
    method: Method | None = None


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


_RERANKINGS = {
    "coverage": "how well a chunk covers the question word by word: the default",
    "coverage_words": "coverage without the texts' own vectors",
    "coverage_jensen_shannon": "coverage with the Jensen-Shannon ground cost",
    "balanced": "exact optimal transport, Jensen-Shannon of unit vectors",
    "partial": "exact transport of the question into as much of the chunk as it needs",
    "paper": "exact optimal transport as printed: vectors scaled by BM25, temperature 1",
    "moverscore": "exact optimal transport, Euclidean between unit vectors, IDF weights",
    "word_movers_distance": "exact optimal transport, Euclidean between raw vectors, equal weights",
}

RETRIEVALS = {
    retrieval.name: retrieval
    for retrieval in (
        *(Retrieval(name, DENSE, text, METHODS[name]) for name, text in _RERANKINGS.items()),
        Retrieval("cosine", DENSE, "the embedding's own order"),
        Retrieval("bm25", BM25, "BM25's own order"),
    )
}

ARMS = {
    arm.name: arm
    for arm in (
        *(
            Arm(f"chunks_only_{retrieval.name}@extractive", retrieval.name, GENERAL, retrieval.description)
            for retrieval in RETRIEVALS.values()
        ),
        Arm(
            "chunks_only_coverage@extractive_openbookqa",
            "coverage",
            OPENBOOKQA,
            "the default ranking, read with weights fitted on OpenBookQA's training questions",
        ),
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
# What a first run makes: the default and what it is held against. The others wait until they are asked for.
FIRST_RETRIEVALS = ("coverage", "cosine", "bm25")
