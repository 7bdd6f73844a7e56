"""Words that narrow what a claim is of and that no table tells: `wooden ferries`, `on weekdays`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.things import AS_LISTED
from evidence_assets.tables.programs.verdicts.leftovers.names_of_no_row import is_part_of_labels
from evidence_assets.tables.programs.wording.quantities import converted, unit_name
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    EACH,
    WITHOUT_EXCEPTION,
    comparative,
    is_unbroken,
)
from evidence_assets.tables.programs.wording.words import (
    ARTICLES,
    AUXILIARIES,
    POSSESSIVES,
    tokens,
    word_keys,
)
from evidence_assets.text.words import word_set, words


def narrowing(claim: GroundedClaim, untold: Iterable[int]) -> Iterator[int]:
    """Yield where words stand that narrow what a claim is of.

    `untold`: where words stand that nothing of the table tells. These leave another claim; a verb or a noun
    that is left may be another word for what the table tells.
    """
    return (position for position in untold if any(narrows(claim, position) for narrows in _RULES))


_DEFINITE = POSSESSIVES | EACH | {"the", "this", "these", "those", "both"}
_DETERMINERS = _DEFINITE | ARTICLES | {"no", "any", "some"}


def _is_a_source(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word tells whose word it is: the mayor's of `according to the mayor`."""
    if claim.texts[position] in _OPINIONS:
        return True
    start = position - (claim.texts[position - 1] in _DETERMINERS) if position else 0
    return claim.texts[max(0, start - 2) : start] == ("according", "to")


_OPINIONS = frozenset({"opinion", "view", "reckoning"})


def _is_a_condition(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word tells when, for whom or how something is so: `on weekdays`, `without a permit`.

    With an article it rather tells of the table as a whole, `on the list`, or of a kind, `for an hour`.
    """
    texts = claim.texts
    before = position - (texts[position - 1] in _DETERMINERS) if position else 0
    opening = texts[before - 1] if before else ""
    if opening == "without":
        return not is_unbroken(claim.tokens, before - 1) and texts[before] != WITHOUT_EXCEPTION[1]
    is_bare = opening in _CONDITIONING and before == position and texts[position].endswith("s")
    return is_bare and not unit_name(texts[position]) and not _behind_is_told(claim, position)


_CONDITIONING = frozenset({"on", "for", "during", "among", "in", "under", "outside", "despite"})


def _is_of_a_closing_phrase(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is of a phrase that ends a claim and of which no table tells: `with a discount`.

    Or that opens it, up to its comma: `if it rains,`.
    """
    texts, start, end = claim.texts, position, position + 1
    while start and texts[start] not in _OPENING_PHRASES and _says_nothing(claim, start - 1):
        start -= 1
    while end < len(texts) and _says_nothing(claim, end):
        end += 1
    if texts[start] not in _OPENING_PHRASES or texts[position] in _IN_NO_PHRASE or start == position:
        return False
    closes = end == len(texts) or texts[end:] in {(".",), ("!",)} or (not start and texts[end] == ",")
    return closes and texts[start + 1] not in _DEFINITE and not unit_name(texts[position])


_OPENING_PHRASES = _CONDITIONING | word_set("at with by after before if when unless while as within")
_OF_IDIOMS = word_set("row far fact general particular example turn time total average length")
# What they stand before is meant as it is.
_OF_ALL = AS_LISTED | word_set("single individual full whole entire overall sole very reported")
_IN_NO_PHRASE = _OF_IDIOMS | _OF_ALL


def _says_nothing(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is grammatical or unknown to the table: neither a mark nor a number."""
    token = claim.tokens[position]
    if token.mark or token.number is not None or position in claim.linked_positions:
        return False
    return token.stop or not claim.index.says(token.key)


def _behind_is_told(claim: GroundedClaim, position: int) -> bool:
    """Return whether the next word is a unit or one of the table's, so that no condition ends before it."""
    following = position + 1
    return following < len(claim.tokens) and (
        _is_told(claim, following) or bool(unit_name(claim.texts[following]))
    )


def _modifies(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word stands before what rows are, as an adjective does: `two of the wooden ferries`.

    Before another noun of the table it is mostly a part of how that is called, as of `square metres of floor
    space`: on development claims fifteen of sixteen verdicts that leave such a word were right.
    """
    text = claim.texts[position]
    if not position or text.endswith("s") or text in _OF_ALL or comparative(text):
        return False
    ends_a_compound = claim.texts[position - 1] == "-" and position > _TO_A_COMPOUND
    # Of `battery-powered` the first part tells what is meant.
    is_open = ends_a_compound and not _is_told(claim, position - _TO_A_COMPOUND)
    before = claim.tokens[position - 1 - (_TO_A_COMPOUND if is_open else 0)]
    counts = before.number is not None and not before.ordinal
    of_the_extreme = text not in _OF_RUNS and any(extreme.end == position for extreme in claim.superlatives)
    opens = before.text in _DETERMINERS or before.text == "of" or counts or of_the_extreme
    return opens and _names_rows(claim, position + 1, single=before.text in _SINGLE or of_the_extreme)


# Of the most such years, a row each, is told how many there are.
_OF_RUNS = frozenset({"consecutive", "successive", "straight", "different"})
# Behind these one thing stands for all.
_SINGLE = EACH | {"no", "any"}
# So many tokens before the last word of a compound belong to it: `the all-electric vans`.
_TO_A_COMPOUND = 2


def open_compounds(claim: GroundedClaim) -> Iterator[int]:
    """Yield both words of compounds whose second alone a header says: `single-axle` of a column of axles.

    The first says which rows are meant, and nothing of the table tells it.
    """
    for position in range(1, len(claim.texts) - 2):
        first, second = position - 1, position + 1
        is_open = claim.texts[position] == "-" and first not in claim.linked_positions
        noun = claim.texts[second + 1]
        if is_open and claim.tokens[first].number is None and second in claim.headed and noun.endswith("s"):
            yield from (first, second)


def _names_rows(claim: GroundedClaim, position: int, *, single: bool) -> bool:
    """Return whether a noun is what rows are, by the caption or the header of their names."""
    label = claim.index.table.label_column
    names = claim.index.headers[label] if label is not None else ()
    return any(
        (token.key in claim.index.caption or token.key in names) and (single or token.text.endswith("s"))
        for token in claim.tokens[position : position + 1]
    )


def _is_told(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is a noun or name that the table says."""
    token = claim.tokens[position]
    if token.stop or token.mark or token.number is not None or token.text in AUXILIARIES:
        return False
    return position in claim.linked_positions or claim.index.says(token.key)


def _opens_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether a claim opens with a word that makes a name another one: `New Harwick`."""
    if position or not claim.tokens[0].cased or claim.texts[0].endswith("ing"):
        return False
    return any(link.start == 1 and claim.tokens[1].cased for link in claim.names)


def _ends_a_part_of_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word makes something else of a part of a name: `feed trucks were`, of `feed costs`."""
    behind = "".join(claim.texts[position + 1 : position + 2])
    if behind not in AUXILIARIES:
        return False
    label = claim.index.table.label_column
    return any(link.end == position and is_part_of_labels(link, label) for link in claim.names)


def _ends_a_part_of_a_term(claim: GroundedClaim, position: int) -> bool:
    """Return whether a noun stands where a header or cell has another: `plate glove per meal`."""
    texts, index = claim.texts, claim.index
    behind = "".join(texts[position + 1 : position + 2])
    before = claim.tokens[position - 1] if position else None
    if before is None or before.capital or behind not in _BEHIND_NOUNS:
        return False
    header = (index.table.header[c] for h in claim.linked.headers if h.end == position for c in h.columns)
    # Behind a name, `Una swam in 2020`, the word may be a verb.
    cells = (
        index.table.rows[row][column].text
        for link in claim.names
        if link.end == position and not link.bound and not before.cased
        for column, rows in link.places.items()
        for row in rows
    )
    terms = [*header, *cells]
    return (
        bool(terms)
        and not texts[position].endswith("ed")
        and all(_goes_on(term, before.key) for term in terms)
    )


_BEHIND_NOUNS = AUXILIARIES | word_set("of in at on per by for and or than with , .") | {""}


def _goes_on(term: str, key: str) -> bool:
    """Return whether a header or cell has a word directly behind one: `waste` of `Plate waste (g)`."""
    words = tokens(term)
    return any(
        word.key == key and not following.mark and not following.stop and following.number is None
        for word, following in pairwise(words)
    )


def _is_of_another_unit(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number that columns tell in units is of something else: `above 2,000 gloves`."""
    before = claim.tokens[position - 1] if position else None
    if before is None or before.number is None or before.ordinal or before.text.isalpha():
        return False
    unit = unit_name(claim.texts[position])
    units = {name for names in claim.index.told_units for name in names}
    if unit[:1].isalpha() and unit not in _MAY_BE_MONEY and not _is_a_rate(claim, position):
        return bool(units) and all(converted(1.0, unit, name) is None for name in units)
    if not claim.texts[position].endswith("s"):
        return False
    return any(
        link.end == position and any(claim.index.units[column][1] for column in link.places)
        for link in claim.links
    )


_MAY_BE_MONEY = frozenset({"pound"})


def _changes_a_measure(claim: GroundedClaim, position: int) -> bool:
    """Return whether an adjective makes a header's numbers or times others: `the outstanding value`.

    Other words before a header are mostly a part of how it is called, see `_modifies`.
    """
    index = claim.index
    behind = (head for head in claim.linked.headers if head.start == position + 1)
    columns = [column for head in behind for column in head.columns]
    measured = any(index.is_numeric(column) or column in index.dated for column in columns)
    return measured and claim.texts[position] in _CHANGING


_CHANGING = word_set("""
    outstanding initial former old previous prior next original discounted reduced expected forecast projected
    planned estimated targeted predicted export import domestic weekend weekday remaining provisional interim
    minimum maximum new additional extra further spare rear front unused damaged broken
""")


def _is_its_own_best(claim: GroundedClaim, position: int) -> bool:
    """Return whether a best is one of what the same row did at other times: `a personal best`."""
    is_before = any(extreme.start == position + 1 for extreme in claim.superlatives)
    return is_before and claim.texts[position] in _OF_ONESELF


_OF_ONESELF = frozenset({"personal", "career", "lifetime", "own", "seasonal"})


def _is_another_measure(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word behind a header is of something else measured: `melon prices`, of tonnes."""
    return claim.tokens[position].key in _MEASURES and position - 1 in claim.headed


_MEASURES = word_keys("price cost import export tax demand wage fee")


def _is_opposed(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is the contrary of what the header behind it says: inner of an outer width."""
    contrary = _CONTRARIES.get(claim.texts[position])
    heads = [head for head in claim.linked.headers if head.start == position + 1]
    names = [claim.index.table.header[column].lower() for head in heads for column in head.columns]
    return contrary is not None and bool(names) and all(contrary in words(name) for name in names)


_PAIRS = (
    *(("inner", "outer"), ("internal", "external"), ("upper", "lower"), ("front", "rear"), ("gross", "net")),
    *(("left", "right"), ("indoor", "outdoor"), ("inside", "outside"), ("initial", "final"), ("old", "new")),
    *(("minimum", "maximum"), ("domestic", "foreign"), ("male", "female"), ("summer", "winter")),
    *(("full", "empty"), ("paid", "unpaid"), ("buying", "selling"), ("inward", "outward")),
)
_CONTRARIES = {**dict(_PAIRS), **{second: first for first, second in _PAIRS}}


def _is_a_rate(claim: GroundedClaim, position: int) -> bool:
    """Return whether a unit is of so much for each of something: `7 tonnes a hectare`."""
    return "".join(claim.texts[position + 1 : position + 2]) in {"a", "an", "per", "/", "each"}


_RULES = (
    _is_a_source,
    _is_a_condition,
    _is_of_a_closing_phrase,
    _modifies,
    _opens_a_name,
    _ends_a_part_of_a_name,
    _ends_a_part_of_a_term,
    _is_of_another_unit,
    _is_another_measure,
    _changes_a_measure,
    _is_its_own_best,
    _is_opposed,
)
