"""Arms of a factorial comparison, and which of them are held against which."""

from __future__ import annotations

from evidence_assets.evidence.arms import Arm, controlled_pairs


def arm(name: str, **levels: str) -> Arm:
    return Arm(name=name, description="", levels=tuple(levels.items()))


def test_arms_of_one_reader_that_differ_in_one_factor_are_a_pair() -> None:
    arms = [
        arm("plain@a", search="near", order=""),
        arm("ordered@a", search="near", order="ordered"),
        arm("far@a", search="far", order=""),
        arm("far_ordered@a", search="far", order="ordered"),
        arm("plain@b", search="near", order=""),
        arm("other@a", length="long"),
        arm("another@a", length="short"),
        arm("none@a"),
    ]
    assert set(controlled_pairs(arms)) == {
        ("ordered@a", "plain@a"),
        ("far@a", "plain@a"),
        ("far_ordered@a", "far@a"),
        ("far_ordered@a", "ordered@a"),
        ("another@a", "other@a"),
    }
    assert controlled_pairs([]) == []
