"""Comparisons of two rows, columns or groups: more than, as many as, the same, by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.cooccurrence import common_rows, enumerations
from evidence_assets.tables.programs.extrema import extreme_rows
from evidence_assets.tables.programs.extreme_columns import is_turned, named_or_only_columns
from evidence_assets.tables.programs.grammar import Number, Rows, Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import HeaderLink, Link, positions_of
from evidence_assets.tables.programs.number_programs import (
    Aggregate,
    Cell,
    Count,
    LargestGroup,
    Literal,
)
from evidence_assets.tables.programs.proposal import (
    Condition,
    Proposal,
    binding,
    numeric_columns,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.row_programs import AllRows, Meet, Without, meet
from evidence_assets.tables.programs.told_differences import AT_A_TIME, by_how_much, is_difference
from evidence_assets.tables.programs.trigger_lexicon import EACH, adding_words, comparative, exceeding
from evidence_assets.tables.programs.truth_programs import All, Compare, Every

_THAN = frozenset({"than", "then"})
_COMPARATIVE_WITHIN = 14
# Words that place one row before another: ahead of, clear of.
_AHEAD = frozenset({"ahead", "clear"})
_OF_COUNTS = frozenset({"more", "fewer", "less", "often"})


def comparison_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield, for each `than` of the claim, whether the comparison holds."""
    for than, text in enumerate(claim.texts):
        if text not in _THAN or claim.in_condition(than):
            continue
        if any(bound.start <= than < bound.end for bound in claim.bounds):
            continue
        before = range(than - 1, max(-1, than - _COMPARATIVE_WITHIN), -1)
        word = next((n for n in before if comparative(claim.texts[n])), None)
        if word is not None:
            yield from _than(claim, word, than)
    yield from _exceeding(claim)
    for word, text in enumerate(claim.texts):
        if text == "behind" or (text in _AHEAD and claim.texts[word + 1 : word + 2] == ("of",)):
            yield from _than(claim, word, word + (text in _AHEAD))


def _exceeding(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A outlasts B`, `A out-produced B by 8`: A's number is above B's."""
    bounded = positions_of(claim.bounds)
    for word, text in enumerate(claim.texts):
        verb = word + 2 if claim.texts[word : word + 2] == _OUT else word
        if (verb > word or exceeding(text)) and word not in bounded and not claim.in_condition(word):
            yield from _than(claim, word, verb)


_OUT = ("out", "-")


def contrast_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A, not B, has the higher C`, `A rather than B`: A's number is above B's."""
    texts = claim.texts
    place = next(
        (
            n
            for n, text in enumerate(texts)
            if (text == "not" and n and texts[n - 1] in {",", "and"})
            or (text == "rather" and texts[n + 1 : n + 2] == ("than",))
        ),
        None,
    )
    word = next((n for n, text in enumerate(texts) if n != place and comparative(text)), None)
    extreme = next(iter(claim.superlatives), None)
    if place is None or (word is None and extreme is None):
        return
    trigger = word if word is not None else extreme.end - 1 if extreme is not None else 0
    sign = (
        comparative(texts[word]) if word is not None else 1 if extreme is not None and extreme.highest else -1
    )
    before = [link for link in claim.links if link.end <= place and not link.bound]
    after = [link for link in claim.links if link.start > place and not link.bound]
    for column, is_named in named_or_only_columns(claim, _unanchored(claim), trigger):
        first, second = single_rows(claim, before, column), single_rows(claim, after, column)
        if first is None or second is None:
            continue
        program = Compare(Cell(first[0], column), ">" if sign > 0 else "<", Cell(second[0], column))
        if program.run(claim.index).truth is None:
            continue
        if word is None:
            end = Aggregate("highest" if sign > 0 else "lowest", AllRows(), column)
            program = Compare(Cell(first[0], column), "=", end)
        than = [place + 1] if texts[place] == "rather" else []
        bound = binding(claim, [*first[1], *second[1]], [column], [place, trigger, *than])
        yield Proposal("contrast" if is_named else "contrast in the only column", program, bound)
        return


def _unanchored(claim: GroundedClaim) -> list[HeaderLink]:
    """Return the headers that do not name the column of a value behind them."""
    anchoring = {
        (head.start, head.end)
        for position, head in claim.anchors.items()
        if head.end <= position and not is_difference(claim, position)
    }
    return [head for head in claim.linked.headers if (head.start, head.end) not in anchoring]


def _order(text: str) -> int:
    """Return 1 for a word of more or of ahead, -1 for one of less or of behind."""
    return 1 if text in {*_AHEAD, *_OUT} or exceeding(text) else -1 if text == "behind" else comparative(text)


def _than(claim: GroundedClaim, word: int, than: int) -> Iterator[Proposal]:
    sign = _order(claim.texts[word])
    bounded = positions_of(claim.bounds) | positions_of(link for link in claim.links if link.bound)
    rows_told = [link for link in claim.links if not link.bound or link.bound.startswith(AT_A_TIME)]
    before = [link for link in rows_told if link.end <= than]
    thans = [n for n in range(than + 1, len(claim.texts)) if claim.texts[n] in _THAN and n not in bounded]
    end = next(iter(thans), len(claim.texts))
    after = [link for link in rows_told if than < link.start < end]
    heads = _unanchored(claim)
    between = [head for head in heads if word < head.start < than]
    earlier = [head for head in heads if head.end <= word]
    later = [head for head in heads if head.start > than]
    rest = next((n for n in range(than + 1, len(claim.texts)) if claim.texts[n] in _THE_REST), None)
    if rest is not None and adding_words(claim.texts, range(than, len(claim.texts))):
        yield from _than_the_rest(claim, (word, than, rest), [*between, *reversed(earlier), *later], before)
        return
    if claim.texts[than + 1 : than + 2] and claim.texts[than + 1] in _ALL_OTHERS:
        yield from _than_any(claim, (word, than, than + 1), [*between, *reversed(earlier), *later], before)
        return
    if not after and later and (between or earlier):
        named_rows = [link for link in before if link.number is None]
        yield from _columns(claim, (word, than), [*earlier, *between][-1], later[0], named_rows)
        return
    extreme = next((superlative for superlative in claim.superlatives if superlative.start > than), None)
    rival_rows = extreme_rows(claim, extreme) if extreme is not None else None
    if before and (after or rival_rows is not None):
        ordered_heads = [*between, *reversed(earlier), *later]
        yield from _rows(claim, (word, than), ordered_heads, before, after, rival_rows)
    if before and after and claim.texts[word] in _OF_COUNTS:
        yield from _counted(claim, (word, than), sign, before, after)


def comparisons_with_rows(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the rows whose number is above, or below, that of a row named behind `than`, or as great.

    A claim says it of `no other` row, of `only` some, of all or of so many.
    """
    for mark, text in enumerate(claim.texts):
        if text in _THAN:
            words = range(max(0, mark - _COMPARATIVE_WITHIN), mark)
            word = next((n for n in reversed(words) if comparative(claim.texts[n])), None)
        elif text == "as" and claim.texts[mark + 1 : mark + 2] not in {("as",), ()}:
            firsts = [n for n in range(mark) if claim.texts[n] == "as" and n + 1 < mark]
            word = firsts[-1] + 1 if firsts else None
        else:
            continue
        after = [link for link in claim.links if link.start > mark and not link.bound]
        if word is None or not after:
            continue
        heads = [head for head in _unanchored(claim) if head.end <= mark]
        ordered_heads = [*(head for head in heads if head.start > word), *reversed(heads)]
        for column, _ in named_or_only_columns(claim, ordered_heads, word):
            compared = single_rows(claim, [_by_name(claim, link) for link in after], column)
            number = Cell(compared[0], column).run(claim.index).number if compared is not None else None
            if compared is None or number is None:
                continue
            equal = text == "as"
            relation = ">=" if equal else ">" if _sign(claim, word, column) > 0 else "<"
            rows = operations.rows_within(claim.index.series[column], relation, number)
            rows -= compared[0].run(claim.index).rows if equal else frozenset()
            bound = f"{relation} {number:g}"
            link = Link.of_column(word, word + 1, column, rows - claim.index.summaries, bound)
            operators = (word, mark, *((word - 1,) if equal else ()))
            yield Condition(link, (column,), operators, tuple(compared[1]))
            break


def _by_name(claim: GroundedClaim, link: Link) -> Link:
    """Return a link restricted to the column that names rows, where it is the whole of such a name."""
    label = claim.index.table.label_column
    return link.within([label]) if label is not None and label in link.full else link


_ALL_OTHERS = frozenset(
    {"any", "all", "every", "each", "anyone", "anybody", "anything", "everyone", "everybody"}
)


def _than_any(
    claim: GroundedClaim, words: tuple[int, int, int], heads: Sequence[HeaderLink], before: list[Link]
) -> Iterator[Proposal]:
    """Yield `A has more C than any other`: A's number is above the highest of all others; or A's count is."""
    scope_links = [link for link in claim.links if link.start > words[1]]
    scope = meet([where(claim, link) for link in scope_links])
    for column, is_named in named_or_only_columns(claim, heads, words[0]):
        sign = _sign(claim, words[0], column)
        subject = single_rows(claim, before, column)
        if subject is None:
            continue
        best_of_others = Aggregate("highest" if sign > 0 else "lowest", Without(scope, subject[0]), column)
        program = Compare(Cell(subject[0], column), ">" if sign > 0 else "<", best_of_others)
        if program.run(claim.index).truth is not None:
            kind = "comparison with all" if is_named else "comparison with all in the only column"
            yield proposed(claim, kind, program, [*subject[1], *scope_links], [column], words)
            break
    for link in before:
        for column in sorted(link.places):
            if len(link.places[column]) > 1 and comparative(claim.texts[words[0]]) > 0:
                named_rows = where(claim, link.within([column]))
                largest = LargestGroup(Without(scope, named_rows), column)
                program = Compare(Count(Meet((scope, named_rows))), ">", largest)
                yield proposed(claim, "count above all", program, [link, *scope_links], (), words)
                return


_THE_REST = frozenset({"other", "others", "rest"})


def _than_the_rest(
    claim: GroundedClaim, words: tuple[int, int, int], heads: Sequence[HeaderLink], before: list[Link]
) -> Iterator[Proposal]:
    """Yield `A has more C than the seven others combined`: A's number is above the sum of all others."""
    word, than, _ = words
    counts = [n for n in range(than, len(claim.texts)) if claim.tokens[n].number is not None]
    scope_links = [link for link in claim.links if link.start > than and link.start not in counts]
    scope = meet([where(claim, link) for link in scope_links])
    operators = [*words, *adding_words(claim.texts, range(than, len(claim.texts)))]
    operators += [n for n in range(word) if claim.texts[n] in {"alone", "itself"}]
    for column, is_named in named_or_only_columns(claim, heads, word):
        subject = single_rows(claim, before, column)
        if subject is None or column in claim.index.dated or column in claim.index.years:
            continue
        others = Without(scope, subject[0])
        relation = ">" if _sign(claim, word, column) > 0 else "<"
        program: Truth = Compare(Cell(subject[0], column), relation, Aggregate("sum", others, column))
        if program.run(claim.index).truth is None:
            continue
        if len(counts) == 1:
            number = Literal(float(claim.tokens[counts[0]].number or 0))
            program = All((program, Compare(Count(others), "=", number)))
        kind = "comparison with the rest" if is_named else "comparison with the rest in the only column"
        yield proposed(claim, kind, program, [*subject[1], *scope_links], [column], operators, counts[:1])
        return


def _rows(
    claim: GroundedClaim,
    words: tuple[int, int],
    heads: Sequence[HeaderLink],
    before: list[Link],
    after: list[Link],
    rival_rows: Rows | None,
) -> Iterator[Proposal]:
    """Yield the comparison of two rows' numbers in the first column that both have one in."""
    word, than = words
    for column, is_named in named_or_only_columns(claim, heads, word):
        first = _side(claim, before, column, range(than))
        second = (
            (Cell(rival_rows, column), [], [])
            if rival_rows is not None
            else _side(claim, after, column, range(than, len(claim.texts)))
        )
        if first is None or second is None or first[0] == second[0]:
            continue
        (left, left_links, left_words), (right, right_links, right_words) = first, second
        sign = _sign(claim, word, column)
        extreme = next((item for item in claim.superlatives if item.start > words[1]), None)
        of_extreme = range(extreme.start, extreme.end) if rival_rows is not None and extreme else ()
        operators = [*words, *of_extreme, *left_words, *right_words]
        named_links = [*left_links, *right_links]
        kind, program, number = by_how_much(claim, word, sign, left, right)
        if program.run(claim.index).truth is None:
            continue
        kind = kind if is_named else f"{kind} in the only column"
        columns, both = [column], _both_years(claim, column)
        if both is not None and isinstance(left, Cell) and isinstance(right, Cell) and not number:
            relation = ">" if sign > 0 else "<"
            sides = [(replace(left, column=year), replace(right, column=year)) for year in both.columns]
            program = All(tuple(Compare(first, relation, second) for first, second in sides))
            columns, operators = [*both.columns], [*operators, both.word]
        yield proposed(claim, kind, program, named_links, columns, operators, number)
        return


class _Both(NamedTuple):
    """The columns of two years in which a claim says the same, and where it says `both`."""

    columns: tuple[int, ...]
    word: int


def _both_years(claim: GroundedClaim, column: int) -> _Both | None:
    """Return the columns of `in both 2020 and 2021`; None where a claim speaks of one of them alone."""
    word = claim.position({"both"})
    heads = [head for head in claim.linked.headers if word is not None and head.start > word]
    columns = tuple(c for head in heads for c in head.columns if c in claim.index.year_columns)
    years = {claim.index.year_columns[c] for c in columns}
    is_two = column in columns and len(columns) == len(years) == 2
    return _Both(columns, word) if is_two and word is not None else None


def _side(
    claim: GroundedClaim, links: list[Link], column: int, span: range
) -> tuple[Number, list[Link], list[int]] | None:
    """Return the number of one side of a comparison, its links, and the words that say that it is a sum."""
    adding = adding_words(claim.texts, span)
    parts = [link for link in links if link.number is None and column not in link.places]
    several = len(parts) > 1 and not common_rows(tuple(parts))
    if adding and (several or (len(parts) == 1 and len(parts[0].rows) > 1)):
        return Aggregate("sum", restricted(claim, parts), column), parts, adding
    rows = single_rows(claim, links, column)
    return None if rows is None else (Cell(rows[0], column), rows[1], [])


def _sign(claim: GroundedClaim, word: int, column: int) -> int:
    """Return 1 where a comparative asks for the larger number, else -1: the older date is the smaller."""
    text = claim.texts[word]
    dated = column in claim.index.dated or column in claim.index.years
    if dated and text in {"older", "younger", "newer"}:
        return -1 if text == "older" else 1
    # `more quickly` is as quick.
    graded = (
        claim.texts[word + 1] if text in {"more", "less"} and claim.texts[word + 1].endswith("ly") else text
    )
    return -_order(text) if is_turned(claim.index, graded.removesuffix("ly"), column) else _order(text)


def single_rows(claim: GroundedClaim, links: list[Link], column: int) -> tuple[Rows, list[Link]] | None:
    """Return the only row that all links name, else the only row of the first link that names just one."""
    links = [link for link in links if column not in link.places or link.number is None]
    numbers = claim.index.series[column]
    if len(common_rows(tuple(links)) & numbers.keys()) == 1:
        return meet([where(claim, link) for link in links]), links
    for link in links:
        if len(link.rows & numbers.keys()) == 1:
            return where(claim, link), [link]
    return None


def _columns(
    claim: GroundedClaim,
    words: tuple[int, int],
    left_head: HeaderLink,
    right_head: HeaderLink,
    links: list[Link],
) -> Iterator[Proposal]:
    """Yield the comparison of two columns in one row."""
    index = claim.index
    rows = meet([where(claim, link) for link in links])
    for left in numeric_columns(claim, [left_head]):
        for right in numeric_columns(claim, [right_head]):
            shared = rows.run(index).rows & index.series[left].keys() & index.series[right].keys()
            if left != right and len(shared) > 1:
                yield from _counted_rows(claim, words, (left, right), links, shared)
                return
            factor = index.factor(left, right)
            if left == right or len(shared) != 1 or factor is None:
                continue
            kind, program, number = by_how_much(
                claim, words[0], _sign(claim, words[0], left), Cell(rows, left), Cell(rows, right, factor)
            )
            yield proposed(claim, f"{kind} of columns", program, links, [left, right], words, number)
            return


def _counted_rows(
    claim: GroundedClaim,
    words: tuple[int, int],
    columns: tuple[int, int],
    links: list[Link],
    shared: frozenset[int],
) -> Iterator[Proposal]:
    """Yield in how many rows, in all or in any, a column's number is above another's."""
    left, right = (claim.index.series[column] for column in columns)
    factor = claim.index.factor(*columns)
    if factor is None:
        return
    relation = ">" if _sign(claim, words[0], columns[0]) > 0 else "<"
    rows = frozenset(row for row in shared if operations.compare(left[row], relation, factor * right[row]))
    condition = f"{relation} {claim.index.table.header[columns[1]]}"
    above = Link.of_column(words[0], words[1] + 1, columns[0], rows, condition)
    counts = [
        n
        for n, token in enumerate(claim.tokens)
        if token.number is not None
        and not token.ordinal
        and n < words[0]
        and token.number == int(token.number)
        and not claim.linked.in_header(n)
    ]
    quantifiers = [n for n, text in enumerate(claim.texts) if text in EACH]
    names = [link for link in links if link.start not in counts]
    scope = meet([where(claim, link) for link in names])
    nouns = [head for head in claim.linked.headers if counts and 0 < head.start - counts[0] <= 2]
    noun_columns = [column for head in nouns for column in head.columns]
    bound = binding(claim, names, [*columns, *noun_columns], [*words, *counts[:1], *quantifiers])
    fitting = Meet((scope, where(claim, above)))
    if counts:
        number = Literal(float(claim.tokens[counts[0]].number or 0))
        yield Proposal("count of compared rows", Compare(Count(fitting), "=", number), bound)
    elif quantifiers:
        yield Proposal("all compared rows", Every(scope, where(claim, above)), bound)


def _counted(
    claim: GroundedClaim, words: tuple[int, int], sign: int, before: list[Link], after: list[Link]
) -> Iterator[Proposal]:
    """Yield the comparison of the numbers of rows that have two values of a column."""
    pairs = [
        (first, second, column)
        for first in before
        for second in after
        for column in sorted(first.places.keys() & second.places.keys())
        if len(first.places[column]) > 1 or len(second.places[column]) > 1
    ]
    if not pairs:
        return
    first, second, column = pairs[0]
    unpaired = [link for link in before if link is not first]
    shared = unpaired if unpaired and common_rows((*unpaired, first)) else []
    scope = [where(claim, link) for link in shared]
    left = Count(meet([where(claim, first.within([column])), *scope]))
    right = Count(meet([where(claim, second.within([column])), *scope]))
    _, program, number = by_how_much(claim, words[0], sign, left, right)
    yield proposed(claim, "count comparison", program, [first, second, *shared], (), words, number)


def rivals(claim: GroundedClaim) -> list[Link]:
    """Return the links that are compared: those of a list, else the first two of a column with a row each."""
    groups = enumerations(claim, claim.links)
    if groups:
        return [claim.links[position] for position in groups[0]]
    for position, first in enumerate(claim.links):
        for second in claim.links[position + 1 :]:
            if first.places.keys() & second.places.keys() and len(first.rows) == len(second.rows) == 1:
                return [first, second]
    return []
