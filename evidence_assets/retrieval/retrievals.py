"""The retrieval arms: which first-stage pool they rank, how much of it, and how."""

from __future__ import annotations

from dataclasses import dataclass

DENSE, BM25 = "dense", "bm25"
# No pool: every chunk of the corpus.
CORPUS = "corpus"
# Both pools.
DENSE_AND_BM25 = "dense_and_bm25"
FIRST_STAGE, EUCLIDEAN, CONTRASTIVE, TRANSPORT = "first_stage", "euclidean", "contrastive", "transport"
# Coverage and shared words together; and then what the first passages lead to.
FUSED, TWO_STEP = "fused", "two_step"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A retrieval arm: the first-stage pool that it ranks, how much of it (R, None for all), and how.

    `pool` may be the whole corpus; `method`, of those that compare words, is one of `transport.methods`.
    """

    name: str
    pool: str
    description: str
    ranked_by: str = FIRST_STAGE
    method: str = ""
    pool_limit: int | None = None


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

# R of thesis 7.4: 15,000 and 20,000 of 11.4 million; the small ones show the same on a small corpus.
_POOL_LIMITS = (50, 100, 15_000, 20_000)

RETRIEVALS = {
    retrieval.name: retrieval
    for retrieval in (
        *(Retrieval(name, DENSE, text, TRANSPORT, name) for name, text in _RERANKINGS.items()),
        *(
            Retrieval(
                f"coverage_r{limit}",
                DENSE,
                f"coverage over the best {limit:,} of the pool; of a smaller pool, over all of it",
                TRANSPORT,
                "coverage",
                limit,
            )
            for limit in _POOL_LIMITS
        ),
        Retrieval(
            "coverage_corpus",
            CORPUS,
            "coverage over every chunk of the corpus, without a pool: what the embedding misses is found too",
            TRANSPORT,
            "coverage",
        ),
        Retrieval(
            "fused",
            DENSE_AND_BM25,
            "coverage and the words that question and titled chunk share, together, over both pools",
            FUSED,
            "coverage",
        ),
        Retrieval(
            "two_step",
            DENSE_AND_BM25,
            "as fused, and then the articles that the first chunks name, and the chunks that name theirs",
            TWO_STEP,
            "coverage",
        ),
        Retrieval("cosine", DENSE, "the embedding's own order"),
        Retrieval(
            "euclidean",
            DENSE,
            "distance of the embeddings, which have unit length: cosine's order by construction, so not what "
            "the thesis calls Euclidean distance (tables 7.5, 7.6), where the two differ",
            EUCLIDEAN,
        ),
        Retrieval("contrastive", DENSE, "what speaks for one option and not for the others", CONTRASTIVE),
        Retrieval("bm25", BM25, "BM25's own order"),
    )
}
