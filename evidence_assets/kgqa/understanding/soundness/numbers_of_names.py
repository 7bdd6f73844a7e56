"""Numbers that are a part of a name which the graph lacks: "Berth 9", where there are eight berths."""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.slots.lexicon import Lexicon


def numbers_of_names(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the numbers right behind the noun of a type whose members are called by it and a number.

    So is what a noun in capitals has behind it, within a question.
    """
    return [
        number.text
        for place, (noun, number) in enumerate(pairwise(accounting.bindings))
        if noun.role is Role.TYPE
        and number.start == noun.end + 1
        and number.text[:1].isdigit()
        and not number.target.startswith("node ")
        and ((place and noun.text[:1].isupper()) or lexicon.names.are_numbered(noun.text))
    ]
