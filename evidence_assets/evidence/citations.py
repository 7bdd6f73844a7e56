"""Citation marks [E1], [E2], … in a chain's text, checked against the evidence that was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

VALID = "valid"
# Nine digits are more than any evidence number; Python refuses to parse integers of thousands of digits.
_MARK = re.compile(r"\[E(\d{1,9})\]")
# One mark or several in a pair of brackets: [E1], [E1, E2].
_MARKS = re.compile(r"\[(\s*E\d+(?:\s*[,;]\s*E\d+)*\s*)\]")


def mark(number: int) -> str:
    """Return the citation mark of the evidence with this number (from 1)."""
    return f"[E{number}]"


def quoted(text: str) -> str:
    """Return a text safe to quote in a chain: anything in it that looks like a citation mark is disarmed."""
    return _MARKS.sub(r"(\1)", text)


def quotations(texts: Iterable[str]) -> str:
    """Return texts as a chain quotes them, each before its mark: `bees can make honey [E1]`."""
    return " ".join(f"{quoted(text)} {mark(number)}" for number, text in enumerate(texts, start=1))


def argument(claim: str, texts: Iterable[str]) -> str:
    """Return a claim with the texts that support it, each quoted before its mark."""
    return f"{quoted(claim)}: {quotations(texts)}"


def marked(text: str, pieces: int) -> str:
    """Return a text, quoted, before the marks of so many pieces of evidence."""
    return f"{quoted(text)} {''.join(mark(number) for number in range(1, pieces + 1))}".strip()


def renumbered(text: str, pieces: int) -> tuple[str, list[int]]:
    """Return a text with its marks renumbered by first use, and the places of the evidence it cites.

    `pieces`: how many pieces of evidence it could cite. A mark of none of them stays as it is, and is found
    by `citation_status`. Several marks in a pair of brackets are split.
    """
    text = _MARKS.sub(
        lambda match: "".join(f"[{citation.strip()}]" for citation in re.split("[,;]", match[1])), text
    )
    order = dict.fromkeys(int(number) for number in _MARK.findall(text) if 1 <= int(number) <= pieces)
    place = {number: new for new, number in enumerate(order, start=1)}

    def new_mark(match: re.Match[str]) -> str:
        number = int(match[1])
        return mark(place[number]) if number in place else match[0]

    return _MARK.sub(new_mark, text), [number - 1 for number in order]


def with_places(text: str, places: Sequence[str]) -> str:
    """Return a text with its marks replaced: [E1] by the first of these places, and so on."""
    return _MARK.sub(lambda match: places[int(match[1]) - 1], text)


def citation_status(text: str, cited: Sequence[str]) -> str:
    """Return `valid`, or what is wrong: nothing cited, a mark without evidence, evidence never marked."""
    numbers = {int(number) for number in _MARK.findall(text)}
    if not cited and not numbers:
        return "nothing cited"
    beyond = sorted(number for number in numbers if not 1 <= number <= len(cited))
    if beyond:
        return f"marks without evidence: {', '.join(mark(number) for number in beyond)}"
    unused = sorted(set(range(1, len(cited) + 1)) - numbers)
    if unused:
        return f"evidence never marked: {', '.join(mark(number) for number in unused)}"
    return VALID
