"""Attention2Query's arms: how facts are found, who rates them, how options are weighed, who reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from evidence_assets.evidence.arms import Arm as BaseArm
from evidence_assets.evidence.arms import by_name, read_by_generators, scored_by_generators
from evidence_assets.graphs.choices import HOP_COUNT, HUB_PENALTY
from evidence_assets.kgqa.answers.baselines import BASELINES
from evidence_assets.reading.baselines import LONGEST_OPTION, NEAREST, OPTION_COSINE
from evidence_assets.reading.weights import GENERAL

SYSTEM = "attention2query"
COSINE, MULTI_HEAD = "cosine", "multi_head"
NO_CLASSIFIER, VANILLA, TUNED = "none", "vanilla", "tuned"
# What a benchmark's questions offer: options, or none.
OPTIONS, OPEN = "options", "open"


@dataclass(frozen=True, slots=True)
class Reach:
    """How a neighbourhood grows.

    `penalty` is lambda, what a hop costs; `hops` is theta, how far nodes may be; `expanded` nodes are
    expanded after the token's own; `kept` how many nodes stay.
    """

    penalty: float = 0.05
    hops: int = 3
    expanded: int = 6
    kept: int = 150


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One way to find a question's facts.

    Args:
        classifier: What rates facts: nothing, the pretrained model, or the tuned one.
        attention: `cosine`, or the `multi_head` passes as printed.
        reach: Lambda, theta and how many nodes are expanded (algorithm 2).
        nodes: n, the nodes of a subgraph (algorithm 3).
        facts: K, the facts kept of a question and of each option.
        bridge: How the ways between components are measured; empty: they stay apart (algorithm 4).
        by_token: Neighbours are held against the token that they surround; else against the whole question.
        least: A bridge whose relevance, from 1 to 10, is below it is pruned.
        attention_share: What attention counts for in a fact's score beside relevance, of 1: both are on its
            scale of 1 to 10.
        graph_share: What graph vectors count for beside text vectors, of 1.
        taxonomy: Nodes read with their definitions.
        option_subgraph: Options have neighbourhoods of their own (4.5).
        own_triples: An option's facts are the triples at its concepts, by text alone; else those of its
            neighbourhood and the question's in one subgraph, as printed.
        whole_paths: A question without options is answered by whole paths from what it is about, names masked
            on both sides; else by single triples.
        of: The questions on which it differs from the default: those with options, the open ones, or both.
    """

    name: str
    description: str
    classifier: str = VANILLA
    attention: str = COSINE
    reach: Reach = field(default_factory=Reach)
    nodes: int = 100
    facts: int = 50
    by_token: bool = False
    bridge: str = HUB_PENALTY
    least: float = 2.0
    attention_share: float = 0.1
    graph_share: float = 0.25
    taxonomy: bool = True
    option_subgraph: bool = True
    own_triples: bool = True
    whole_paths: bool = True
    of: tuple[str, ...] = (OPTIONS, OPEN)


_FULL = Retrieval("full", "cosines, a small distance penalty, the pretrained classifier")
# Lambda is .1 to .3 and theta 3 in the paper (5.4.1); it states no n and no K.
_PAPER = replace(
    _FULL,
    name="paper",
    description="multi-head attention with untrained projections, lambda .2, shortest bridges: as printed",
    attention=MULTI_HEAD,
    reach=Reach(penalty=0.2),
    by_token=True,
    bridge=HOP_COUNT,
    own_triples=False,
    whole_paths=False,
)
# The paper's own system fine-tunes its classifier; `paper` is what it calls vanilla. Its ablations, table 7.
_PAPER_TUNED = replace(
    _PAPER,
    name="paper_tuned",
    description="as printed, with a classifier tuned on other questions",
    classifier=TUNED,
)
_PRINTED = (
    _PAPER,
    _PAPER_TUNED,
    replace(
        _PAPER,
        name="paper_no_classifier",
        description="as printed, attention alone ranks facts",
        classifier=NO_CLASSIFIER,
    ),
    replace(
        _PAPER_TUNED,
        name="paper_no_taxonomy",
        description="as printed, nodes without their definitions",
        taxonomy=False,
    ),
    replace(
        _PAPER_TUNED,
        name="paper_no_path_generation",
        description="as printed, components stay apart",
        bridge="",
    ),
    replace(
        _PAPER_TUNED,
        name="paper_no_mcq_subgraph",
        description="as printed, options have no facts of their own",
        option_subgraph=False,
        of=(OPTIONS,),
    ),
    replace(
        _PAPER_TUNED,
        name="paper_graph_only",
        description="as printed, nodes by graph vectors alone",
        graph_share=1.0,
    ),
)
RETRIEVALS = {
    retrieval.name: retrieval
    for retrieval in (
        _FULL,
        *_PRINTED,
        replace(
            _FULL,
            name="vanilla",
            description="every fact one triple, rated by the pretrained classifier; of open questions",
            whole_paths=False,
            of=(OPEN,),
        ),
        replace(_FULL, name="tuned", description="rated by the tuned classifier", classifier=TUNED),
        replace(
            _FULL, name="no_classifier", description="attention alone ranks facts", classifier=NO_CLASSIFIER
        ),
        # Whole paths read no definition, and do not fall apart.
        replace(
            _FULL,
            name="no_taxonomy",
            description="nodes without their definitions; of questions with options",
            taxonomy=False,
            of=(OPTIONS,),
        ),
        replace(
            _FULL,
            name="no_path_generation",
            description="components stay apart, which what is retrieved tells; of questions with options",
            bridge="",
            of=(OPTIONS,),
        ),
        replace(
            _FULL,
            name="no_mcq_subgraph",
            description="options have no facts of their own; of questions with options",
            option_subgraph=False,
            of=(OPTIONS,),
        ),
        replace(
            _FULL,
            name="graph_only",
            description="no text: nodes by graph vectors, nobody rates facts, options by the graph alone",
            classifier=NO_CLASSIFIER,
            graph_share=1.0,
            own_triples=False,
            whole_paths=False,
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(BaseArm):
    """One experiment: a retrieval and a reader, or a baseline, without a retrieval but for the nearest fact.

    `retrieval`: the facts it reads. `text`: options are weighed by their similarity to the question too.
    `baseline`: of `kgqa.answers.baselines` for open questions, of `reading.baselines` for options. `of`: the
    kinds of questions that it is offered for.
    """

    retrieval: str
    text: bool = True
    baseline: str = ""
    of: tuple[str, ...] = (OPTIONS, OPEN)


# What an option is worth without any evidence; 40.3 on CommonsenseQA's development questions by the cosine.
OPTION_BASELINES = {
    f"no_evidence@{OPTION_COSINE}": "no evidence: the option nearest to the question",
    f"no_evidence@{LONGEST_OPTION}": "no evidence: the option of most characters",
}
# The option at whose concepts the fact nearest to the question stands.
NEAREST_FACT = f"no_classifier@{NEAREST}"
ARMS = by_name(
    (
        *(
            Arm(
                name=f"{way.name}@extractive",
                description=way.description,
                weights=GENERAL,
                retrieval=way.name,
                text=way.name != "graph_only" and way not in _PRINTED,
                of=way.of,
            )
            for way in RETRIEVALS.values()
        ),
        *(
            Arm(name=name, description=description, retrieval="", baseline=name, of=(OPTIONS,))
            for name, description in OPTION_BASELINES.items()
        ),
        Arm(
            name=NEAREST_FACT,
            description="baseline: the option with the fact nearest to the question, by vectors alone",
            retrieval="no_classifier",
            baseline=NEAREST,
            of=(OPTIONS,),
        ),
        *(
            Arm(
                name=baseline.name,
                description=baseline.description,
                retrieval="",
                baseline=baseline.name,
                of=(OPEN,),
            )
            for baseline in BASELINES.values()
        ),
    )
)
DEFAULT_ARM = "full@extractive"
PAPER_ARM = "paper@extractive"
# Of questions with options, and of those without.
BASELINE_ARMS = (*OPTION_BASELINES, NEAREST_FACT, *BASELINES)
COMPARED_WITH = (DEFAULT_ARM, PAPER_ARM, *BASELINE_ARMS)
FIRST_ARMS = (DEFAULT_ARM, PAPER_ARM, "no_classifier@extractive", *OPTION_BASELINES)


# Variants whose options, or answers, the likelihood reader scores.
_LIKELIHOOD = ("full",)


def arms(generators: Iterable[str] = ()) -> Mapping[str, Arm]:
    """Return the arms, and each once more for every generator."""
    named = tuple(generators)
    return {**read_by_generators(ARMS, named, GENERAL), **scored_by_generators(ARMS, _LIKELIHOOD, named)}
