"""The results by area: docs/results.md cut at its areas, the summary first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown.extensions.toc import slugify, unique

_AREA = re.compile(r"^## (?!Summary$)(.+)$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Area:
    """A page of the site. `anchors`: its headings' anchors, as the long page has them."""

    page: str
    text: str
    anchors: tuple[str, ...]


def areas(content: str) -> list[Area]:
    """Return the pages: what stands before the first area, then each area, its headings a level up."""
    starts = [0, *(match.start() for match in _AREA.finditer(content)), len(content)]
    used: set[str] = set()
    return [_area(content[start:end], used) for start, end in pairwise(starts)]


def _area(text: str, used: set[str]) -> Area:
    headings = list(_HEADING.findall(_FENCED.sub("", text)))
    anchors = tuple(_anchors(headings, used))
    if text.startswith("# "):
        return Area("results/index.md", text, anchors)
    lifted = re.sub(r"^#(#+ )", r"\1", text, flags=re.MULTILINE)
    return Area(f"results/{anchors[0]}.md", lifted, anchors)


def _anchors(headings: list[str], used: set[str]) -> Iterator[str]:
    for heading in headings:
        yield unique(slugify(re.sub(r"[`*]", "", heading), "-"), used)
