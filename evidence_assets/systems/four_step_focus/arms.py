"""4StepFocus's arms: how constants are matched, whether edges are typed, what orders the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evidence_assets.evidence.arms import Arm as BaseArm
from evidence_assets.evidence.arms import by_name, scored_by_generators
from evidence_assets.kgqa.answers.baselines import BM25, DENSE, HOPS, NEAREST, PARTS
from evidence_assets.kgqa.queries.serialization import EXTRACTIVE, PROPOSED

SYSTEM = "four_step_focus"
# Step 3: with fewer candidates than this, the nearest other documents follow (section 3.3 of the paper).
MOST_ANSWERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(BaseArm):
    """One experiment: a parser's triplets, how they are solved, and how what they leave is ordered.

    `parser`: whose `question_queries` are read; empty for search alone. `strict_edges`: a condition's
    relation and direction are enforced; the paper ignores both. `vector_constants`: a name stands for the
    nodes nearest in meaning, not for those that bear it. `readings`: of a question, the likeliest so many are
    solved, and the answers of a likelier one stand first. `reranks`: the answers of one reading are ordered
    by what backs them; `reranks_all`, what no reading supports too, behind those. `search`: what finds and
    orders documents. `keeps_topics`: search may find what the question names, too, which is nearest to it.
    """

    parser: str = EXTRACTIVE
    strict_edges: bool = True
    vector_constants: bool = False
    readings: int = 3
    reranks: bool = True
    reranks_all: bool = False
    search: str = DENSE
    keeps_topics: bool = False


_FULL = Arm(
    name=f"full@{EXTRACTIVE}",
    description="conditions with typed edges, three readings, reranked by what backs them",
)
_SEARCH = Arm(
    name=f"no_triplets@{NEAREST}",
    description="vector search over the nodes' documents, without what the question names",
    parser="",
    reranks=False,
)
ARMS: Mapping[str, Arm] = by_name(
    (
        _FULL,
        replace(
            _FULL,
            name=f"paper@{EXTRACTIVE}",
            description="one reading, edge types ignored, what is not supported reranked too, last",
            strict_edges=False,
            readings=1,
            reranks_all=True,
            keeps_topics=True,
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
        _SEARCH,
        replace(
            _SEARCH,
            name=f"no_triplets@{NEAREST}_words",
            description="BM25 over the nodes' documents, without what the question names",
            search=BM25,
        ),
        replace(
            _SEARCH,
            name=f"no_triplets@{NEAREST}_parts",
            description="vector search over the parts of documents, text and triples apart",
            search=PARTS,
        ),
        replace(
            _SEARCH,
            name=f"no_triplets@{EXTRACTIVE}",
            description="vector search over the nodes' documents, reranked",
            reranks=True,
            reranks_all=True,
        ),
        replace(
            _SEARCH,
            name=f"shortest_path@{NEAREST}",
            description="the nodes fewest hops from what the question names, then by their documents",
            search=HOPS,
        ),
        replace(
            _SEARCH,
            name=f"vss@{NEAREST}",
            description="vector search over the nodes' documents, as STaRK prints it: the topics too",
            keeps_topics=True,
        ),
        replace(
            _SEARCH,
            name=f"multi_vss@{NEAREST}",
            description="vectors of text and triples apart, as STaRK prints it: the topics too",
            search=PARTS,
            keeps_topics=True,
        ),
        replace(
            _SEARCH,
            name=f"vss_reranker@{EXTRACTIVE}",
            description="vector search as STaRK prints it, then reranked",
            reranks=True,
            reranks_all=True,
            keeps_topics=True,
        ),
    )
)
FIRST_ARMS = (f"full@{EXTRACTIVE}", f"no_triplets@{NEAREST}")
DEFAULT_ARM = f"full@{EXTRACTIVE}"
# The cheap ones of what every arm is compared with.
BASELINES = (
    f"no_triplets@{NEAREST}",
    f"no_triplets@{NEAREST}_words",
    f"no_triplets@{NEAREST}_parts",
    f"shortest_path@{NEAREST}",
)
COMPARED_WITH = (*BASELINES, f"no_rerank@{EXTRACTIVE}")
# The paper's method and its ablations (table 1), each asked of a language model too; those with triplets have
# it write them.
_PROMPTED = ("full", "paper", "no_rerank", "vector_constants", "vss_reranker")
# Variants whose answers the likelihood reader reranks: conditions by the extractive parser, and search alone.
_LIKELIHOOD = ("full", "vss_reranker")


def arms(generators: Iterable[str] = ()) -> Mapping[str, Arm]:
    """Return the arms, and the paper's once more for every generator: it writes triplets and reranks."""
    generator_names = tuple(generators)
    # A model gives one reading.
    prompted = (
        replace(
            ARMS[f"{variant}@{EXTRACTIVE}"],
            name=f"{variant}@{generator}",
            parser=generator if ARMS[f"{variant}@{EXTRACTIVE}"].parser else "",
            readings=1,
            prompted=True,
        )
        for generator in generator_names
        for variant in _PROMPTED
    )
    proposed = (
        replace(
            _FULL,
            name=f"{PROPOSED}@{generator}",
            description="a language model proposes queries, which are run; the one that accounts for most",
            parser=f"{PROPOSED}@{generator}",
            readings=1,
            reranks=False,
            prompted=True,
        )
        for generator in generator_names
    )
    return {
        **ARMS,
        **by_name((*prompted, *proposed)),
        **scored_by_generators(ARMS, _LIKELIHOOD, generator_names),
    }
