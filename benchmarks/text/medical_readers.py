"""Trained readers on the questions of medical entrance examinations: MedMCQA, 4,183 questions.

`several_reader` asks MMLU's medical subjects whether the mean of two readers, one of which saw OpenBookQA's
training questions, is lower than the one that saw none of them. Here are four times as many questions of
another origin. Neither reader saw one of them; that half of each makes the mean was looked at on some of
them among four other sets, and not changed. Evidence is what the readers' recipes name, science facts: much
of what is right the language model knows without it. Needs the data sets, and `make question-sets`.
"""

from __future__ import annotations

from typing import Any

from benchmarks.real_lake import made, prepare
from benchmarks.text.trained_reader import compared

READERS = ("several", "several_averaged")
BENCHMARK, QUESTIONS = "medmcqa", 4_183


def run() -> dict[str, Any]:
    """Make the readers that are missing, and return every way's accuracy and how far the second is above."""
    prepare()
    made([("reader_admissions", f"{reader}|{BENCHMARK}") for reader in READERS])
    return compared(READERS, {BENCHMARK: QUESTIONS})
