"""The README is short and tells what a newcomer must know; its sentences and the tutorials' are plain."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_assets_tests.testing.documentation import DOCS, PROJECT, pages

README = PROJECT / "README.md"
MOST_WORDS, LONGEST_SENTENCE = 900, 30
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of Markdown, of paragraphs, list items and cells; no code blocks, no addresses."""
    prose = _LINK.sub(r"\1", _FENCED.sub("\n", text))
    for block in re.split(r"\n\s*\n|\n(?=\s*[-*|#])|\|", prose):
        yield from re.split(r"(?<=[.!?])\s+", " ".join(block.split()))


def test_sentences_are_told_apart() -> None:
    text = "# A title\nOne two. Three\nfour!\n\n- five [six](x.md)\n- eight\n\n| nine | ten |\n```\nno\n```\n"
    assert [sentence for sentence in sentences(text) if sentence] == [
        *("# A title One two.", "Three four!", "- five six", "- eight", "nine", "ten")
    ]


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_what_the_readme_says_of_tables_was_measured() -> None:
    results = PROJECT / "benchmarks" / "results"
    harder = json.loads((results / "table_verification.json").read_text("utf-8"))["tabfact_more_held_out"]
    misleading = json.loads((results / "contested_claims.json").read_text("utf-8"))["held_out_contested"]
    right, cheap, sure = harder["accuracy"], harder["baselines"]["strongest"], harder["sure"]
    readme = " ".join(README.read_text(encoding="utf-8").split())
    assert (
        f"judged rightly in {100 * right['accuracy']:.1f} % of TabFact's larger test half, which chose "
        f"nothing; the best one-liner reaches {100 * cheap['accuracy']:.1f}. Of the "
        f"{100 * sure['coverage']:.0f} % that it is sure of, {100 * sure['accuracy']:.1f} % are right. "
        "Of claims written to mislead most are left open; of those decided, "
        f"{100 * misleading['right_of_decided']['accuracy']:.0f} % are right."
    ) in readme
    assert misleading["decided"]["accuracy"] < 0.5


@pytest.mark.parametrize("page", [README, *pages("tutorial")], ids=lambda page: page.name)
def test_no_sentence_is_long(page: Path) -> None:
    long = [
        sentence
        for sentence in sentences(page.read_text(encoding="utf-8"))
        if len(sentence.split()) > LONGEST_SENTENCE
    ]
    assert long == []


@pytest.mark.parametrize("page", [README, PROJECT / "CONTRIBUTING.md", *pages()], ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    targets = [
        target.partition("#")[0] for _, target in _LINK.findall(_FENCED.sub("", page.read_text("utf-8")))
    ]
    local = [target for target in targets if target and ":" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_the_readme_answers_the_questions_of_five_minutes() -> None:
    rows = [line.split("|") for line in (DOCS / "five_minutes.md").read_text("utf-8").splitlines()]
    wanted = [text for row in rows if len(row) == 5 for text in re.findall(r"`([^`]+)`", row[3])]
    assert len(wanted) > 15
    readme = " ".join(README.read_text(encoding="utf-8").split())
    assert [text for text in wanted if text not in readme] == []
