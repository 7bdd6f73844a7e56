"""Once more after a failure, then no more until what it is made from changes."""

from __future__ import annotations

import json

from evidence_assets.orchestration.attempts import SECONDS_BETWEEN, Attempts


def test_a_failure_is_waited_for_and_a_second_one_stops() -> None:
    attempts = Attempts()
    attempts.failed("a", "basis", "killed", now=100.0)
    assert attempts.waits(100.0 + SECONDS_BETWEEN / 2)
    assert not attempts.waits(100.0 + SECONDS_BETWEEN)
    assert attempts.stopped() == {}
    attempts.failed("a", "basis", "killed again", now=200.0)
    assert attempts.stopped() == {"a": "killed again"}
    assert not attempts.waits(200.0), "what is stopped holds nobody up"


def test_a_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    attempts = Attempts()
    attempts.failed("a", "basis", "killed", now=100_000.0)
    assert not attempts.waits(100.0)


def test_another_basis_counts_anew() -> None:
    attempts = Attempts()
    attempts.failed("a", "old", "killed", now=0.0)
    attempts.failed("a", "new", "killed", now=1.0)
    assert attempts.stopped() == {}
    attempts.failed("a", "new", "killed", now=2.0)
    attempts.settle({"a": "newest"}, due=["a"])
    assert attempts.stopped() == {}


def test_what_is_due_no_more_is_forgotten() -> None:
    attempts = Attempts(lost=["a", "b"])
    attempts.failed("a", "basis", "killed", now=0.0)
    attempts.settle({"a": "basis"}, due=["b"])
    assert (attempts.failures, attempts.lost) == ({}, ["b"])


def test_it_survives_as_json() -> None:
    attempts = Attempts(lost=["b"])
    attempts.failed("a", "basis", "killed", now=1.5)
    assert Attempts.from_json(json.loads(json.dumps(attempts.to_json()))) == attempts
    assert Attempts.from_json({}) == Attempts()
