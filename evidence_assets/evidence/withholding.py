"""Where a unit of evidence stands, and what is left of what was given when some of it is withheld."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.stages.withholding import Source


def source_of(unit: EvidenceUnit) -> Source:
    """Return what a unit is withheld with: text with its whole article, anything else by itself."""
    if unit.article_id is not None:
        return Source(ARTICLES.name, unit.article_id)
    return Source(unit.source_table, unit.source_key, unit.row, unit.column)


def without(
    given: Mapping[int, Sequence[Selected]], withheld: Collection[Source]
) -> dict[int, list[Selected]]:
    """Return what each candidate was given but for what is withheld; candidates with nothing left are absent.

    Nothing takes the place of what goes: a list is as much shorter.
    """
    if not withheld:
        return {candidate: list(selected) for candidate, selected in given.items()}
    left = {
        candidate: [entry for entry in selected if source_of(entry.unit) not in withheld]
        for candidate, selected in given.items()
    }
    return {candidate: selected for candidate, selected in left.items() if selected}
