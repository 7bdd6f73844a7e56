"""K-Bloom and BertNet on text nobody here wrote: a model made of it, twenty relations mined, arms compared.

Each arm is compared with BertNet under the same choice of prompts, relation by relation, at an equal number
of triples. Needs the data sets. The model is made from OpenBookQA's facts, WorldTree's rows and Wikipedia
passages; novelty and likeness are measured against ConceptNet's 100,000 triples. The lake is as `real_lake`
has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.real_lake import harvested, prepare, rows_of
from evidence_assets.extraction.arms import BASELINE, baseline_of

RELATIONS = (
    "AtLocation",
    "CapableOf",
    "Causes",
    "CausesDesire",
    "CreatedBy",
    "Desires",
    "HasA",
    "HasFirstSubevent",
    "HasLastSubevent",
    "HasPrerequisite",
    "HasProperty",
    "HasSubevent",
    "InstanceOf",
    "IsA",
    "LocatedNear",
    "MadeOf",
    "MotivatedByGoal",
    "PartOf",
    "ReceivesAction",
    "UsedFor",
)
DEPTHS = ("attested_at_50", "attested_at_100")
AT_EQUAL_NUMBER = ("attested", "similarity_accuracy", "similar_to_one", "diversity")
RESAMPLES = 10_000


def run() -> dict[str, Any]:
    """Make the model, harvest every relation; return every score and the paired differences."""
    prepare()
    seconds = harvested(RELATIONS)
    return {**collect(), "seconds_a_run": seconds}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the harvest."""
    tables = rows_of(
        {
            "model": "SELECT corpus, model_id, sentences, words, accuracy, perplexity FROM domain_masked_lm",
            "scores": "SELECT kg, relation, metric, value, low, high, n FROM harvest_scores ORDER BY ALL",
            "shapes": "SELECT h.kg, h.shape, count(*) AS triples, count(t.triple_id) AS attested "
            "FROM harvested_triples h LEFT JOIN triples t ON t.kg = 'conceptnet100k' "
            "AND t.relation = h.relation AND t.head = h.head AND t.tail = h.tail "
            "WHERE NOT list_contains(h.flags, 'seed') GROUP BY ALL ORDER BY ALL",
            "first": "SELECT kg, relation, head, tail, round(confidence, 2) AS confidence "
            "FROM harvested_triples "
            "WHERE kg IN ('kbloom', 'bertnet') AND NOT list_contains(flags, 'seed') "
            "QUALIFY row_number() OVER (PARTITION BY kg, relation ORDER BY rank) <= 5 ORDER BY ALL",
        }
    )
    return {**tables, "differences": differences(tables["scores"])}


def differences(scores: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each arm's mean difference to BertNet under the same prompts over the relations.

    With a bootstrap interval. `attested_at_*` are of the first so many of both, and BertNet simplified stands
    beside it; `equal_*` of as many as both have. Relations that one has too few triples of are left out.
    """
    value = {(row["kg"], row["relation"], row["metric"]): row["value"] for row in scores}
    relations = sorted({row["relation"] for row in scores} - {""})
    rows = []
    for arm in sorted({row["kg"] for row in scores}):
        baseline = baseline_of(arm)
        if baseline is None:
            continue
        simplified = baseline.replace(BASELINE, f"{BASELINE}_simplified")
        compared = [
            (theirs, metric, (arm, metric), (theirs, metric))
            for theirs in (baseline, simplified)
            for metric in DEPTHS
            if theirs != arm
        ]
        compared += [
            (baseline, f"equal_{metric}", (arm, f"equal_{metric}"), (arm, f"equal_baseline_{metric}"))
            for metric in AT_EQUAL_NUMBER
        ]
        for theirs, metric, (ours, name), (its, its_name) in compared:
            gaps = [
                value[ours, relation, name] - value[its, relation, its_name]
                for relation in relations
                if (ours, relation, name) in value and (its, relation, its_name) in value
            ]
            if gaps:
                means = np.random.default_rng(2026).choice(gaps, (RESAMPLES, len(gaps))).mean(axis=1)
                low, high = np.quantile(means, [0.025, 0.975]).tolist()
                row = {"arm": arm, "baseline": theirs, "metric": metric}
                row |= {"difference": float(np.mean(gaps)), "low": low, "high": high}
                rows.append({**row, "relations": len(gaps)})
    return rows
