"""Fit what ranks programs over tables, and tells how far their verdicts and answers can be trusted.

    python -m benchmarks.tables.fit_table_ranking

learns the words that carry nothing, fits the weights of a log-linear model of programs' features, for claims
and for free questions, on development tables alone, and keeps both (`evidence_assets/reading/measured/`).
Figures of development tables are of weights that were fitted on the other folds of them. Needs the data sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from benchmarks.fitting import Candidates, fitted, keep_empty_words, keep_weights, learn_empty_words
from benchmarks.tables.table_sets import (
    DEVELOPMENT_DOMAINS,
    FOLDS,
    Claims,
    authored_questions,
    development_claims,
    fold_of,
    questions,
    same_denotation,
)
from evidence_assets.reading import accounting, log_linear
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.questions.answering import QUESTIONS, Weights, read_question
from evidence_assets.tables.programs.verdicts.claim_features import claim_features, none_features
from evidence_assets.tables.programs.verdicts.claim_ranking import CLAIMS, Reading, ranked, read
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import DOMAIN, Left, carried
from evidence_assets.tables.programs.verdicts.runs import Run
from evidence_assets.tables.programs.wording.frames import asks_whether
from evidence_assets.tables.programs.wording.words import tokens

# How often a word must have been left over to be judged, and how much below the whole it may be right.
LEAST_LEFT, MARGIN = 20, 0.2
# Of the squared weights, chosen by the likelihood of development tables, cross-fitted.
PENALTIES = {CLAIMS: 6.0, QUESTIONS: 3.0}
MEASURED = Path(log_linear.__file__).parent / "measured"
CLAIMS_FITTED_ON = (
    "TabFact: tables of the small test and of 600 more whose name's SHA-256 is even; "
    "claims over Wikipedia's tables, of all authors but the two held out; "
    f"authored claims over tables of {', '.join(DEVELOPMENT_DOMAINS)}"
)
QUESTIONS_FITTED_ON = (
    "WikiTableQuestions, 300 tables of its training set: those whose path's SHA-256 is even; "
    "authored questions over tables of development domains"
)


@dataclass(frozen=True)
class Tried:
    """A claim or question of a development table with its candidates, each with whether it is right."""

    table: str
    candidates: Candidates


@dataclass(frozen=True)
class TriedClaim(Tried):
    """A claim with the programs that were run for it. `truth`: its label, None for not enough information."""

    truth: bool | None
    claim: GroundedClaim
    runs: list[Run]


def main() -> None:
    """Learn the words that carry nothing, then fit the weights, all on development tables."""
    claims = development_claims()
    _keep_words({})
    _keep_words(learn_empty_words(_left_over(tried_claims(claims)), LEAST_LEFT, MARGIN))
    _keep(CLAIMS, tried_claims(claims), CLAIMS_FITTED_ON)
    _keep(QUESTIONS, tried_questions(), QUESTIONS_FITTED_ON)


def claim_weights() -> list[Weights]:
    """Return for each fold of development tables the weights for claims that were fitted on the others."""
    return _of_other_folds(tried_claims(development_claims()), PENALTIES[CLAIMS])


def question_weights() -> list[Weights]:
    """Return for each fold of development tables the weights for questions that were fitted on the others."""
    return _of_other_folds(tried_questions(), PENALTIES[QUESTIONS])


def tried_claims(claims: Claims) -> list[TriedClaim]:
    """Return claims with their programs; without a right one it is right that none is."""
    return [_tried(table.table_id, read(tokens(text), table), truth) for table, text, truth in claims]


def _tried(name: str, reading: Reading, truth: bool | None) -> TriedClaim:
    claim, programs = reading.claim, reading.runs
    right = [run.result.truth == truth for run in programs]
    features = claim_features(claim, programs, len(carried(claim)))
    group = [*zip(features, right, strict=True), (none_features(claim, programs), not any(right))]
    return TriedClaim(name, group, truth, claim, programs)


def tried_questions() -> list[Tried]:
    """Return the development questions with their programs; without a right one it is right that none is.

    Questions whether something is so are left out: weights of claims answer them.
    """
    authored = (
        (table, question.text, question.answers) for table, question in authored_questions(development=True)
    )
    tried = []
    for table, question, key in chain(questions(development=True), authored):
        if asks_whether(tokens(question)):
            continue
        reading = read_question(question, table)
        right = [same_denotation(candidate.values, key) for candidate in reading.programs]
        features = [candidate.features for candidate in reading.programs]
        group = [*zip(features, right, strict=True), (reading.no_program, not any(right))]
        tried.append(Tried(table.table_id, group))
    return tried


def _of_other_folds(tried: Sequence[Tried], penalty: float) -> list[Weights]:
    return [
        fitted([attempt.candidates for attempt in tried if fold_of(attempt.table) != fold], penalty)
        for fold in range(FOLDS)
    ]


def _keep(name: str, tried: Sequence[Tried], fitted_on: str) -> None:
    weights = fitted([attempt.candidates for attempt in tried], PENALTIES[name])
    keep_weights(MEASURED / f"ranking_{name}.json", weights, fitted_on)
    log_linear.weights_of.cache_clear()


def _keep_words(learnt: dict[str, tuple[int, int]]) -> None:
    keep_empty_words(MEASURED / f"empty_words_{DOMAIN}.json", learnt, CLAIMS_FITTED_ON)
    accounting.empty_words.cache_clear()


def _left_over(tried: Sequence[TriedClaim]) -> Iterator[tuple[list[str], bool]]:
    """Yield which words the likeliest program of each claim leaves over, and whether it is right."""
    weights = _of_other_folds(tried, PENALTIES[CLAIMS])
    for attempt in tried:
        if attempt.runs:
            run = next(ranked(attempt.claim, attempt.runs, weights[fold_of(attempt.table)]).order())
            words = [
                attempt.claim.texts[position] for position, left in run.rest.items() if left is Left.WORD
            ]
            yield words, run.result.truth == attempt.truth


if __name__ == "__main__":
    main()
