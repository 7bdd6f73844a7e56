"""Claims that deny something of all rows: that none, neither, nobody has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Either, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.scopes import (
    but_behind,
    is_a_verb_of_a_header,
    main_verb,
    scope_and_predicates,
)
from evidence_assets.tables.programs.readings.rows.exceptions import nothing_but_programs
from evidence_assets.tables.programs.wording.quantifier_words import none_words
from evidence_assets.tables.programs.wording.trigger_lexicon import NOBODY, exception, restricting
from evidence_assets.tables.programs.wording.words import POSSESSIVES
from evidence_assets.text.dates import is_year


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
    if _leaves_which_rows(claim, position) or (excepted is not None and texts[position] == "none"):
        return
    absent, number = list(_absent(claim)), _number_of(claim, position)
    links = [*(link for link in claim.links if link.start > position and link.start != number), *absent]
    if not links:
        yield from _none_has_any(claim, words)
    if not links or (len(links) == 1 and not position and not _says_more(claim, words, links[0])):
        # That a value stands in the table denies nothing that is said of it.
        return
    if excepted is not None and any(link.start > excepted for link in links):
        yield from _none_but(claim, links, [*words, excepted])
        return
    joints = {"nor", "or"} if len(links) > 1 and not all(link.rows for link in links) else {"nor"}
    words = sorted({*words, *(n for n, text in enumerate(texts) if text in joints)})
    bound = binding(claim, links, operators=words)
    rows = _neither(claim, links) if texts[position] == "neither" else None
    program: Truth = Not(Some(rows or restricted(claim, links)))
    scope = scope_and_predicates(claim, position)[0] if number is not None else []
    if number is not None:
        bound = {**bound, number: (Role.OPERATOR, texts[number])}
        if texts[position] != "neither":
            program = All((are_so_many(claim, restricted(claim, scope), number), program))
    yield Proposal("none", program, bound)


def _done_by_none_but(
    claim: GroundedClaim, exceptions: Sequence[Link], words: Sequence[int]
) -> Iterator[Proposal]:
    """Yield `nobody but A and B won`: each row tells that one of them did, and each of them did."""
    deeds = [n for n in range(words[0], len(claim.texts)) if is_a_verb_of_a_header(claim, n)]
    heads = [head for head in claim.linked.headers if any(head.start <= n < head.end for n in deeds)]
    columns = {column for head in heads for column in head.columns}
    if len(columns) != 1 or any(link.bound or not columns & link.places.keys() for link in exceptions):
        return
    within = [link.within(columns) for link in exceptions]
    either = Either(tuple(where(claim, link) for link in within))
    program = All((Every(AllRows(), either), *(Some(where(claim, link)) for link in within)))
    yield Proposal("none but", program, binding(claim, within, columns, [*words, *deeds]))


def _leaves_which_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether no part of the table tells which rows a clause means: `neither of those who retired`."""
    clause, verb = restricting(claim.texts, position), main_verb(claim, position)
    if clause is None or verb is None or verb <= clause:
        return False
    return claim.linked_positions.isdisjoint(range(clause, verb))


def _none_but(claim: GroundedClaim, links: Sequence[Link], words: Sequence[int]) -> Iterator[Proposal]:
    """Yield `no A has C apart from B`: B has it, and no other row."""
    exceptions = [link for link in links if link.start > words[-1]]
    said = [link for link in links if link not in exceptions]
    if not said:
        yield from _done_by_none_but(claim, exceptions, words)
        return
    holding = restricted(claim, said)
    others = Not(Some(Without(holding, Either(tuple(where(claim, link) for link in exceptions)))))
    each = (Some(meet([where(claim, link), holding])) for link in exceptions)
    yield Proposal("none but", All((others, *each)), binding(claim, links, operators=words))


def _none_has_any(claim: GroundedClaim, words: Sequence[int]) -> Iterator[Proposal]:
    """Yield `nobody scored in the cup`: the highest of the only column of numbers that is named is zero."""
    index, label = claim.index, claim.index.table.label_column
    heads = [head for head in claim.linked.headers if head.columns != {label} and head.start > words[0]]
    columns = index.numeric({column for head in heads for column in head.columns})
    if len(heads) == 1 and len(columns) == 1 and columns[0] not in index.times and not claim.numbers:
        all_zero = Compare(Aggregate("highest", AllRows(), columns[0]), "=", Literal(0.0))
        yield Proposal("none of a column", all_zero, binding(claim, [], columns, words))


def _number_of(claim: GroundedClaim, position: int) -> int | None:
    """Return where a claim tells how many there are that it denies something of: `none of the three`."""
    place = position + 3
    is_of_the = claim.texts[position + 1 : place] in _OF_THE
    tells = is_of_the and place < len(claim.tokens) and claim.tokens[place].number is not None
    return place if tells and not claim.tokens[place].ordinal and claim.tokens[place].text.isalpha() else None


_OF_THE = {("of", word) for word in ("the", "these", "those", *sorted(POSSESSIVES))}


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
        if column is None:
            continue
        of_years = column in claim.index.years and is_year(claim.texts[place])
        # `Week 3`, of weeks that go by numbers.
        if of_years or (near[-1].end == place and claim.index.numbers_its_rows(column)):
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
    sides = None if groups else _sides_of_neither(claim, links, behind)
    joined = [[links[n]] for n in (groups[0] if groups else (behind - 1, behind))] if sides is None else sides
    said = [link for side in joined for link in side]
    others = [where(claim, link) for link in links if link not in said]
    return meet([Either(tuple(meet(where(claim, link) for link in side) for side in joined)), *others])


def _sides_of_neither(claim: GroundedClaim, links: list[Link], behind: int) -> list[list[Link]] | None:
    """Return `A of B` and `C of D` of `neither A of B nor C of D`; None where both are of one name."""
    left, right = links[:behind], [links[behind]]
    for link in links[behind + 1 :]:
        between = claim.texts[right[-1].end : link.start]
        if not between or between[0] not in _OF_A_NAME or len(between) > _LONGEST_JOINT:
            break
        right.append(link)
    alike = len(left) == len(right) > 1 and left[0].places.keys() & right[0].places.keys()
    return [left, right] if alike else None


_OF_A_NAME, _LONGEST_JOINT = frozenset({"of", "from", "for", "in"}), 2


_NO_ONE = ("no", "one")
# A word that denies all rows stands among so many that open a claim.
_OPENING = 6
