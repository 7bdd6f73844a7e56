"""No more is spent than may be, and what can be sent is."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.models.generation.recorded import Budget, BudgetSpentError
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.recorded_samples import Engine, Project, asking


def test_a_budget_stops_cleanly_and_the_next_run_goes_on(project: Project) -> None:
    requests = [asking(str(n)) for n in range(10)]
    sent: list[str] = []
    # At most 5 tokens of prompt and 8 of reply; really 3 of reply.
    for expected_rows in (3, 6, 9):
        engine = Engine()
        with pytest.raises(BudgetSpentError, match=r"engine: .*of 30 tokens.*remedy"):
            project.over(engine, Budget(tokens=30)).replies(requests)
        sent += engine.users
        assert len(project.rows()) == expected_rows
    engine = Engine()
    assert len(project.over(engine, Budget(tokens=30)).replies(requests)) == 10
    assert [*sent, *engine.users] == [str(n) for n in range(10)]


def test_the_calls_of_one_run_share_its_budget(project: Project) -> None:
    budget = Budget(tokens=30)
    project.over(Engine(), budget).replies([asking("a"), asking("b")])
    with pytest.raises(BudgetSpentError):
        project.over(Engine(), budget).replies([asking("c"), asking("d")])
    assert sorted(row["user"] for row in project.rows()) == list("abc")
    assert budget.used_tokens == 24


def test_replays_cost_nothing(project: Project) -> None:
    requests = [asking(str(n)) for n in range(10)]
    project.over(Engine()).replies(requests)
    budget = Budget(tokens=1, money=1e-9, prompt_price=1.0)
    assert len(project.over(Engine(), budget).replies(requests)) == 10
    assert (budget.used_tokens, budget.used_money) == (0, 0.0)


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.EMPTY, Outcome.REFUSED, Outcome.INVALID_TEXT])
def test_where_nothing_is_said_of_tokens_the_most_is_counted(project: Project, outcome: Outcome) -> None:
    budget = Budget(tokens=30)
    with pytest.raises(BudgetSpentError):
        project.over(Engine(lambda _: Reply(outcome)), budget).replies([asking(str(n)) for n in range(10)])
    assert budget.used_tokens == 2 * (5 + 8)


def test_what_was_never_answered_costs_nothing(project: Project) -> None:
    budget = Budget(tokens=30)

    def reply(request: Request) -> Reply:
        return Reply(Outcome.UNAVAILABLE if int(request.user) % 2 else Outcome.CONTEXT_TOO_LONG)

    project.over(Engine(reply), budget).replies([asking(str(n)) for n in range(10)])
    assert budget.used_tokens == 0


def test_no_more_prompts_are_counted_than_can_be_paid(project: Project) -> None:
    engine = Engine()
    with pytest.raises(BudgetSpentError):
        project.over(engine, Budget(tokens=30)).replies([asking(str(n)) for n in range(1_000)])
    assert engine.counted < 20


@examples(60)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 12), st.integers(12, 20)), max_size=12),
    st.integers(0, 200),
    st.integers(0, 400),
    st.integers(1, 3),
)
def test_a_budget_is_never_overspent_and_what_can_be_sent_is(
    drawn: list[tuple[int, int, int]], tokens: int, money: int, wave: int
) -> None:
    """Whatever replies take of what they may: of the first request that is not sent, the budget says why."""
    prompt_price, reply_price = 2.0, 5.0
    requests = [asking(f"{n:02}", max_tokens=most) for n, (_, _, most) in enumerate(drawn)]

    class Counting(Engine):
        def count_tokens(self, request: Request) -> int:
            return drawn[int(request.user)][0]

    def reply(request: Request) -> Reply:
        prompt, written, _ = drawn[int(request.user)]
        return Reply(Outcome.ANSWERED, "x", prompt, written)

    budget = Budget(tokens, money / 1e6, prompt_price, reply_price)
    engine = Counting(reply)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "WAVE_REQUESTS", wave)
        project = Project(Path(folder))
        try:
            project.over(engine, budget).replies(requests)
        except BudgetSpentError:
            prompt, _, most = drawn[len(engine.requests)]
            over_tokens = tokens and budget.used_tokens + prompt + most > tokens
            cost = prompt * prompt_price + most * reply_price
            assert over_tokens or (money and budget.used_money * 1e6 + cost > money - 1e-6)
        else:
            assert len(engine.requests) == len(requests)
        assert not tokens or budget.used_tokens <= tokens
        assert not money or budget.used_money * 1e6 <= money + 1e-6
        assert budget.used_tokens == sum(
            prompt + written for prompt, written, _ in drawn[: len(engine.requests)]
        )
        assert len(project.rows()) == len(engine.requests)
