"""Claims that deny something of all rows: that none, neither, nobody has it."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import is_year
from evidence_assets.tables.programs.grammar.row_programs import Either, meet
from evidence_assets.tables.programs.grammar.truth_programs import Not, Some
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, restricted, where
from evidence_assets.tables.programs.readings.parts.scopes import but_behind, main_verb
from evidence_assets.tables.programs.readings.rows.exceptions import nothing_but_programs
from evidence_assets.tables.programs.wording.quantifier_words import none_words
from evidence_assets.tables.programs.wording.trigger_lexicon import NOBODY, exception


def none_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what a claim that opens with `no`, `not one`, `nobody` denies of all rows, or of all but some."""
    texts = claim.texts
    nobody = next((n for n, text in enumerate(texts) if text in NOBODY), None)
    but = nobody + 1 if nobody is not None and texts[nobody + 1 : nobody + 2] == ("but",) else None
    if nobody and but is not None:
        yield from nothing_but_programs(claim, nobody)
        return
    if nobody is not None and exception(texts, range(nobody, len(texts))) is not None:
        return
    words = none_words(texts[:_OPENING])
    if not words or (words[0] and "there" not in texts[: words[0]]):
        return
    position = words[0]
    excepted = exception(texts, range(position, len(texts)))
    excepted = but_behind(texts, position) if excepted is None else excepted
    if excepted is not None and texts[position] == "none":
        return
    absent = list(_absent(claim))
    links = [*(link for link in claim.links if link.start > position), *absent]
    if not links or (len(links) == 1 and not position and not _says_more(claim, words, links[0])):
        # That a value stands in the table denies nothing that is said of it.
        return
    joints = {"nor", "or"} if len(absent) > 1 else {"nor"}
    words = sorted({*words, *(n for n, text in enumerate(texts) if text in joints)})
    bound = binding(claim, links, operators=words)
    rows = _neither(claim, links) if texts[position] == "neither" else None
    yield Proposal("none", Not(Some(rows or restricted(claim, links))), bound)


def _says_more(claim: GroundedClaim, words: list[int], link: Link) -> bool:
    """Return whether more is said of a single value than that it is: `no boat was built in 1950`.

    Not `neither did the boat`, nor of what something else is compared with.
    """
    texts, opening = claim.texts, words[0]
    of_nobody = texts[opening] in NOBODY or tuple(texts[opening : opening + 2]) == _NO_ONE
    verb = main_verb(claim, opening)
    is_said = verb is not None and opening + 1 < verb < link.start
    behind_a_verb = is_said and texts[link.start - 1] not in {"than", "as"}
    of_its_column = _is_of_a_named_column(claim, link, opening)
    return bool(link.bound) or behind_a_verb or (of_nobody and link.start in claim.anchors) or of_its_column


def _is_of_a_named_column(claim: GroundedClaim, link: Link, opening: int) -> bool:
    """Return whether a header before a value tells what is said of it: `no boat entered service in 1950`."""
    head = claim.anchors.get(link.start)
    if head is None or claim.index.table.label_column in head.columns:
        return False
    # `Pier 3` says of which rows it is.
    return opening + 1 < head.start and head.end < link.start


def _absent(claim: GroundedClaim) -> Iterator[Link]:
    """Yield values behind the header of a column in which no row has them: of `built in 1950 or 1951`."""
    yield from _absent_codes(claim)
    heads = [head for head in claim.linked.headers if len(head.columns) == 1]
    for place in claim.numbers:
        near = [head for head in heads if 0 <= place - head.end < _NEAR_HEADER]
        column = min(near[-1].columns) if near else None
        if column in claim.index.years and is_year(claim.texts[place]):
            yield Link(place, place + 1, {column: frozenset()}, frozenset(), 1, claim.tokens[place].number)


def _absent_codes(claim: GroundedClaim) -> Iterator[Link]:
    """Yield a capital behind the header of a column of single words: the D of `a grade of D`."""
    index = claim.index
    for head in claim.linked.headers:
        place = head.end + (claim.texts[head.end : head.end + 1] == ("of",))
        column = min(head.columns)
        if len(head.columns) > 1 or place not in claim.linked.unknown or not claim.tokens[place].capital:
            continue
        codes = sum(len(index.keys[row, column]) <= 1 for row in index.rows)
        if codes >= _MOSTLY * len(index.rows):
            yield Link(place, place + 1, {column: frozenset()}, frozenset(), 1)


# So many of a column's cells are codes where it is of such.
_MOSTLY = 0.6
# So many words may stand between a header and a number of its column.
_NEAR_HEADER = 4


def _neither(claim: GroundedClaim, links: list[Link]) -> Rows | None:
    """Return the rows of any value that `neither A, B nor C` joins, with what is denied of all."""
    joint = claim.position({"nor", "or"})
    behind = next((n for n, link in enumerate(links) if joint is not None and link.start > joint), None)
    if not behind:
        return None
    groups = [group for group in enumerations(claim, tuple(links)) if behind in group]
    joined = [links[n] for n in (groups[0] if groups else (behind - 1, behind))]
    others = [where(claim, link) for link in links if link not in joined]
    return meet([Either(tuple(where(claim, link) for link in joined)), *others])


_NO_ONE = ("no", "one")
# A word that denies all rows stands among so many that open a claim.
_OPENING = 6
