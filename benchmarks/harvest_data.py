"""K-Bloom and BertNet on text nobody here wrote: a model made of it, twenty relations mined, arms compared.

Needs the data sets. The model is made from OpenBookQA's facts, WorldTree's rows and Wikipedia passages;
novelty and likeness are measured against ConceptNet's 100,000 triples. The lake is as `real_lake` has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.real_lake import harvested, prepare, rows_of

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
BASELINES = {"bertnet": "multi", "bertnet_initial": "initial"}
COMPARED = ("attested_at_50", "attested_at_100", "similarity_accuracy", "diversity", "novelty")
RESAMPLES = 10_000


def run() -> dict[str, Any]:
    """Make the model, harvest every relation; return every score and the paired differences.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    prepare()
    seconds = harvested(RELATIONS)
    return {**collect(), "seconds_a_run": seconds}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the harvest."""
    found = rows_of(
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
    return {**found, "differences": differences(found["scores"])}


def differences(scores: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each arm's mean difference to BertNet over the relations, with a bootstrap interval."""
    value = {(row["kg"], row["relation"], row["metric"]): row["value"] for row in scores}
    arms = sorted({row["kg"] for row in scores})
    found = []
    for arm in arms:
        for baseline in BASELINES:
            for metric in COMPARED:
                own = [
                    value[arm, relation, metric] - value[baseline, relation, metric]
                    for relation in RELATIONS
                    if (arm, relation, metric) in value and (baseline, relation, metric) in value
                ]
                if arm == baseline or not own:
                    continue
                random = np.random.default_rng(2026)
                means = random.choice(own, (RESAMPLES, len(own))).mean(axis=1)
                low, high = np.quantile(means, [0.025, 0.975])
                found.append(
                    {
                        "arm": arm,
                        "baseline": baseline,
                        "metric": metric,
                        "difference": float(np.mean(own)),
                        "low": float(low),
                        "high": float(high),
                        "relations": len(own),
                    }
                )
    return found
