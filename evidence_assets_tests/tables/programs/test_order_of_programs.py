"""In which order a claim's programs stand, and of how few it is asked whether they bear on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.tables.programs.grammar.types import TruthResult
from evidence_assets.tables.programs.verdicts.claim_ranking import Ranked
from evidence_assets.tables.programs.verdicts.runs import Run


@dataclass
class Judged:
    """What the order of a run hangs on; it is noted that it was asked whether it bears on its claim."""

    result: TruthResult
    accounts: bool
    is_of_the_claim: bool
    asked: list[Judged] = field(default_factory=list)

    @property
    def bears(self) -> bool:
        self.asked.append(self)
        return self.is_of_the_claim


def judged(truth: bool, *, accounts: bool = True, bears: bool = True) -> Judged:
    return Judged(TruthResult(truth), accounts, bears)


def ranked(runs: list[Judged], shares: list[float]) -> Ranked:
    return Ranked(cast("tuple[Run, ...]", tuple(runs)), tuple(shares))


@given(
    st.lists(
        st.tuples(st.booleans(), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.1, 0.2, 0.3])),
        max_size=6,
    )
)
def test_the_likelier_verdict_is_first_then_what_bears_then_what_accounts_then_the_likelier_program(
    cases: list[tuple[bool, bool, bool, float]],
) -> None:
    runs = [judged(truth, accounts=accounts, bears=bears) for truth, accounts, bears, _ in cases]
    shares = [share for *_, share in cases]
    ranking = ranked(runs, shares)
    of_verdicts = {truth: ranking.share(truth) for truth in (True, False)}
    expected = sorted(
        zip(runs, shares, strict=True),
        key=lambda pair: (
            -of_verdicts[bool(pair[0].result.truth)],
            not pair[0].is_of_the_claim,
            not pair[0].accounts,
            -pair[1],
        ),
    )
    assert [*map(id, ranking.order())] == [id(run) for run, _ in expected]


def test_where_the_first_decides_no_other_is_asked_whether_it_bears_on_the_claim() -> None:
    first, second, other = judged(True), judged(True, accounts=False), judged(False)
    ranking = ranked([first, second, other], [0.5, 0.2, 0.1])
    assert next(ranking.order()) is cast(Run, first)
    assert {id(run) for run in (*first.asked, *second.asked, *other.asked)} == {id(first)}
