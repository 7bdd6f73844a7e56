"""USCRaKE's arms: how chunks are ranked, what is selected beside them, and who reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from evidence_assets.evidence.arms import Arm, by_name, read_by_generators, scored_by_generators
from evidence_assets.reading.baselines import LONGEST_OPTION, NEAREST, OPTION_COSINE
from evidence_assets.reading.selection import CONTRASTED, RERANKED, RETRIEVED, Selection
from evidence_assets.reading.weights import GENERAL
from evidence_assets.retrieval.retrievals import RETRIEVALS

SYSTEM = "uscrake"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkArm(Arm):
    """One experiment: a retrieval, what is selected of it, and a reader.

    Baselines have no weights. An arm without a `retrieval` is given no evidence. `printed`: read by the
    thesis's prompts. `trained`: a trained reader scores the options; `with_cues`: its score is weighed with
    two cheap cues.
    """

    retrieval: str = ""
    printed: bool = False
    trained: bool = False
    with_cues: bool = False
    selection: Selection = Selection()  # noqa: RUF009 - frozen


_FULL = Selection(chunks=15, triples=10, order=RERANKED)
_TRIPLES_ONLY = Selection(0, 10, RERANKED)
_NOTHING = Selection(chunks=0)

# Beside the chunks alone, of the default ranking: name, selection, description.
_SELECTIONS: tuple[tuple[str, Selection, str], ...] = (
    ("full", _FULL, "15 chunks and 10 triples, reranked together"),
    ("triples_only", _TRIPLES_ONLY, "10 triples and no text"),
    ("no_rerank", Selection(15, 10, RETRIEVED), "chunks, then triples, as they were retrieved"),
    (
        "no_rerank_keep10",
        Selection(15, 10, RETRIEVED, keep=10),
        "the best 10 chunks as they were retrieved: what full_keep10 is held against",
    ),
    (
        "full_verified",
        Selection(15, 10, RERANKED, minimum_separation=0.05),
        "only what separates the options by 0.05: the verification signal as a filter",
    ),
    ("full_contrasted", Selection(15, 10, CONTRASTED), "from all options' finds, by contrast"),
    (
        "question_only",
        Selection(15, 10, RERANKED, question_only=True),
        "retrieved with the question alone, for all options the same: comparable with MIRAGE",
    ),
    *((f"full_k{k}", Selection(k, 10, RERANKED), f"{k} chunks and 10 triples") for k in (5, 10, 20)),
    *((f"full_s{s}", Selection(15, s, RERANKED), f"15 chunks and {s} triples") for s in (5, 15, 20)),
)

# The rankings of the controlled comparison, in which every arm reads ten units of evidence an option.
_FACTOR_RETRIEVALS = ("cosine", "coverage", "paper")
# What separates options by less says nothing of them: as in full_verified.
_SEPARATION = 0.05


def _factorial() -> Iterator[ChunkArm]:
    """Yield the arms of retrieval x triples x reranking x verification, ten units of evidence an option.

    Without triples ten chunks, with them six chunks and four triples, as retrieved; reranked, the best ten of
    15 chunks, and of 10 triples beside them, by their joint scores: the cross-encoder's, or, where none is
    configured, the encoder's in its place, of which this factor then tells. Verification takes away what
    separates the options by less than 0.05, so it leaves fewer.
    """
    for retrieval, triples, reranked, verified in product(
        _FACTOR_RETRIEVALS, (False, True), (False, True), (False, True)
    ):
        separation = _SEPARATION if verified else None
        selection = (
            Selection(15, 10 if triples else 0, RERANKED, keep=10, minimum_separation=separation)
            if reranked
            else Selection(6 if triples else 10, 4 if triples else 0, minimum_separation=separation)
        )
        levels = {
            "triples": "triples" if triples else "",
            "reranking": "reranked" if reranked else "",
            "verification": "verified" if verified else "",
        }
        parts = [level for level in levels.values() if level]
        name = "_".join(("ten", retrieval, *parts))
        yield ChunkArm(
            name=f"{'full_keep10' if name == 'ten_coverage_triples_reranked' else name}@extractive",
            retrieval=retrieval,
            weights=GENERAL,
            selection=selection,
            levels=(("retrieval", retrieval), *levels.items()),
            description=f"ten units: {', '.join((f'chunks by {retrieval}', *parts))}",
        )


ARMS = by_name(
    (
        *(
            ChunkArm(
                name=f"chunks_only_{retrieval.name}@extractive",
                retrieval=retrieval.name,
                weights=GENERAL,
                description=retrieval.description,
            )
            for retrieval in RETRIEVALS.values()
        ),
        *(
            ChunkArm(
                name=f"full_{name}@extractive",
                retrieval=name,
                weights=GENERAL,
                description=f"15 chunks and 10 triples, reranked together; chunks by {retrieval.description}",
                selection=_FULL,
            )
            for name, retrieval in RETRIEVALS.items()
            if name != "coverage" and retrieval.pool_limit is None
        ),
        *(
            ChunkArm(
                name=f"{name}@extractive",
                retrieval="coverage",
                weights=GENERAL,
                description=description,
                selection=selection,
            )
            for name, selection, description in _SELECTIONS
        ),
        ChunkArm(
            name=f"chunks_only_cosine@{NEAREST}",
            retrieval="cosine",
            description="the one-line baseline: the option whose nearest chunk is nearest",
        ),
        ChunkArm(
            name=f"chunks_only_bm25@{NEAREST}",
            retrieval="bm25",
            description="the option whose best chunk by BM25 scores best",
        ),
        ChunkArm(
            name=f"no_evidence@{OPTION_COSINE}",
            description="no evidence: the option nearest to the question",
            selection=_NOTHING,
        ),
        ChunkArm(
            name=f"no_evidence@{LONGEST_OPTION}",
            description="no evidence: the option of most characters",
            selection=_NOTHING,
        ),
        ChunkArm(
            name="no_evidence@extractive",
            weights=GENERAL,
            description="no evidence: what question and options say of themselves, by the same reader",
            selection=_NOTHING,
        ),
        *_factorial(),
    )
)
# As printed: name, retrieval, selection, description. Each is read by every language model that is named.
_PRINTED: tuple[tuple[str, str, Selection, str], ...] = (
    ("paper", "paper", _FULL, "the thesis's system: 15 chunks by printed transport and 10 triples, reranked"),
    ("paper_chunks_only", "paper", Selection(), "tables 7.5 and 7.6: chunks by printed transport"),
    ("paper_chunks_only_moverscore", "moverscore", Selection(), "tables 7.5 and 7.6: chunks by MoverScore"),
    ("paper_chunks_only_cosine", "cosine", Selection(), "tables 7.5 and 7.6: chunks by cosine"),
    ("paper_triples_only", "paper", _TRIPLES_ONLY, "table 7.7: 10 triples and no text"),
)
# Variants whose options the likelihood reader scores: text, text and triples, and neither.
_LIKELIHOOD = ("chunks_only_coverage", "full", "no_evidence")


def arms(generators: Iterable[str]) -> Mapping[str, ChunkArm]:
    """Return every arm: those without a language model, and, for each generator, those that it reads."""
    named = tuple(generators)
    printed = (
        ChunkArm(
            name=f"{name}@{generator}",
            retrieval=retrieval,
            selection=selection,
            description=f"{description}; chains and answer by the printed prompts (7.3.3, 7.3.4)",
            prompted=True,
            printed=True,
        )
        for generator in named
        for name, retrieval, selection, description in _PRINTED
    )
    return {
        **read_by_generators(ARMS, named, GENERAL),
        **by_name(printed),
        **scored_by_generators(ARMS, _LIKELIHOOD, named),
    }


# Variants whose options a trained reader scores: text, by two rankings, and text and triples.
_TRAINED = ("chunks_only_coverage", "chunks_only_cosine", "full", "full_cosine")


def trained_arms(readers: Iterable[str]) -> Mapping[str, ChunkArm]:
    """Return the arms that each trained reader answers."""
    return by_name(
        replace(
            ARMS[f"{variant}@extractive"],
            name=f"{variant}_trained{'_cues' if with_cues else ''}@{reader}",
            description=f"{ARMS[f'{variant}@extractive'].description}; read by the trained reader {reader}"
            f"{', weighed with the nearest text and the cosine of question and option' if with_cues else ''}",
            weights="",
            trained=True,
            with_cues=with_cues,
        )
        for reader in readers
        for variant in _TRAINED
        for with_cues in (False, True)
    )


# Rankings whose chunks are scored together with the triples.
RERANKED_RETRIEVALS = tuple(
    dict.fromkeys(arm.retrieval for arm in ARMS.values() if arm.selection.needs_scores)
)

DEFAULT_ARM = "chunks_only_coverage@extractive"
BASELINE_ARM = f"chunks_only_cosine@{NEAREST}"
# The cheap baselines, and the same reader without evidence: the strongest is what an arm has to beat. Chance
# and the majority stand beside them.
BASELINES = (
    BASELINE_ARM,
    f"chunks_only_bm25@{NEAREST}",
    f"no_evidence@{OPTION_COSINE}",
    f"no_evidence@{LONGEST_OPTION}",
    "no_evidence@extractive",
)
# What every arm is compared with: baselines, the default, the whole system, text alone by the same reader.
COMPARED_WITH = (*BASELINES, DEFAULT_ARM, "full@extractive")
# What a first run makes: the default and what it is held against. The others wait until they are asked for.
FIRST_ARMS = (
    "chunks_only_coverage@extractive",
    "chunks_only_cosine@extractive",
    "chunks_only_bm25@extractive",
    "full@extractive",
    "triples_only@extractive",
    *BASELINES,
)
