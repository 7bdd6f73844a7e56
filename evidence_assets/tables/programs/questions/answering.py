"""Free questions over a table: values that a program projects, counts or computes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.reading.log_linear import Features, probabilities, weights_of
from evidence_assets.tables.programs.grammar.types import Cells
from evidence_assets.tables.programs.index.derived.contests import contests_of
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable
from evidence_assets.tables.programs.index.derived.turned_tables import (
    as_published,
    has_untold_rows,
    question_layouts_of,
)
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.contests.contest_layouts import contest_layout
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground, ground_tokens
from evidence_assets.tables.programs.links.linking import HEADER
from evidence_assets.tables.programs.questions.lacking.lacking_parts import lacks_a_part
from evidence_assets.tables.programs.questions.proposing import propose
from evidence_assets.tables.programs.questions.question_features import none_features, question_features
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED_ROW
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import (
    GRAVITY,
    Left,
    accounting,
    gravest_left,
)
from evidence_assets.tables.programs.verdicts.reliability import LEAST_RELIABILITY
from evidence_assets.tables.programs.verdicts.verification import verify
from evidence_assets.tables.programs.wording.contest_words import outcome_words, tells_contests
from evidence_assets.tables.programs.wording.frames import asks_whether
from evidence_assets.tables.programs.wording.words import MOST_TOKENS, Token, tokens
from evidence_assets.tables.table import Table

# A less likely answer is not given: of development questions, cross-fitted, one in six below it is right, and
# of those just above it every other.
LEAST_CONFIDENCE = 0.3
# Name of the kept weights that rank the programs of questions.
QUESTIONS = "table_questions"
Weights = Mapping[str, float]


@dataclass(frozen=True)
class TableAnswer:
    """What a program answers. `values`: the answers, none where it abstains.

    `confidence`: the probability of these values, over all programs that come to them; of yes or no the
    verdict's reliability. `lacks_a_part`: a part of the question is told by nothing, without which it is
    another one. `least`: from which confidence on it is given. The rest is as a verdict has it.
    """

    values: tuple[str, ...]
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    left: Left
    accounting: Accounting
    lacks_a_part: bool = False
    least: float = LEAST_CONFIDENCE

    @property
    def accounts(self) -> bool:
        """Whether there is an answer, and nothing decisive is left over of the question."""
        return bool(self.values) and self.left is not Left.DECISIVE

    @property
    def decides(self) -> bool:
        """Whether it accounts for the question, and is likely enough to be given."""
        return self.accounts and not self.lacks_a_part and self.confidence >= self.least


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program with what it comes to, what it leaves of the question, and its features.

    `claim`: the question, grounded in the layout of the table that it is a program over.
    """

    claim: GroundedClaim
    proposal: QuestionProgram
    values: tuple[str, ...]
    cells: Cells
    left: Left
    features: Features

    @property
    def accounts(self) -> bool:
        """Whether nothing decisive is left over."""
        return self.left is not Left.DECISIVE


@dataclass(frozen=True, slots=True)
class Reading:
    """A question read against a table: its programs, and the features of none being right."""

    claim: GroundedClaim
    programs: list[Candidate]
    no_program: Features

    @property
    def gravity_left(self) -> int:
        """How grave it is what the program leaves that leaves the least."""
        return min((GRAVITY[candidate.left] for candidate in self.programs), default=1)


def read_grounded(claim: GroundedClaim) -> Reading:
    """Return the programs of a question, grounded, that come to values, or to cells that tell nothing.

    Of the latter the likeliest may be what is asked for: then the table does not tell.
    """
    wording = Wording(claim)
    carrying = carried_by(wording)
    programs = []
    for proposal in propose(wording):
        values, cells = proposal.values(claim.index)
        if values or proposal.tells_nothing(claim.index):
            remaining = gravest_left(carrying, proposal.bound)
            features = question_features(wording, proposal, values, carrying)
            programs.append(Candidate(claim, proposal, values, cells, remaining, features))
    return Reading(claim, programs, none_features(wording, [candidate.left for candidate in programs]))


def read_question(question: str, table: Table) -> Reading:
    """Return a question with its programs over the layouts of a table of which some leave the least.

    Where several layouts leave as little, programs of all of them are candidates.
    """
    readings = [read_grounded(claim) for claim in _grounded(question, table)]
    least = min(reading.gravity_left for reading in readings)
    first, *others = [reading for reading in readings if reading.gravity_left == least]
    further = [
        candidate
        for reading in others
        for candidate in reading.programs
        if not isinstance(reading.claim.index.table, SpannedTable) or _uses_spans(candidate)
    ]
    return Reading(first.claim, [*first.programs, *further], first.no_program)


def _grounded(question: str, table: Table) -> Iterator[GroundedClaim]:
    """Yield a question grounded in each layout of a table.

    A question about how contests ended is read over the contests first, and over nothing else where these
    have a row for each side, since only they tell who won. Where it asks for an order, the rows are left as
    they stand.
    """
    of_contests = outcome_words(tokens(question), index_of(table).header_postings)
    contests = contest_layout(of_contests, table) if tells_contests(of_contests) else None
    orders = any(token.text in _ORDERING for token in of_contests)
    if contests is not None and of_contests[0].text == "who" and not orders:
        contests = next((layout for layout in contests_of(table) if layout.of_sides), contests)
    if contests is not None:
        yield ground_tokens(of_contests, index_of(contests))
    if contests is None or not contests.of_sides:
        of_rows = _asks_for_rows(of_contests, table)
        for layout in question_layouts_of(table):
            if not (of_rows and has_untold_rows(layout)):
                yield ground(question, index_of(layout))


def _asks_for_rows(question_tokens: Sequence[Token], table: Table) -> bool:
    """Return whether it is asked which of what the first column names, so that no column is the answer."""
    names = index_of(table).headers[0] if table.columns else ()
    return any(before.text in _WHICH and token.key in names for before, token in pairwise(question_tokens))


_WHICH = frozenset({"which", "what"})


_ORDERING = frozenset({"before", "after", "next", "previous", "most", "fewest", "first", "last"})


def _uses_spans(candidate: Candidate) -> bool:
    """Return whether a program reads how long rows took; others are programs over the table as it is."""
    last = candidate.claim.index.table.columns - 1
    return any(column == last for _, column in candidate.cells)


def answer(question: str, table: Table, weights: Weights | None = None) -> TableAnswer:
    """Return the likeliest answer; one without values where there is none.

    `weights`: of features, the kept ones where they are not given; whether something is so, those of claims
    tell.
    """
    if asks_whether(tokens(question)):
        return _whether(question, table)
    text = question if len(tokens(question)) <= MOST_TOKENS else ""
    reading = read_question(text, table)
    claim, programs = reading.claim, reading.programs
    if not programs:
        remaining = gravest_left(carried_by(Wording(claim)), {})
        return TableAnswer((), 0.0, "", "none", (), remaining, accounting(question, claim, {}))
    weights = weights_of(QUESTIONS) if weights is None else weights
    shares = probabilities([*(candidate.features for candidate in programs), reading.no_program], weights)
    candidate, confidence = _likeliest(programs, shares)
    claim = candidate.claim
    cells = candidate.cells | {(HEADER, column) for _, column in candidate.cells}
    return TableAnswer(
        candidate.values,
        round(confidence, 4),
        candidate.proposal.describe(claim.index.table.header),
        candidate.proposal.kind,
        tuple(sorted({place for cell in cells for place in as_published(table, claim.index.table, cell)})),
        candidate.left,
        accounting(question, claim, candidate.proposal.bound),
        lacks_a_part(candidate.claim, candidate.proposal),
    )


def _whether(question: str, table: Table) -> TableAnswer:
    """Return yes or no, as the statement is supported or refuted whose truth is asked for."""
    verdict = verify(question, table)
    # Of a name alone nothing is asked.
    says_something = sum(not (token.stop or token.mark) for token in tokens(question)) > 1
    is_told = verdict.supported is not None and verdict.kind != UNMATCHED_ROW and says_something
    return TableAnswer(
        (("yes" if verdict.supported else "no"),) if is_told else (),
        verdict.reliability,
        verdict.program,
        verdict.kind,
        verdict.cells,
        verdict.left,
        verdict.accounting,
        verdict.lacks_predicate,
        LEAST_RELIABILITY,
    )


def _likeliest(programs: Sequence[Candidate], shares: Sequence[float]) -> tuple[Candidate, float]:
    """Return the likeliest program of the likeliest values, and the share of all that come to them.

    Programs that account for the question go before others.
    """
    best: dict[frozenset[str], tuple[bool, float, Candidate]] = {}
    sums: dict[frozenset[str], float] = {}
    for candidate, share in zip(programs, shares, strict=False):
        values = frozenset(candidate.values)
        sums[values] = sums.get(values, 0.0) + share
        if values not in best or (candidate.accounts, share) > best[values][:2]:
            best[values] = candidate.accounts, share, candidate
    likeliest = max(best, key=lambda values: (best[values][0], sums[values]))
    return best[likeliest][2], sums[likeliest]
