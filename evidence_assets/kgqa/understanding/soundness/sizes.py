"""The largest and the smallest, where nothing but a rate or a price is told of things."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.queries.algebra import Extreme, Query, Value, comparisons_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.words.literals import in_unit
from evidence_assets.text.words import word_set

_SIZES = word_set("big bigger biggest large larger largest small smaller smallest")
# In which sizes are told.
_OF_SIZES = ("m", "m²", "m³", "kg")


def sizes_of_no_size(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words for sizes that are read as a measure of none, which they are only near to."""
    measures = {
        compared.measure.relation
        for compared in comparisons_of(query.of)
        if isinstance(compared, Extreme) and isinstance(compared.measure, Value)
    }
    units = [lexicon.facts[name].unit for name in measures if name in lexicon.facts]
    if not units or any(in_unit(1.0, unit, size) is not None for unit in units for size in _OF_SIZES):
        return []
    return [
        word.text
        for word in accounting.bindings
        if word.role is Role.MEANING and word.text.lower() in _SIZES and " " in word.target
    ]
