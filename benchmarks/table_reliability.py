"""Measures anew what ranks programs over tables, and how far their verdicts can be trusted.

    python -m benchmarks.table_reliability

learns the words that carry nothing and measures every kind of program and of verdict, on development
statements alone, and keeps both (`evidence_assets/reading/measured/`). Needs the data sets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.authored import table_claims
from benchmarks.real_texts import real_data
from benchmarks.table_verification import FOLDS, Claims, in_development, tabfact
from evidence_assets.reading import accounting, reliability
from evidence_assets.reading.accounting import keep_empty_words, learn_empty_words
from evidence_assets.reading.reliability import Outcome, Reliability, keep_reliability
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.leftovers import DOMAIN, Left, carried
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.verification import CLAIMS, PROPOSALS, Run, ranked, runs
from evidence_assets.tables.table import Table

# How often a word must have been left over to be judged, and how much below the whole it may be right.
LEAST_LEFT, MARGIN = 20, 0.2
MEASURED = Path(reliability.__file__).parent / "measured"
# Domains of the authored claims that are development data; the others are held out.
DEVELOPMENT_DOMAINS = ("finance", "medicine")
MEASURED_ON = (
    "TabFact: tables of the small test and of 600 more whose name's SHA-256 is even; "
    "authored claims over tables of finance and medicine"
)


def authored(domains: Collection[str] = DEVELOPMENT_DOMAINS) -> Claims:
    """Return the authored claims of some domains with their tables."""
    truths = {"SUPPORTS": True, "REFUTES": False, "NOT ENOUGH INFORMATION": None}
    made: Claims = []
    tables: dict[str, Table] = {}
    for one in table_claims.load():
        shown = one.table
        if shown.domain not in domains:
            continue
        if shown.name not in tables:
            tables[shown.name] = make_table(shown.name, shown.caption, [shown.header], shown.rows)
        made.append((tables[shown.name], one.text, truths[one.label]))
    return made


@dataclass(frozen=True)
class Tried:
    """A statement with every program that was run for it."""

    table: str
    truth: bool | None
    claim: GroundedClaim
    runs: list[Run]


def measure() -> None:
    """Learn the words that carry nothing, then measure proposals and verdicts, on development statements.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    folder = real_data() / "tables"
    claims = [
        (table, said, truth)
        for more in (False, True)
        for table, said, truth in tabfact(folder, more=more)
        if in_development(table.table_id)
    ]
    claims += authored()
    _keep_words({})
    tried = _try(claims)
    _keep(PROPOSALS, _of_proposals(tried))
    _keep_words(learn_empty_words(_left_over(tried), LEAST_LEFT, MARGIN))
    tried = _try(claims)
    _keep(PROPOSALS, _of_proposals(tried))
    _keep(CLAIMS, reliability.measure(_outcome(one, run) for one, run in _chosen(tried)))


def _keep(name: str, measured: Reliability) -> None:
    keep_reliability(MEASURED / f"reliability_{name}.json", measured, MEASURED_ON)
    reliability.reliability.cache_clear()


def _keep_words(learnt: dict[str, tuple[int, int]]) -> None:
    keep_empty_words(MEASURED / f"empty_words_{DOMAIN}.json", learnt, MEASURED_ON)
    accounting.empty_words.cache_clear()


def _try(claims: Claims) -> list[Tried]:
    indexes: dict[str, TableIndex] = {}
    tried = []
    for table, said, truth in claims:
        claim = ground(said, indexes.setdefault(table.table_id, TableIndex(table)))
        tried.append(Tried(table.table_id, truth, claim, runs(claim)))
    return tried


def _outcome(one: Tried, run: Run) -> Outcome:
    return Outcome(run.proposal.kind, run.verdict, run.form, run.result.truth == one.truth)


def _of_proposals(tried: Iterable[Tried]) -> Reliability:
    return reliability.measure(_outcome(one, run) for one in tried for run in one.runs)


def _chosen(tried: Sequence[Tried]) -> Iterator[tuple[Tried, Run]]:
    """Yield each statement's best program, ranked by what was measured on the other folds of tables."""

    def fold(one: Tried) -> int:
        return int(hashlib.sha256(f"fold {one.table}".encode()).hexdigest(), 16) % FOLDS

    for number in range(FOLDS):
        measured = _of_proposals(one for one in tried if fold(one) != number)
        for one in tried:
            if fold(one) == number and one.runs:
                yield one, ranked(one.runs, measured)[0]


def _left_over(tried: Sequence[Tried]) -> Iterator[tuple[list[str], bool]]:
    for one, run in _chosen(tried):
        words = [
            one.claim.texts[position]
            for position, left in carried(one.claim).items()
            if left is Left.WORD and position not in run.proposal.bound
        ]
        yield words, run.result.truth == one.truth


if __name__ == "__main__":
    measure()
