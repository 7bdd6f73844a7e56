"""The harvest's arms: which prompts are used, how pairs are searched, ranked and cut."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

COSINE, EUCLIDEAN = "cosine", "euclidean"
INITIAL, TOP, MULTI = "initial", "top1", "multi"
PAPER, SEEDS = "paper", "seeds"
FINAL, LIKELIHOOD = "final", "likelihood"


@dataclass(frozen=True, slots=True)
class Search:
    """A search for candidate pairs.

    `prompts`: the initial one, the best paraphrase, or all. `weighted_by`: their scores as the thesis has it,
    or BertNet's, how likely they make the seeds. `one_list`: BertNet's single list for all shapes.
    `bidirectional`: by the lesser of both conditionals; else in one order of filling.
    """

    name: str
    prompts: str
    weighted_by: str = PAPER
    one_list: bool = False
    bidirectional: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """A harvested graph: a search, and how its pairs are ranked and cut.

    `ranked_by`: the thesis's final score, or the search's own. `printed`: eq. 5.20 as printed, which adds a
    distance where a similarity is meant, over IDFs as printed. `most_of_head`: how often an entity may be a
    head. `most_of_entity`: how often it may occur at all, as a head or as a tail.
    """

    name: str
    search: str
    ranked_by: str = FINAL
    cost: str = COSINE
    printed: bool = False
    most_of_head: int = 10
    most_of_entity: int = 10


SEARCHES = {
    search.name: search
    for search in (
        Search("multi", MULTI, bidirectional=True),
        Search("initial", INITIAL, bidirectional=True),
        Search("top1", TOP, bidirectional=True),
        Search("multi_one_way", MULTI),
        Search("initial_one_way", INITIAL),
        Search("top1_one_way", TOP),
        Search("bertnet_multi", MULTI, weighted_by=SEEDS, one_list=True),
        Search("bertnet_initial", INITIAL, one_list=True),
        Search("bertnet_top1", TOP, one_list=True),
    )
}
DEFAULT, BASELINE = "kbloom", "bertnet"
ARMS = {
    arm.name: arm
    for arm in (
        Arm(DEFAULT, "multi", most_of_head=3),
        Arm("kbloom_initial", "initial", most_of_head=3),
        Arm("kbloom_top1", "top1", most_of_head=3),
        Arm("kbloom_one_way", "multi_one_way", most_of_head=3),
        Arm("kbloom_likelihood", "multi", ranked_by=LIKELIHOOD, most_of_head=3),
        Arm("kbloom_euclidean", "multi", cost=EUCLIDEAN, most_of_head=3),
        Arm("kbloom_paper", "multi_one_way", printed=True),
        Arm("kbloom_paper_initial", "initial_one_way", printed=True),
        Arm("kbloom_paper_top1", "top1_one_way", printed=True),
        Arm("kbloom_paper_euclidean", "multi_one_way", cost=EUCLIDEAN, printed=True),
        Arm("kbloom_paper_initial_euclidean", "initial_one_way", cost=EUCLIDEAN, printed=True),
        Arm(BASELINE, "bertnet_multi", ranked_by=LIKELIHOOD),
        Arm("bertnet_initial", "bertnet_initial", ranked_by=LIKELIHOOD),
        Arm("bertnet_top1", "bertnet_top1", ranked_by=LIKELIHOOD),
    )
}


def searches_of(arms: Iterable[str]) -> list[Search]:
    """Return the searches that these arms read, each once."""
    return [SEARCHES[name] for name in dict.fromkeys(ARMS[arm].search for arm in arms)]


def prompts_for(
    search: Search, rows: Sequence[dict[str, object]], most: int
) -> tuple[list[str], list[float]]:
    """Return at most `most` of a search's prompts, with weights, from a relation's `relation_prompts`.

    They are taken in the order of their scores. Where there is no paraphrase, the initial prompt is the best.
    """
    ranked = sorted(rows, key=lambda row: int(str(row["rank"])))
    if search.prompts == INITIAL:
        chosen = [row for row in ranked if row["initial"]]
    elif search.prompts == TOP:
        chosen = [row for row in ranked if not row["initial"]][:1] or ranked[:1]
    else:
        chosen = ranked[:most]
    if search.weighted_by == PAPER:
        weights = [float(str(row["weight"])) for row in chosen]
    else:
        weights = [math.exp(float(str(row["seed_log_probability"]))) for row in chosen]
    return [str(row["prompt"]) for row in chosen], weights
