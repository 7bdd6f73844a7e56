"""The harvest's arms: which prompts are used, how pairs are searched, ranked and cut."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidence_assets.extraction.as_printed.bertnet import contrastive_weights

COSINE, EUCLIDEAN = "cosine", "euclidean"
INITIAL, TOP, MULTI = "initial", "top1", "multi"
PAPER, SEEDS, CONTRAST = "paper", "seeds", "contrast"
FINAL, LIKELIHOOD, COMPATIBILITY = "final", "likelihood", "compatibility"


@dataclass(frozen=True, slots=True)
class Search:
    """A search for candidate pairs.

    `prompts`: the initial one, the best one, or all. `weighted_by`: their scores as the thesis has it, how
    likely they make the seeds, or BertNet's contrast, by which the best one may be the initial. `one_list`: a
    single list for all shapes. `bidirectional`: by the lesser of both conditionals; else in one order of
    filling. `most_of_word`: BertNet's own search, which keeps as many pairs of a word; else 0.
    """

    name: str
    prompts: str
    weighted_by: str = PAPER
    one_list: bool = False
    bidirectional: bool = False
    most_of_word: int = 0


@dataclass(frozen=True, slots=True)
class Arm:
    """A harvested graph: a search, and how its pairs are ranked and cut.

    `ranked_by`: the thesis's final score, the search's own, or BertNet's compatibility. `printed`: eq. 5.20
    as printed, which adds a distance where a similarity is meant, over IDFs as printed. `most_of_head`: how
    often an entity may be a head. `most_of_entity`: how often it may occur at all, as a head or as a tail; 0
    where the search sees to occurrences and its list is the graph.
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
        *(
            Search(f"bertnet_{prompts}", prompts, weighted_by=CONTRAST, one_list=True, most_of_word=5)
            for prompts in (MULTI, INITIAL, TOP)
        ),
        Search("one_list_multi", MULTI, weighted_by=SEEDS, one_list=True),
        Search("one_list_initial", INITIAL, one_list=True),
        Search("one_list_top1", TOP, one_list=True),
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
        Arm(BASELINE, "bertnet_multi", ranked_by=COMPATIBILITY, most_of_entity=0),
        Arm("bertnet_initial", "bertnet_initial", ranked_by=COMPATIBILITY, most_of_entity=0),
        Arm("bertnet_top1", "bertnet_top1", ranked_by=COMPATIBILITY, most_of_entity=0),
        Arm("bertnet_simplified", "one_list_multi", ranked_by=LIKELIHOOD),
        Arm("bertnet_simplified_initial", "one_list_initial", ranked_by=LIKELIHOOD),
        Arm("bertnet_simplified_top1", "one_list_top1", ranked_by=LIKELIHOOD),
    )
}


def searches_of(arms: Iterable[str]) -> list[Search]:
    """Return the searches that these arms read, each once."""
    return [SEARCHES[name] for name in dict.fromkeys(ARMS[arm].search for arm in arms)]


def baseline_of(arm: str) -> str | None:
    """Return BertNet's arm under the same choice of prompts; None for that arm itself."""
    prompts = SEARCHES[ARMS[arm].search].prompts
    baseline = BASELINE if prompts == MULTI else f"{BASELINE}_{prompts}"
    return None if arm == baseline else baseline


def prompts_for(
    search: Search, rows: Sequence[dict[str, object]], most: int
) -> tuple[list[str], list[float]]:
    """Return at most `most` of a search's prompts, with weights, from a relation's `relation_prompts`.

    They are taken in the order of their scores; BertNet's, in that of their contrasts, without those that
    weigh nothing. Where there is no paraphrase, the initial prompt is the best.
    """
    ranked = sorted(rows, key=lambda row: int(str(row["rank"])))
    if search.weighted_by == CONTRAST:
        ranked.sort(key=lambda row: -float(str(row["contrast"])))
    if search.prompts == INITIAL:
        chosen = [row for row in ranked if row["initial"]]
    elif search.prompts == TOP and search.weighted_by == CONTRAST:
        chosen = ranked[:1]
    elif search.prompts == TOP:
        chosen = [row for row in ranked if not row["initial"]][:1] or ranked[:1]
    else:
        chosen = ranked[:most]
    if search.weighted_by == CONTRAST:
        shares = contrastive_weights([float(str(row["contrast"])) for row in chosen]).tolist()
        weighed = [(row, share) for row, share in zip(chosen, shares, strict=True) if share > 0]
        chosen, weights = [row for row, _ in weighed], [share for _, share in weighed]
    elif search.weighted_by == PAPER:
        weights = [float(str(row["weight"])) for row in chosen]
    else:
        weights = [math.exp(float(str(row["seed_log_probability"]))) for row in chosen]
    return [str(row["prompt"]) for row in chosen], weights
