"""UGAT-MedQA's arms: how far the graph is walked, which nodes count, which paths are read, by whom."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.evidence.arms import Arm, by_name
from evidence_assets.graphs.choices import HOP_COUNT, HUB_PENALTY
from evidence_assets.reading.weights import GENERAL, MEDMCQA_OPTIONS, MEDMCQA_PATHS

SYSTEM = "ugat_medqa"

GUIDED_WALK, PAGERANK, COSINE, NONE = "guided_walk", "pagerank", "cosine", "none"
# The two networks that the thesis trains for every question.
ATTENTION, CONVOLUTION = KINDS = "attention", "convolution"


@dataclass(frozen=True, slots=True)
class SubgraphExtent:
    """D hops around the question's concepts (thesis 6.4.2), at most `max_nodes`: the thesis has no cap."""

    name: str
    hops: int
    max_nodes: int


NEIGHBOURHOODS = {
    extent.name: extent
    for extent in (
        *(SubgraphExtent(f"hops{hops}", hops, 4_000) for hops in (1, 2, 3, 4)),
        # What a fresh network is trained on for every question: measured at this size.
        SubgraphExtent("hops3_nodes200", 3, 200),
    )
}


@dataclass(frozen=True, slots=True)
class Route:
    """Which nodes of a neighbourhood count, and which path from them to an option is the cheapest.

    `kept`: the best so many are evidence nodes; None where a threshold decides (algorithm 6.1, line 18), or
    nothing does.
    """

    name: str
    method: str
    description: str
    neighbourhood: str = "hops3"
    kept: int | None = 50
    cost: str = HUB_PENALTY

    @property
    def walks(self) -> bool:
        """Whether a walk scores the nodes: only a walk gives them lifts."""
        return self.method in (GUIDED_WALK, PAGERANK)


_TRAINED_ON = "hops3_nodes200"
ROUTES = {
    route.name: route
    for route in (
        Route("guided_walk", GUIDED_WALK, "a walk that the question guides, paths that avoid hubs"),
        *(
            Route(f"guided_walk_hops{hops}", GUIDED_WALK, f"the same, {hops} hops far", f"hops{hops}")
            for hops in (1, 2, 4)
        ),
        Route("guided_walk_hop_count", GUIDED_WALK, "the same, shortest paths", cost=HOP_COUNT),
        Route("pagerank", PAGERANK, "a walk that nobody guides"),
        Route("cosine", COSINE, "cosine of node and question, without the graph"),
        Route(
            "attention",
            ATTENTION,
            "attention trained anew for every question, its threshold, shortest paths: as printed",
            _TRAINED_ON,
            None,
            HOP_COUNT,
        ),
        Route(
            "convolution",
            CONVOLUTION,
            "the same with mean aggregation in place of attention",
            _TRAINED_ON,
            None,
            HOP_COUNT,
        ),
        Route("unfiltered", NONE, "every node of the subgraph, all alike", kept=None),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PathArm(Arm):
    """One experiment: a route, or none, and a reader.

    `abstains`: with paths to fewer than two options there is no answer, and a language model may find that
    its evidence is insufficient; else the question and its options are read.
    """

    route: str | None
    abstains: bool = True


_VARIANTS: tuple[tuple[str, str | None, str], ...] = (
    ("full", "guided_walk", "question-guided walk, three hops, paths that avoid hubs"),
    ("no_retrieval", None, "the question and its options alone (table 6.4, without knowledge retrieval)"),
    ("no_filtering", "unfiltered", "every node of the subgraph counts (table 6.4, without node filtering)"),
    ("no_attention", "convolution", "mean aggregation in place of attention (table 6.4, without attention)"),
    ("paper", "attention", "trained attention, its threshold, shortest paths: as printed"),
    ("hops1", "guided_walk_hops1", "one hop instead of three"),
    ("hops2", "guided_walk_hops2", "two hops instead of three"),
    ("hops4", "guided_walk_hops4", "four hops instead of three"),
    ("pagerank", "pagerank", "personalised PageRank in place of the guided walk"),
    ("cosine", "cosine", "cosine of node and question in place of the guided walk"),
    ("hop_count", "guided_walk_hop_count", "shortest paths in place of those that avoid hubs"),
)
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
    )
)
DEFAULT_ARM = "full@extractive"
# What every arm is compared with: no retrieval, the default, the default made to answer, fitted no retrieval.
COMPARED_WITH = (
    "no_retrieval@extractive",
    DEFAULT_ARM,
    "full_answering@extractive",
    "no_retrieval@extractive_medmcqa",
)
# What a first run makes: the default and what it is held against. The others wait until they are asked for.
FIRST_ARMS = (DEFAULT_ARM, "full_answering@extractive", "no_retrieval@extractive")
