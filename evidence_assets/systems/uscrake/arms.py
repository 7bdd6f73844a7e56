"""USCRaKE's arms: how chunks are ranked, what is selected beside them, and who reads it."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.reading.extractive import GENERAL
from evidence_assets.reading.selection import CONTRASTED, RERANKED, RETRIEVED, Selection
from evidence_assets.retrieval.retrievals import RETRIEVALS

SYSTEM = "uscrake"


@dataclass(frozen=True, slots=True)
class Arm:
    """One experiment: a retrieval, what is selected of it, and a reader.

    `weights` names the extractive reader's weights; empty for the baseline, which only looks at the nearest
    chunk, and where a language model reads (`prompted`).
    """

    name: str
    retrieval: str
    weights: str
    description: str
    selection: Selection = Selection()  # noqa: RUF009 - frozen
    prompted: bool = False

    @property
    def generator(self) -> str:
        """Who answers, as every row names it: the part of the name after `@`."""
        return self.name.partition("@")[2]


_FULL = Selection(chunks=15, triples=10, order=RERANKED)
_TRIPLES_ONLY = Selection(0, 10, RERANKED)
# Readers whose weights were fitted on one set of questions: name, selection, weights, description.
_FITTED: tuple[tuple[str, Selection, str, str], ...] = tuple(
    (
        f"{evidence}@extractive_{questions}",
        selection,
        f"{questions}_{kind}",
        f"{what}, read with weights fitted on {title}",
    )
    for questions, title, kinds in (
        ("openbookqa", "OpenBookQA's training questions", ("chunks", "full")),
        ("commonsenseqa", "CommonsenseQA's development questions", ("chunks", "full", "triples")),
    )
    for kind, evidence, selection, what in (
        ("chunks", "chunks_only_coverage", Selection(), "the default ranking"),
        ("full", "full", _FULL, "15 chunks and 10 triples, reranked together"),
        ("triples", "triples_only", _TRIPLES_ONLY, "10 triples and no text"),
    )
    if kind in kinds
)

# Beside the chunks alone: name, retrieval, selection, description.
_SELECTIONS: tuple[tuple[str, str, Selection, str], ...] = (
    ("full", "coverage", _FULL, "15 chunks and 10 triples, reranked together"),
    ("triples_only", "coverage", _TRIPLES_ONLY, "10 triples and no text"),
    ("no_rerank", "coverage", Selection(15, 10, RETRIEVED), "chunks, then triples, as they were retrieved"),
    ("full_keep10", "coverage", Selection(15, 10, RERANKED, keep=10), "the best 10 of the joint list"),
    (
        "no_rerank_keep10",
        "coverage",
        Selection(15, 10, RETRIEVED, keep=10),
        "the best 10 chunks as they were retrieved: what full_keep10 is held against",
    ),
    (
        "full_verified",
        "coverage",
        Selection(15, 10, RERANKED, minimum_separation=0.05),
        "only what separates the options by 0.05: the verification signal as a filter",
    ),
    ("full_contrasted", "coverage", Selection(15, 10, CONTRASTED), "from all options' finds, by contrast"),
    (
        "question_only",
        "coverage",
        Selection(15, 10, RERANKED, question_only=True),
        "retrieved with the question alone, for all options the same: comparable with MIRAGE",
    ),
    *(
        (f"full_k{k}", "coverage", Selection(k, 10, RERANKED), f"{k} chunks and 10 triples")
        for k in (5, 10, 20)
    ),
    *(
        (f"full_s{s}", "coverage", Selection(15, s, RERANKED), f"15 chunks and {s} triples")
        for s in (5, 15, 20)
    ),
)

ARMS = {
    arm.name: arm
    for arm in (
        *(
            Arm(f"chunks_only_{retrieval.name}@extractive", retrieval.name, GENERAL, retrieval.description)
            for retrieval in RETRIEVALS.values()
        ),
        *(
            Arm(name, "coverage", weights, description, selection)
            for name, selection, weights, description in _FITTED
        ),
        *(
            Arm(
                f"full_{name}@extractive",
                name,
                GENERAL,
                f"15 chunks and 10 triples, reranked together; chunks by {RETRIEVALS[name].description}",
                _FULL,
            )
            for name in RETRIEVALS
            if name != "coverage" and RETRIEVALS[name].pool_limit is None
        ),
        *(
            Arm(f"{name}@extractive", retrieval, GENERAL, description, selection)
            for name, retrieval, selection, description in _SELECTIONS
        ),
        Arm(
            "chunks_only_cosine@nearest",
            "cosine",
            "",
            "the one-line baseline: the option whose nearest chunk is nearest",
        ),
    )
}
# Rankings whose chunks are scored together with the triples.
RERANKED_RETRIEVALS = tuple(
    dict.fromkeys(arm.retrieval for arm in ARMS.values() if arm.selection.needs_scores)
)

DEFAULT_ARM = "chunks_only_coverage@extractive"
BASELINE_ARM = "chunks_only_cosine@nearest"
# What every arm is compared with: the baseline, the default, the whole system, text alone by the same reader.
COMPARED_WITH = (
    BASELINE_ARM,
    DEFAULT_ARM,
    "full@extractive",
    "chunks_only_coverage@extractive_openbookqa",
    "chunks_only_coverage@extractive_commonsenseqa",
)
# What a first run makes: the default and what it is held against. The others wait until they are asked for.
FIRST_ARMS = (
    "chunks_only_coverage@extractive",
    "chunks_only_cosine@extractive",
    "chunks_only_bm25@extractive",
    "full@extractive",
    "triples_only@extractive",
    BASELINE_ARM,
)
