"""UGAT-MedQA's arms: how far the graph is walked, which nodes count, which paths are read, by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evidence_assets.evidence.arms import Arm, by_name, read_by_generators, scored_by_generators
from evidence_assets.graphs.choices import HOP_COUNT, HUB_PENALTY
from evidence_assets.reading.baselines import LONGEST_OPTION, NEAREST, OPTION_COSINE
from evidence_assets.reading.weights import GENERAL, MEDMCQA_OPTIONS, MEDMCQA_PATHS

SYSTEM = "ugat_medqa"

GUIDED_WALK, PAGERANK, COSINE, NONE = "guided_walk", "pagerank", "cosine", "none"
# The two networks that the thesis trains for every question.
ATTENTION, CONVOLUTION = KINDS = "attention", "convolution"
# The reader that takes the option of the greatest lift.
LIFT = "lift"


@dataclass(frozen=True, slots=True)
class SubgraphExtent:
    """D hops around the question's concepts (thesis 6.4.2), at most `max_nodes`; None: all, as printed."""

    name: str
    hops: int
    max_nodes: int | None

    @property
    def cap(self) -> str:
        """The cap in words."""
        return "no cap on nodes" if self.max_nodes is None else f"at most {self.max_nodes:,} nodes"


NEIGHBOURHOODS = {
    extent.name: extent
    for extent in (
        *(SubgraphExtent(f"hops{hops}", hops, 4_000) for hops in (1, 2, 3, 4)),
        SubgraphExtent("hops3_uncapped", 3, None),
        SubgraphExtent("hops3_nodes200", 3, 200),
    )
}


@dataclass(frozen=True, slots=True)
class Route:
    """Which nodes of a neighbourhood count, and which path from them to an option is the cheapest.

    `kept`: how many of the best nodes are evidence; None: every node. `threshold`: those above the trained
    networks' threshold are, however many (algorithm 6.1, line 18).
    """

    name: str
    method: str
    description: str
    neighbourhood: str = "hops3"
    kept: int | None = 50
    cost: str = HUB_PENALTY
    threshold: bool = False

    @property
    def walks(self) -> bool:
        """Whether a walk scores the nodes: only a walk gives them lifts."""
        return self.method in (GUIDED_WALK, PAGERANK)

    @property
    def extent(self) -> SubgraphExtent:
        """The neighbourhood by its name."""
        return NEIGHBOURHOODS[self.neighbourhood]


def _printed(name: str, method: str, description: str, **changed: Any) -> Route:
    """Return a route of the thesis but for what is changed: whole subgraph, threshold, shortest paths."""
    printed = Route(name, method, description, "hops3_uncapped", None, HOP_COUNT, threshold=True)
    return replace(printed, **changed)


_CAPPED = {"neighbourhood": "hops3_nodes200"}
ROUTES = {
    route.name: route
    for route in (
        Route("guided_walk", GUIDED_WALK, "a walk that the question guides, paths that avoid hubs"),
        *(
            Route(f"guided_walk_hops{hops}", GUIDED_WALK, f"the same, {hops} hops far", f"hops{hops}")
            for hops in (1, 2, 4)
        ),
        Route("guided_walk_uncapped", GUIDED_WALK, "the same, no cap on nodes", "hops3_uncapped"),
        Route("guided_walk_nodes200", GUIDED_WALK, "the same, at most 200 nodes", "hops3_nodes200"),
        Route("guided_walk_hop_count", GUIDED_WALK, "the same, shortest paths", cost=HOP_COUNT),
        Route("pagerank", PAGERANK, "a walk that nobody guides"),
        Route("cosine", COSINE, "cosine of node and question, without the graph"),
        _printed(
            "attention",
            ATTENTION,
            "attention trained anew for every question, its threshold, shortest paths, no cap: as printed",
        ),
        _printed("convolution", CONVOLUTION, "the same, the mean of neighbours in place of attention"),
        _printed(
            "unfiltered",
            NONE,
            "the same without a filter: every node of the subgraph, all alike",
            threshold=False,
        ),
        _printed("attention_nodes200", ATTENTION, "`attention` on at most 200 nodes, our cap", **_CAPPED),
        _printed("convolution_nodes200", CONVOLUTION, "`convolution` on at most 200 nodes", **_CAPPED),
        _printed(
            "unfiltered_nodes200", NONE, "`unfiltered` on at most 200 nodes", threshold=False, **_CAPPED
        ),
        _printed(
            "attention_hub_penalty",
            ATTENTION,
            "`attention_nodes200`, paths that avoid hubs",
            cost=HUB_PENALTY,
            **_CAPPED,
        ),
        _printed(
            "attention_best50",
            ATTENTION,
            "`attention_nodes200`, the best 50 nodes in place of those above the threshold",
            kept=50,
            threshold=False,
            **_CAPPED,
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PathArm(Arm):
    """One experiment: a route, or none, and a reader.

    `abstains`: with paths to fewer than two options there is no answer, and a language model may find that
    its evidence is insufficient; else the question and its options are read. `printed`: a language model
    reads it by the thesis's prompt, one request over all passages (6.4.6); else it argues for every option
    by itself.
    """

    route: str | None
    abstains: bool = True
    printed: bool = False


_CAP = "at most 200 nodes a question, a cap that the thesis has not"
_VARIANTS: tuple[tuple[str, str | None, str], ...] = (
    ("full", "guided_walk", "question-guided walk, three hops, paths that avoid hubs, at most 4,000 nodes"),
    # What the thesis prints, and what it leaves out of that (tables 6.4 and 6.5).
    ("paper", "attention", "trained attention, its threshold, shortest paths, no cap on nodes: as printed"),
    ("no_retrieval", None, "the question and its options alone (table 6.4, without knowledge retrieval)"),
    ("no_filtering", "unfiltered", "paper, but every node counts (table 6.4, without node filtering)"),
    ("no_attention", "convolution", "paper, but the mean of neighbours (table 6.4, without attention)"),
    ("paper_nodes200", "attention_nodes200", f"paper, but {_CAP}"),
    ("no_attention_nodes200", "convolution_nodes200", "paper_nodes200, but the mean of neighbours"),
    ("no_filtering_nodes200", "unfiltered_nodes200", "paper_nodes200, but every node counts"),
    ("paper_hub_penalty", "attention_hub_penalty", "paper_nodes200, but paths that avoid hubs"),
    ("paper_best50", "attention_best50", "paper_nodes200, but the best fifty nodes, no threshold"),
    # The default with a single thing changed.
    ("hops1", "guided_walk_hops1", "full, but one hop instead of three"),
    ("hops2", "guided_walk_hops2", "full, but two hops instead of three"),
    ("hops4", "guided_walk_hops4", "full, but four hops instead of three"),
    ("uncapped", "guided_walk_uncapped", "full, but no cap on nodes"),
    ("nodes200", "guided_walk_nodes200", "full, but at most 200 nodes"),
    ("pagerank", "pagerank", "full, but personalised PageRank in place of the guided walk"),
    ("cosine", "cosine", "full, but cosine of node and question in place of the guided walk: no lift"),
    ("hop_count", "guided_walk_hop_count", "full, but shortest paths in place of those that avoid hubs"),
)
# What a language model is asked by the printed prompt: the thesis's system, its ablations, and changes to it.
_PRINTED = {name for name, *_ in _VARIANTS if name.startswith(("paper", "no_"))}
_FITTED = "weights fitted on MedMCQA's development questions"
ARMS = by_name(
    (
        *(
            PathArm(
                name=f"{name}@extractive",
                route=route,
                weights=GENERAL,
                description=description,
                abstains=route is not None,
                printed=name in _PRINTED,
            )
            for name, route, description in _VARIANTS
        ),
        PathArm(
            name="full_answering@extractive",
            route="guided_walk",
            weights=GENERAL,
            description="the same as full, but it answers without paths too, from the question and its "
            "options",
            abstains=False,
        ),
        PathArm(
            name="full@extractive_medmcqa",
            route="guided_walk",
            weights=MEDMCQA_PATHS,
            description=f"the same as full, read with {_FITTED}",
        ),
        PathArm(
            name="full_answering@extractive_medmcqa",
            route="guided_walk",
            weights=MEDMCQA_PATHS,
            description=f"the same as full_answering, read with {_FITTED}",
            abstains=False,
        ),
        PathArm(
            name="no_retrieval@extractive_medmcqa",
            route=None,
            weights=MEDMCQA_OPTIONS,
            description=f"the question and its options alone, {_FITTED}",
            abstains=False,
        ),
        PathArm(
            name=f"no_evidence@{OPTION_COSINE}",
            route=None,
            description="no evidence: the option nearest to the question",
            abstains=False,
        ),
        PathArm(
            name=f"no_evidence@{LONGEST_OPTION}",
            route=None,
            description="no evidence: the option of most characters",
            abstains=False,
        ),
        PathArm(
            name=f"pagerank@{LIFT}",
            route="pagerank",
            description="the option that personalised PageRank raises most, without paths or the reader",
            abstains=False,
        ),
        PathArm(
            name=f"shortest_path@{NEAREST}",
            route="pagerank",
            description="the option fewest hops from what the question names, without paths or the reader",
            abstains=False,
        ),
    )
)
DEFAULT_ARM = "full@extractive"
# Variants whose options the likelihood reader scores: paths needed, paths where there are any, and none.
_LIKELIHOOD = ("full", "full_answering", "no_retrieval")


def arms_with(generators: Iterable[str]) -> Mapping[str, PathArm]:
    """Return the arms, and those that generators of these names answer.

    `full_one_request` is for language models alone: the default's paths, read by the printed prompt.
    """
    generators = tuple(generators)
    one_request = [
        replace(
            ARMS[DEFAULT_ARM],
            name=f"full_one_request@{generator}",
            weights="",
            prompted=True,
            printed=True,
            description="full, but one request over all passages in place of an argument for every option",
        )
        for generator in generators
    ]
    return {
        **read_by_generators(ARMS, generators, GENERAL),
        **by_name(one_request),
        **scored_by_generators(ARMS, _LIKELIHOOD, generators),
    }


# Cheap readers that the others are to be better than; then question and option alone, by general and by
# fitted weights.
BASELINES = (
    f"no_evidence@{OPTION_COSINE}",
    f"no_evidence@{LONGEST_OPTION}",
    f"pagerank@{LIFT}",
    f"shortest_path@{NEAREST}",
    "no_retrieval@extractive",
    "no_retrieval@extractive_medmcqa",
)
# What every arm is compared with: baselines, the default, the default made to answer, and with vectors, or
# with shortest paths, in place of the guided walk's.
COMPARED_WITH = (
    *BASELINES,
    DEFAULT_ARM,
    "full_answering@extractive",
    "cosine@extractive",
    "hop_count@extractive",
)
# What a first run makes: the default and what it is held against. The others wait until they are asked for.
FIRST_ARMS = (
    DEFAULT_ARM,
    "full_answering@extractive",
    "no_retrieval@extractive",
    f"no_evidence@{OPTION_COSINE}",
    f"no_evidence@{LONGEST_OPTION}",
)
