"""4StepFocus's arms: how constants are matched, whether edges are typed, what orders the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evidence_assets.evidence.arms import Arm as BaseArm
from evidence_assets.evidence.arms import by_name
from evidence_assets.kgqa.serialization import EXTRACTIVE

SYSTEM = "four_step_focus"
NEAREST = "nearest"
# Step 3: with fewer candidates than this, the nearest other documents follow (section 3.3 of the paper).
MOST_ANSWERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(BaseArm):
    """One experiment: a parser's triplets, how they are solved, and how what they leave is ordered.

    `parser`: whose `question_queries` are read; empty for vector search alone. `strict_edges`: a condition's
    relation and direction are enforced; the paper ignores both. `vector_constants`: a name stands for the
    nodes nearest in meaning, not for those that bear it. `readings`: of a question, the likeliest so many are
    solved, and the answers of a likelier one stand first. `reranks`: the answers of one reading are ordered
    by what backs them; `reranks_all`, also across readings. `by_words`: documents are ordered by BM25.
    """

    parser: str = EXTRACTIVE
    strict_edges: bool = True
    vector_constants: bool = False
    readings: int = 3
    reranks: bool = True
    reranks_all: bool = False
    by_words: bool = False


_FULL = Arm(
    name=f"full@{EXTRACTIVE}",
    description="conditions with typed edges, three readings, reranked by what backs them",
)
ARMS: Mapping[str, Arm] = by_name(
    (
        _FULL,
        replace(
            _FULL,
            name=f"paper@{EXTRACTIVE}",
            description="one reading, edge types ignored, reranked freely, as printed",
            strict_edges=False,
            readings=1,
            reranks_all=True,
        ),
        replace(
            _FULL,
            name=f"loose_edges@{EXTRACTIVE}",
            description="the default, relation and direction of edges ignored",
            strict_edges=False,
        ),
        replace(_FULL, name=f"one_reading@{EXTRACTIVE}", description="the default, one reading", readings=1),
        replace(
            _FULL,
            name=f"no_rerank@{EXTRACTIVE}",
            description="answers in the order of their documents' nearness",
            reranks=False,
        ),
        replace(
            _FULL,
            name=f"vector_constants@{EXTRACTIVE}",
            description="names are matched to nodes by meaning alone",
            vector_constants=True,
        ),
        Arm(
            name=f"no_triplets@{NEAREST}",
            description="vector search over the nodes' documents (VSS)",
            parser="",
            reranks=False,
        ),
        Arm(
            name=f"no_triplets@{NEAREST}_words",
            description="BM25 over the nodes' documents",
            parser="",
            reranks=False,
            by_words=True,
        ),
    )
)
FIRST_ARMS = (f"full@{EXTRACTIVE}", f"no_triplets@{NEAREST}")
DEFAULT_ARM = f"full@{EXTRACTIVE}"
COMPARED_WITH = (f"no_triplets@{NEAREST}", f"no_rerank@{EXTRACTIVE}")
# The paper's ablations (table 1), each asked of a language model too.
_PROMPTED = ("full", "paper", "no_rerank", "vector_constants")


def arms(generators: Iterable[str] = ()) -> Mapping[str, Arm]:
    """Return the arms, and the paper's once more for every generator: it writes triplets and reranks."""
    # A model gives one reading.
    prompted = (
        replace(
            ARMS[f"{variant}@{EXTRACTIVE}"],
            name=f"{variant}@{generator}",
            parser=generator,
            readings=1,
            prompted=True,
        )
        for generator in generators
        for variant in _PROMPTED
    )
    return {**ARMS, **by_name(prompted)}
