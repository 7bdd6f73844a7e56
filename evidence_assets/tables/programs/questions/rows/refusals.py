"""What a question says that rows are not: `not vaccinated`, `other than Ada`, `outside Austria`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.row_programs import Either, Without
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import restricted, where
from evidence_assets.tables.programs.wording.quantifier_words import is_no_longer

_BEHIND_REFUSALS = frozenset({"than", "other", "either", "nor"})
_OR = frozenset({"or", "nor"})
_JOINING = _OR | {",", "the", "in", "a"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rows that have some of a question's values and not others. `words`: that say so."""

    rows: Rows
    words: tuple[int, ...]
    kind: str


def refusal(wording: Wording, links: Sequence[Link]) -> Refusal | None:
    """Return the rows without the values that a question refuses; None where it refuses none of them.

    Each negation refuses the value next behind it, and what `or` joins to that.
    """
    claim = wording.claim
    words: list[int] = []
    refused: list[Link] = []
    kind = ""
    for name in ("negation", "except"):
        for place in wording.of(name):
            behind = sorted((link for link in links if link.start > place), key=lambda link: link.start)
            if behind and behind[0] not in refused:
                members = _joined(wording, behind)
                refused += members
                gap = range(place + 1, members[-1].start)
                words += [place, *(n for n in gap if claim.texts[n] in _BEHIND_REFUSALS)]
                words += [place + 1] if is_no_longer(claim.texts, place) else []
                kind = kind or name
    if not refused:
        return None
    affirmed = [link for link in links if link not in refused]
    parts = tuple(where(claim, link) for link in refused)
    excluded = parts[0] if len(parts) == 1 else Either(parts)
    return Refusal(Without(restricted(claim, affirmed), excluded), tuple(words), kind)


def _joined(wording: Wording, links: Sequence[Link]) -> list[Link]:
    """Return the first of some links and those of its columns that `or` joins to it."""
    first, *others = links
    members = [first]
    for link in others:
        between = wording.claim.texts[members[-1].end : link.start]
        are_joined = _JOINING.issuperset(between) and not _OR.isdisjoint(between)
        if not are_joined or first.places.keys().isdisjoint(link.places):
            break
        members.append(link)
    return members
