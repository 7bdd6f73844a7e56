"""What SciTab's claims would need beside programs over their table: each claim's needs, told by rules.

    python -m benchmarks scitab_account

Over the development half of its tables alone; nothing is fitted here. A claim may need several things. The
programs' verdicts stand beside those of the classifier that sees the claim's words of form and no table,
which has seen none of the claim's table either (`benchmarks.fit_claim_only`). Needs the data sets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.real_texts import cached_encoder, real_data
from benchmarks.tables.table_sets import Claims, in_development, scitab
from benchmarks.tables.table_verification import (
    VERDICTS,
    Judged,
    difference_over_tables,
    interval_over_tables,
    judge,
    scitab_ids,
)
from evidence_assets.tables.claim_only import THREE, classifiers
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left, carried
from evidence_assets.tables.programs.verdicts.meanings import LEAST_SIMILARITY
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words import tokens, word_key
from evidence_assets.tables.table import Table

# Words of claims about so large a share of the tables belong to the prose of papers: no need is told by them.
COMMON = 0.05
NEEDS: Mapping[str, str] = {
    "caption": "words that only the caption has",
    "several_cells": "two cells or more compared or combined",
    "which_way_is_better": "whether more or less of a measure is better",
    "arithmetic": "an operation that the grammar lacks: how much is much, a trend, an average not shown",
    "interpretation": "a cause, purpose or conclusion",
    "synonym": "a word of the table by meaning",
    "outside_name": "a name that neither table nor caption has",
    "outside_text": "other words of which neither table nor caption has any near in meaning",
}
_BETTER = re.compile(
    r"\b(?:better|best|worse|worst|outperform\w*|improv\w*|superior|inferior|degrad\w*|gains?|benefi\w*|"
    r"helps?|hurts?|effective\w*|strong\w*|weak\w*|state-of-the-art|perform\w*)\b"
)
_ARITHMETIC = re.compile(
    r"\b(?:significant\w*|substantial\w*|slight\w*|large(?:ly)?|small|marginal\w*|considerabl\w*|drastic\w*|"
    r"dramatic\w*|comparabl\w*|similar\w*|consisten\w*|competitive|close|relative\w*|gap|trend\w*|correlat\w*|"
    r"on average|in general|generally|overall|across|margin|ratio|variance|stable|converge\w*|diminish\w*|"
    r"increasing\w*|decreasing\w*|gradual\w*)\b"
)
_INTERPRETATION = re.compile(
    r"\b(?:because|due to|since|therefore|thus|hence|suggest\w*|indicat\w*|impl(?:y|ies)|demonstrat\w*|"
    r"confirm\w*|show(?:s|ing)? that|reveal\w*|mean(?:s|ing) that|expected|surpris\w*|interesting\w*|believe|"
    r"hypothes\w*|conclude\w*|evidence|explain\w*|in order to|so that|allow\w*|enabl\w*|able to|can be|"
    r"likely|possib\w*|probabl\w*|attribut\w*|account for|important\w*|crucial\w*|necessary|useful\w*)\b"
)
_COMBINES = re.compile(
    r"\b(?:than|compared|whereas|while|both|all|each|every|between|from .* to|most|least)\b"
)
# How SciTab marks a claim that goes on, or type: [CONTINUE].
_MARKUP = re.compile(r"\[[A-Z]+\]\s*")
# A name: letters of both cases within, all capitals, or letters and digits together.
_NAME = re.compile(r"\b(?:[A-Z]{2,}[\w-]*|[A-Za-z]+[A-Z][\w-]*|[A-Za-z]+-?\d+[\w-]*)\b")


@dataclass(frozen=True, slots=True)
class Needing:
    """A claim with its verdict and what it would need."""

    judged: Judged
    needs: frozenset[str]
    guessed: Mapping[str, float]

    def has(self, name: str) -> bool:
        """Whether it has a need."""
        return name in self.needs


def run() -> dict[str, Any]:
    """Return for each need how many claims have it, and who judges them how well."""
    claims = [
        (table, _MARKUP.sub("", statement), truth)
        for table, statement, truth in scitab(real_data() / "tables" / "sci_tab.json")
        if in_development(table.table_id)
    ]
    judged, _ = judge(claims)
    near, prose = _nearness(claims), _prose(claims)
    ids = scitab_ids()
    kept = classifiers(THREE)
    needing = [
        Needing(
            claim,
            _needs(statement, table, near, prose),
            kept.of_table(ids.get(table.table_id)).probabilities(statement),
        )
        for claim, (table, statement, _) in zip(judged, claims, strict=True)
    ]
    numbers = Counter(len(claim.needs) for claim in needing)
    return {
        "claims": len(needing),
        "tables": len({claim.judged.table for claim in needing}),
        "needs": {
            name: {"what": what, **_figures(needing, partial(Needing.has, name=name))}
            for name, what in NEEDS.items()
        },
        "by_number_of_needs": {
            "none": _figures(needing, lambda claim: not claim.needs),
            "one": _figures(needing, lambda claim: len(claim.needs) == 1),
            "two": _figures(needing, lambda claim: len(claim.needs) == 2),
            "three or more": _figures(needing, lambda claim: len(claim.needs) >= 3),
        },
        "beyond_the_table": _figures(
            needing, lambda claim: bool(claim.needs & {"outside_name", "outside_text", "interpretation"})
        ),
        "all": _figures(needing, lambda _: True),
        "programs_over_claim_only": _difference(needing),
        "mean_needs": round(sum(n * count for n, count in numbers.items()) / max(1, len(needing)), 2),
    }


def _grounded(statement: str, table: Table) -> GroundedClaim:
    return ground(statement, TableIndex(table))


def _foreign(statement: str, table: Table) -> list[str]:
    """Return the words of content of a claim that neither the table nor its caption has."""
    grounded = _grounded(statement, table)
    left = carried(grounded)
    return [grounded.tokens[at].text for at, grade in left.items() if grade is Left.WORD]


def _words_of(table: Table) -> list[str]:
    texts = [*table.header, *(row[0].text for row in table.rows if row)]
    return [token.text for text in texts for token in tokens(text) if not token.stop and token.number is None]


def _nearness(claims: Claims) -> Callable[[str, Table], float]:
    """Return the cosine of a word to the nearest word of a table's columns and row names."""
    texts = {word for table, statement, _ in claims for word in _foreign(statement, table)}
    texts |= {word for table, _, _ in claims for word in _words_of(table)}
    ordered = sorted(texts)
    vectors = dict(zip(ordered, cached_encoder().encode(ordered), strict=True))

    def near(word: str, table: Table) -> float:
        return max(
            (float(vectors[word] @ vectors[named_word]) for named_word in _words_of(table)), default=0.0
        )

    return near


def _needs(
    statement: str, table: Table, near: Callable[[str, Table], float], prose: frozenset[str]
) -> frozenset[str]:
    grounded = _grounded(statement, table)
    lowered = statement.lower()
    index = grounded.index
    held = set(index.postings) | set(index.header_postings)
    needs = {
        name
        for name, pattern in (
            ("which_way_is_better", _BETTER),
            ("arithmetic", _ARITHMETIC),
            ("interpretation", _INTERPRETATION),
        )
        if pattern.search(lowered)
    }
    if any(token.key in index.caption - held - prose for token in grounded.tokens if not token.stop):
        needs.add("caption")
    number_count = sum(token.number is not None for token in grounded.tokens)
    compares = any(comparative(token.text) for token in grounded.tokens) or bool(grounded.superlatives)
    if compares or number_count > 1 or _COMBINES.search(lowered):
        needs.add("several_cells")
    names = {name.lower() for name in _NAME.findall(statement)}
    foreign = _foreign(statement, table)
    if any(word in part.split("-") for word in foreign for part in names):
        needs.add("outside_name")
    plain = [word for word in foreign if not any(word in part.split("-") for part in names)]
    plain = [word for word in plain if not _operates(word) and word_key(word) not in prose]
    close = [near(word, table) >= LEAST_SIMILARITY for word in plain]
    if any(close):
        needs.add("synonym")
    if not all(close):
        needs.add("outside_text")
    return frozenset(needs)


def _operates(word: str) -> bool:
    """Return whether a word is a need of its own, not one of the text outside."""
    return any(pattern.search(word) for pattern in (_BETTER, _ARITHMETIC, _INTERPRETATION))


def _prose(claims: Claims) -> frozenset[str]:
    """Return the forms of words that claims of many tables use: those of the prose of papers."""
    tables: dict[str, set[str]] = {}
    for table, statement, _ in claims:
        for token in tokens(statement):
            tables.setdefault(token.key, set()).add(table.table_id)
    least = COMMON * len({table.table_id for table, _, _ in claims})
    return frozenset(key for key, names in tables.items() if len(names) >= least)


def _figures(needing: Sequence[Needing], holds: Callable[[Needing], bool]) -> dict[str, Any]:
    chosen = [claim for claim in needing if holds(claim)]
    labelled = [claim for claim in chosen if claim.judged.truth is not None]
    if not labelled:
        return {"claims": len(chosen), "share": round(len(chosen) / len(needing), 3)}
    decided = [claim for claim in labelled if claim.judged.verdict.supported is not None]
    tables = [claim.judged.table for claim in labelled]
    return {
        "claims": len(chosen),
        "share": round(len(chosen) / len(needing), 3),
        "not_enough_information": round(1 - len(labelled) / len(chosen), 3),
        "two_labels": len(labelled),
        "decided": round(len(decided) / len(labelled), 3),
        "programs": interval_over_tables(
            tables, [claim.judged.answer is claim.judged.truth for claim in labelled]
        ),
        "programs_on_decided": interval_over_tables(
            [claim.judged.table for claim in decided],
            [claim.judged.verdict.supported is claim.judged.truth for claim in decided],
        )
        if decided
        else None,
        "claim_only": interval_over_tables(
            tables, [_guess(claim) is claim.judged.truth for claim in labelled]
        ),
        "majority": round(max(Counter(claim.judged.truth for claim in labelled).values()) / len(labelled), 3),
    }


def _difference(needing: Sequence[Needing]) -> dict[str, Any]:
    """Return by how much more often programs are right than the claim alone, on two labels."""
    labelled = [claim for claim in needing if claim.judged.truth is not None]
    return difference_over_tables(
        [claim.judged.table for claim in labelled],
        [claim.judged.answer is claim.judged.truth for claim in labelled],
        [_guess(claim) is claim.judged.truth for claim in labelled],
    )


def _guess(claim: Needing) -> bool:
    return claim.guessed[VERDICTS[True]] >= claim.guessed[VERDICTS[False]]
