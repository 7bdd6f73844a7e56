"""KAPING's arms: which facts a question is given, how far they lie, and who answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evidence_assets.evidence.arms import Arm as BaseArm
from evidence_assets.evidence.arms import by_name, scored_by_generators
from evidence_assets.kgqa.answers.baselines import BASELINES

SYSTEM = "kaping"
EXTRACTIVE, CLOZE = "extractive", "cloze"
# As printed: KAPING, what the capstone adds to it, and what it adds alone.
KAPING, CAPSTONE, CAPSTONE_BACKGROUND = "kaping", "capstone", "capstone_background"
# Facts that a question is given (KAPING's K).
TOP = 10


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How a question's facts are found.

    `hops`: how far the graph is walked; 0: not at all. `singly`: single triples are compared with the
    question, as printed; else whole walks. `background`: whose generated triples are fused with them; empty:
    none. `adaptive`: hops and background only where what is near does not suffice. `named`: question and
    triples are compared with every name in them, `(subject, relation, object)`, as printed; else with types
    in place of the topics.
    """

    name: str
    description: str
    hops: int = 1
    singly: bool = False
    background: str = ""
    adaptive: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(BaseArm):
    """One experiment: a retrieval, or none, and the generator that answers.

    A masked language model (`@cloze`) answers with its likeliest fill: the no-graph answer without an LLM. A
    `baseline` (of `kgqa.answers.baselines`) has no retrieval.
    """

    retrieval: str
    baseline: str = ""


EXTERNAL: Mapping[str, Retrieval] = {
    retrieval.name: retrieval
    for retrieval in (
        Retrieval(KAPING, "single triples at the topics, names and all: as printed", 1, True, named=True),
        Retrieval("external_1hop", "single triples at the topics, these masked by type", 1, singly=True),
        Retrieval("external_2hop", "whole walks of up to two triples from the topics", 2),
        Retrieval("external_3hop", "whole walks of up to three triples from the topics", 3),
        Retrieval("triples_2hop", "single triples of two hops: the paper's way, further out", 2, singly=True),
        Retrieval("adaptive", "two hops only where one does not suffice", 2, adaptive=True),
    )
}


def with_background(background: str) -> Mapping[str, Retrieval]:
    """Return the retrievals that use what one model states."""
    external = {name: replace(retrieval, background=background) for name, retrieval in EXTERNAL.items()}
    variants = (
        replace(external["external_1hop"], name="background", description="what the model states", hops=0),
        replace(
            external[KAPING],
            name=CAPSTONE,
            description="KAPING's triples and what the model states, names and all: as printed",
        ),
        replace(
            external[KAPING],
            name=CAPSTONE_BACKGROUND,
            description="what the model states, compared names and all: as printed",
            hops=0,
        ),
        *(
            replace(
                external[f"external_{hops}hop"],
                name=f"full_{hops}hop",
                description=f"{external[f'external_{hops}hop'].description}, and what the model states",
            )
            for hops in (1, 2, 3)
        ),
        replace(
            external["adaptive"],
            name="full_adaptive",
            description="two hops, and what the model states, only where one hop does not suffice",
        ),
    )
    return {
        retrieval.name: retrieval
        for retrieval in (replace(retrieval, name=f"{retrieval.name}@{background}") for retrieval in variants)
    }


def backgrounds(generators: Iterable[str]) -> tuple[str, ...]:
    """Return the models that state background knowledge: a masked language model, and every generator."""
    return (CLOZE, *generators)


def retrievals(generators: Iterable[str] = ()) -> Mapping[str, Retrieval]:
    """Return every retrieval by name; those with background end in the name of the model that states it."""
    by_retrieval = dict(EXTERNAL)
    for background in backgrounds(generators):
        by_retrieval |= with_background(background)
    return by_retrieval


_EXTRACTIVE = (
    (KAPING, KAPING, "KAPING's triples as printed"),
    ("external_only", "external_1hop", "one hop, the topics masked"),
    ("external_2hop", "external_2hop", "two hops"),
    ("external_3hop", "external_3hop", "three hops"),
    ("adaptive", "adaptive", "one hop, two where one does not suffice"),
    ("full", f"full_1hop@{CLOZE}", "one hop, and what a masked language model states"),
    ("full_2hop", f"full_2hop@{CLOZE}", "two hops, and what a masked language model states"),
)
ARMS: Mapping[str, Arm] = by_name(
    (
        *(
            Arm(
                name=f"{name}@{EXTRACTIVE}",
                retrieval=retrieval,
                description=f"{description}; entities where the likeliest walk ends",
            )
            for name, retrieval, description in _EXTRACTIVE
        ),
        Arm(
            name=f"background_only@{CLOZE}",
            retrieval=f"background@{CLOZE}",
            description="the masked language model's own answer, without the graph",
        ),
        *(
            Arm(name=baseline.name, retrieval="", baseline=baseline.name, description=baseline.description)
            for baseline in BASELINES.values()
        ),
    )
)
DEFAULT_ARM = f"external_2hop@{EXTRACTIVE}"
FIRST_ARMS = (DEFAULT_ARM,)
COMPARED_WITH = (f"{KAPING}@{EXTRACTIVE}", f"external_only@{EXTRACTIVE}", DEFAULT_ARM, *BASELINES)


# What a generator reads, {} its name: the paper's and ours.
_PROMPTED = (
    ("no_knowledge", "", "the question alone"),
    (KAPING, KAPING, "KAPING as printed: the nearest triples of one hop"),
    (CAPSTONE_BACKGROUND, f"{CAPSTONE_BACKGROUND}@{{}}", "the model's own triples, as printed"),
    (CAPSTONE, f"{CAPSTONE}@{{}}", "the capstone as printed: KAPING's triples and the model's own"),
    ("external_only", "external_1hop", "triples of one hop, the topics masked"),
    ("external_2hop", "external_2hop", "walks of up to two hops"),
    ("external_3hop", "external_3hop", "walks of up to three hops"),
    ("background_only", "background@{}", "the model's own triples"),
    ("full", "full_1hop@{}", "triples of one hop and the model's own, the topics masked"),
    ("full_2hop", "full_2hop@{}", "walks of up to two hops and the model's own triples"),
    ("full_3hop", "full_3hop@{}", "walks of up to three hops and the model's own triples"),
    ("adaptive", "full_adaptive@{}", "further hops and own triples only where one hop fails"),
)


# Variants whose facts' relations and ends the likelihood reader scores.
_LIKELIHOOD = ("external_only", "external_2hop")


def arms(generators: Iterable[str] = ()) -> Mapping[str, Arm]:
    """Return the arms, and the paper's and ours once more for every generator: it states, and answers."""
    generator_names = tuple(generators)
    prompted = (
        Arm(
            name=f"{name}@{generator}",
            retrieval=retrieval.format(generator),
            description=f"a language model, shown: {description}",
            prompted=True,
        )
        for generator in generator_names
        for name, retrieval, description in _PROMPTED
    )
    return {**ARMS, **by_name(prompted), **scored_by_generators(ARMS, _LIKELIHOOD, generator_names)}
