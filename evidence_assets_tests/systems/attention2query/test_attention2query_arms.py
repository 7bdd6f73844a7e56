"""Which arms are offered for which questions, and what is said of the others."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Key
from evidence_assets.systems.attention2query.arms import ARMS, OPEN
from evidence_assets.systems.attention2query.system import ATTENTION2QUERY


def problem(reader: str, arm: str) -> str | None:
    benchmark = SimpleNamespace(reader=reader)
    project = cast(Project, SimpleNamespace(benchmark=lambda name: benchmark))
    return ATTENTION2QUERY.problem(project, Key("asked", arm), ARMS[arm])


@pytest.mark.parametrize(
    ("reader", "arm", "reason"),
    [
        ("metaqa", "no_evidence@longest_option", "answers no questions without options, which asked asks"),
        ("commonsenseqa", "shortest_path@nearest", "answers no questions with options, which asked asks"),
        ("metaqa", "no_mcq_subgraph@extractive", "changes nothing on questions without options"),
        ("commonsenseqa", "vanilla@extractive", "changes nothing on questions with options"),
    ],
)
def test_an_arm_that_is_not_offered_says_why_and_what_to_do(reader: str, arm: str, reason: str) -> None:
    message = problem(reader, arm)
    assert message is not None
    assert reason in message
    assert "remedy: materialise full@extractive" in message


@pytest.mark.parametrize("reader", ["metaqa", "commonsenseqa"])
def test_the_default_and_the_paper_are_offered_for_both_kinds(reader: str) -> None:
    assert problem(reader, "full@extractive") is None
    assert problem(reader, "paper@extractive") is None


def test_a_file_may_hold_both_kinds_so_every_arm_is_offered() -> None:
    assert not [arm for arm in ARMS if problem("questions_jsonl", arm)]


@pytest.mark.parametrize(
    ("options", "offered"), [("", False), ("options: [a, b]\nkey: right\nkey_is: [text]\n", True)]
)
def test_a_mapping_without_options_offers_what_changes_open_questions(
    tmp_path: Path, options: str, offered: bool
) -> None:
    mapping = tmp_path / "exam.yaml"
    fields = "licence: CC0\nformat: csv\nid: nr\nquestion: stem\nanswers: names\n"
    mapping.write_text(fields + options, encoding="utf-8")
    of_options = [name for name, arm in ARMS.items() if OPEN not in arm.of]
    assert of_options
    assert [problem(str(mapping), name) is None for name in of_options] == [offered] * len(of_options)
    assert problem(str(mapping), "vanilla@extractive") is None
