"""Claims whose subject is several rows: `the vans from Osen are red`, `the top three won`.

What a claim says of them it says of each, though no word for all stands in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.truth_programs import All, Every
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.ranks.top_rows import OF_THE_TOP
from evidence_assets.tables.programs.readings.parts.counters import SEVERAL, is_of_an_outcome
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.readings.parts.scopes import is_surely_a_verb, main_verb
from evidence_assets.tables.programs.wording.contest_words import OUTCOMES
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE, each_word, row_nouns
from evidence_assets.tables.programs.wording.words import AUXILIARIES, Token
from evidence_assets.text.function_words import function_words

# Of a claim with one of these it is read elsewhere of how many rows it is.
_QUANTIFYING = SEVERAL | {"both", "only", "or", "either", "most", "together", "some", "same", "different"}


def plural_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether each of the rows that a claim is about has what is said of them."""
    if not _QUANTIFYING.isdisjoint(claim.texts) or claim.superlatives or claim.bounds:
        return
    if claim.negation is None and each_word(claim.texts) is None:
        yield from _of_several_rows(claim)
        yield from _of_a_column(claim)


def _of_a_column(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `before 1971 the surface was clay`: what is said of a column is said of all rows of a span."""
    verb = claim.position({"be"})
    heads = [head for head in claim.linked.headers if verb is not None and head.end <= verb]
    heads = [head for head in heads if claim.texts[head.start - 1 : head.start] in (("the",), ())]
    if verb is None or len(heads) != 1 or len(heads[0].columns) != 1:
        return
    predicates = [
        link for link in claim.links if link.start > verb and link.places.keys() == heads[0].columns
    ]
    spans = [link for link in claim.links if link not in predicates]
    scope = restricted(claim, spans)
    is_of_spans = all(link.bound.startswith(_SPANS) for link in spans)
    if predicates and spans and is_of_spans and len(scope.run(claim.index).rows) > 1:
        program = Every(scope, restricted(claim, predicates))
        yield proposed(claim, "all", program, [*spans, *predicates], operators=[verb])


_SPANS = ("<", ">", "between", "from")


def _of_several_rows(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `the vans from Osen are red`: each of the rows that a subject in the plural names is so."""
    start = _opening(claim)
    if start is None:
        return
    verb = _verb(claim, start)
    if verb is None:
        return
    number = _number_of(claim, start)
    slices = [link for link in claim.links if link.start == start + 1 and link.bound.startswith(_SLICES)]
    is_slice = bool(slices) and len(slices[0].rows) > 1
    if number is None and not is_slice and not _is_plural(claim, range(start + 1, verb)):
        return
    scope_links = [link for link in claim.links if link.end <= verb and link.start != number]
    predicates = [link for link in claim.links if link.start >= verb]
    counts = any(is_of_an_outcome(claim, n) for n in range(verb + 1, len(claim.texts)))
    if not predicates or counts or any(link.number is not None and not link.bound for link in predicates):
        # What several have may be told of them together, as how many contests they won.
        return
    scope = restricted(claim, scope_links)
    program: Truth = Every(scope, restricted(claim, predicates))
    operators = [start] if start >= 0 else []
    if number is not None:
        program, operators = All((are_so_many(claim, scope, number), program)), [start, number]
    yield proposed(claim, "all", program, [*scope_links, *predicates], operators=operators)


# The first two of the table, and the two longest.
_SLICES = ("in the ", OF_THE_TOP)


def opens_with_several(claim: GroundedClaim) -> bool:
    """Return whether a claim opens with a plural of its rows: `flats with a balcony`, `the red vans`.

    Where it names one of them it is of that one.
    """
    label, names = claim.index.table.label_column, {link.start for link in claim.names}
    start = int("".join(claim.texts[:1]) in _DEFINITE)
    if any(label in link.full and len(link.rows) == 1 for link in claim.names):
        return False
    for position in range(start, min(start + _FEWEST, len(claim.texts) - 1)):
        token = claim.tokens[position]
        if token.stop or token.number is not None or token.text in _QUANTIFYING or position in names:
            return False
        heads = claim.linked.headers_at(position)
        if any(head.columns == {label} for head in heads) and _ends_in_s(token):
            return True
    return False


def _ends_in_s(token: Token) -> bool:
    """Return whether a word has the form of a plural."""
    return token.text.endswith("s") and not token.text.endswith(_SINGULAR) and token.key != token.text


def _opening(claim: GroundedClaim) -> int | None:
    """Return where the article of a claim's subject stands: first, or behind `in May`, `after 20 May`.

    Before the first word where that is a plural without one: `flats in Osen`.
    """
    first = "".join(claim.texts[:1])
    if first not in _FRONTING:
        return 0 if first in _DEFINITE else -1 if opens_with_several(claim) else None
    ends = {link.end for link in claim.links} | {n + 1 for n, text in enumerate(claim.texts) if text == ","}
    return next((n for n, text in enumerate(claim.texts) if text in _DEFINITE and n in ends), None)


_DEFINITE = frozenset({"the", "these", "those"})
_FRONTING = frozenset({"in", "on", "at", "before", "after", "since", "during", "between", "among", "from"})


def _verb(claim: GroundedClaim, start: int) -> int | None:
    """Return where the verb of a claim stands, though a cell or header may tell it: `the two vans won`."""
    verb = _verb_or_participle(claim, start)
    if verb is None or claim.texts[verb] in AUXILIARIES or claim.texts[verb + 1 : verb + 2] != ("by",):
        return verb
    # Of `the vans made by Alder seat nine` who made them says which are meant.
    return next((link.end for link in claim.names if verb + 2 <= link.start <= verb + _BY_THE), verb)


# So far behind a participle a name stands: `made by the Alder works`.
_BY_THE = 3


def _verb_or_participle(claim: GroundedClaim, start: int) -> int | None:
    """Return where the verb of a claim stands, or a participle before it that tells which rows are meant."""
    verb = main_verb(claim, start)
    if verb is not None:
        return verb
    verbs = [n for n in range(start + 2, len(claim.texts)) if _is_verb(claim, n)]
    opening = next((n for n in range(start + 2, len(claim.texts)) if claim.texts[n] in RELATIVE), None)
    if opening is not None:
        verbs = [n for n in verbs if n < opening] or [n for n in verbs if n > opening][1:]
    return next(iter(verbs), None)


def _is_verb(claim: GroundedClaim, position: int) -> bool:
    return is_surely_a_verb(claim.texts[position]) or claim.tokens[position].key in OUTCOMES


# An article, a number, a noun and a verb.
_FEWEST = 3


def _number_of(claim: GroundedClaim, start: int) -> int | None:
    """Return where it stands how many rows a claim is about: `the three vans`; None where it does not."""
    place = start + 1
    number = claim.tokens[place].number if len(claim.tokens) > start + _FEWEST else None
    counts = number is not None and number == int(number) and 1 < number <= len(claim.index.rows)
    is_of_rows = counts and not claim.tokens[place].ordinal and _names_rows(claim, place + 1)
    return place if is_of_rows else None


def _is_plural(claim: GroundedClaim, subject: range) -> bool:
    """Return whether a subject is a plural of what names its rows, before what says which they are."""
    end = next((n for n in subject if claim.texts[n] in function_words()), subject.stop)
    # Of `the vans made by Alder` the vans are the noun.
    end -= claim.texts[end : end + 1] == ("by",) and is_surely_a_verb(claim.texts[end - 1])
    token = claim.tokens[end - 1]
    return end > subject.start and _ends_in_s(token) and _names_rows(claim, end - 1)


_SINGULAR = ("ss", "is", "us")


def _names_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word stands for rows: of the caption, for rows of any table, or a column's of names.

    What a header itself says in the plural may be several to a row: `activities`.
    """
    table, token = claim.index.table, claim.tokens[position]
    heads = claim.linked.headers_at(position)
    columns = {column for head in heads for column in head.columns}
    of_names = columns and not claim.index.numeric(columns)
    is_plural = any(token.text in table.header[column].lower() for column in columns - {table.label_column})
    return bool(of_names and not is_plural) or token.key in {*claim.index.caption, *row_nouns()}
