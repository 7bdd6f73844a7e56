"""Words of claims that bind to a column's word by meaning alone: what each threshold would change.

    python -m benchmarks table_meanings

On development claims alone: TabFact's development halves and the authored claims of development domains.
Words that no cell and no column has are read as the column's word that the encoder finds nearest, from a
cosine on; a program's confidence stays that of one that leaves them over. Needs the data sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from benchmarks.authored import table_claims
from benchmarks.real_texts import cached_encoder, real_data
from benchmarks.tables.fit_table_ranking import claim_weights
from benchmarks.tables.table_sets import (
    DEVELOPMENT_DOMAINS,
    Claims,
    authored,
    fold_of,
    in_development,
    tabfact,
)
from benchmarks.tables.table_verification import SURE, interval_over_tables
from evidence_assets.tables.programs.verdicts.meanings import (
    LEAST_SIMILARITY,
    NO_MEANINGS,
    Meanings,
    meanings_of,
)
from evidence_assets.tables.programs.verdicts.verification import Verdict, verify

THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
_SHOWN = 12


def run() -> dict[str, Any]:
    """Return what is right and what is sure and wrong without meanings and with each threshold's."""
    folder = real_data() / "tables"
    sets = {
        "tabfact_more_development": [c for c in tabfact(folder, more=True) if in_development(c[0].table_id)],
        "tabfact_development": [c for c in tabfact(folder) if in_development(c[0].table_id)],
        "authored_development": authored(),
    }
    claims = [claim for part in sets.values() for claim in part]
    encode = cached_encoder().encode
    nearest = meanings_of([(statement, table) for table, statement, _ in claims], encode, THRESHOLDS[0])
    weights = claim_weights()
    before = [
        verify(statement, table, NO_MEANINGS, weights[fold_of(table.table_id)])
        for table, statement, _ in claims
    ]
    result: dict[str, Any] = {"threshold": LEAST_SIMILARITY, "without": _figures(sets, before)}
    absent = {
        (claim.table.name, claim.text)
        for claim in table_claims.load()
        if claim.kind == "absent_predicate" and claim.table.domain in DEVELOPMENT_DOMAINS
    }
    for least in THRESHOLDS:
        meant = [_from(meanings, least) for meanings in nearest]
        after = [
            verify(statement, table, meanings, weights[fold_of(table.table_id)]) if meanings else verdict
            for (table, statement, _), meanings, verdict in zip(claims, meant, before, strict=True)
        ]
        result[f"from_{least:g}"] = {
            "claims_with_a_meaning": sum(map(bool, meant)),
            **_changed(claims, before, after),
            "absent_predicates_supported": sum(
                bool(verdict.supported) and (table.table_id, statement) in absent
                for (table, statement, _), verdict in zip(claims, after, strict=True)
            ),
            **_figures(sets, after),
        }
    result["commonest"] = _commonest(nearest)
    return result


def _from(meanings: Meanings, least: float) -> Meanings:
    return {word: meaning for word, meaning in meanings.items() if meaning.similarity >= least}


def _changed(claims: Claims, before: Sequence[Verdict], after: Sequence[Verdict]) -> dict[str, int]:
    changed = [
        (first.supported is truth, second.supported is truth)
        for (_, _, truth), first, second in zip(claims, before, after, strict=True)
        if first.supported is not second.supported
    ]
    return {
        "verdicts_changed": len(changed),
        "now_right": sum(now for _, now in changed),
        "was_right": sum(was for was, _ in changed),
    }


def _figures(sets: dict[str, Claims], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    figures, start = {}, 0
    for name, claims in sets.items():
        part = list(zip(claims, verdicts[start : start + len(claims)], strict=True))
        start += len(claims)
        decided = [(claim, verdict) for claim, verdict in part if verdict.supported is not None]
        right = [verdict.supported is claim[2] for claim, verdict in decided]
        wrong = sum(
            verdict.confidence >= SURE and verdict.supported is not claim[2] for claim, verdict in decided
        )
        figures[name] = {
            "claims": len(part),
            "decided": len(decided),
            "right_of_decided": interval_over_tables([claim[0].table_id for claim, _ in decided], right),
            "sure_and_wrong": wrong,
        }
    return figures


def _commonest(nearest: Sequence[Meanings]) -> list[list[Any]]:
    counts = Counter(
        (word, meaning.column, round(meaning.similarity, 2))
        for meanings in nearest
        for word, meaning in meanings.items()
    )
    return [[*pair, count] for pair, count in counts.most_common(_SHOWN)]
