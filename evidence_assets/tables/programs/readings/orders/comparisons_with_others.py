"""Comparisons of a row with all others, with the rest together, or with others that only count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Cell, Count, LargestGroup
from evidence_assets.tables.programs.grammar.row_programs import Meet, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.parts.compared_rows import (
    COMPARATIVE_WITHIN,
    sign_of,
    single_rows,
    unanchored_headers,
)
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    kind_by_column,
    named_or_only_columns,
)
from evidence_assets.tables.programs.readings.parts.proposal import (
    Condition,
    Proposal,
    are_so_many,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import THAN, comparative, exception
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words
from evidence_assets.text.words import word_set


def comparisons_with_rows(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the rows whose number is above, or below, that of a row named behind `than`, or as great.

    A claim says it of `no other` row, of `only` some, of all or of so many.
    """
    for mark, text in enumerate(claim.texts):
        if text in THAN:
            words = range(max(0, mark - COMPARATIVE_WITHIN), mark)
            word = next((n for n in reversed(words) if comparative(claim.texts[n])), None)
        elif text == "as" and claim.texts[mark + 1 : mark + 2] not in {("as",), ()}:
            firsts = [n for n in range(mark) if claim.texts[n] == "as" and n + 1 < mark]
            word = firsts[-1] + 1 if firsts else None
        else:
            continue
        after = [link for link in claim.links if link.start > mark and not link.bound]
        if word is None or not after:
            continue
        heads = [head for head in unanchored_headers(claim) if head.end <= mark]
        ordered_heads = [*(head for head in heads if head.start > word), *reversed(heads)]
        for column, _ in named_or_only_columns(claim, ordered_heads, word):
            compared = single_rows(claim, [_by_name(claim, link) for link in after], column)
            number = Cell(compared[0], column).run(claim.index).number if compared is not None else None
            if compared is None or number is None:
                continue
            equal = text == "as"
            relation = ">=" if equal else ">" if sign_of(claim, word, column) > 0 else "<"
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


# Open what `more than any other` is compared with.
ALL_OTHERS = word_set("any all every each anyone anybody anything everyone everybody")


def comparison_with_all(
    claim: GroundedClaim, words: tuple[int, ...], heads: Sequence[HeaderLink], before: list[Link]
) -> Iterator[Proposal]:
    """Yield `A has more C than any other`: A's number is above the highest of all others; or A's count is."""
    if any(head.columns & claim.index.year_columns.keys() for head in heads) and any(
        token.key in TIMES for token in claim.tokens[words[-1] :]
    ):
        # `Than in any other year` is of no other row.
        return
    excepted = exception(claim.texts, range(words[1], len(claim.texts)))
    end = len(claim.texts) if excepted is None else excepted
    scope_links = [link for link in claim.links if words[1] < link.start < end]
    exceptions = [link for link in claim.links if link.start > end]
    scope: Rows = meet([where(claim, link) for link in scope_links])
    if exceptions and excepted is not None:
        scope = Without(scope, restricted(claim, exceptions))
        scope_links, words = [*scope_links, *exceptions], (*words, excepted)
    for column, is_named in named_or_only_columns(claim, heads, words[0]):
        sign = sign_of(claim, words[0], column)
        subject = single_rows(claim, before, column)
        if subject is None:
            continue
        best_of_others = Aggregate("highest" if sign > 0 else "lowest", Without(scope, subject[0]), column)
        program = Compare(Cell(subject[0], column), ">" if sign > 0 else "<", best_of_others)
        if program.run(claim.index).truth is not None:
            kind = kind_by_column("comparison with all", is_named=is_named)
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


THE_REST = frozenset({"other", "others", "rest"})


def comparison_with_the_rest(
    claim: GroundedClaim, words: tuple[int, int, int], heads: Sequence[HeaderLink], before: list[Link]
) -> Iterator[Proposal]:
    """Yield `A has more C than the seven others combined`: A's number is above the sum of all others."""
    word, than, _ = words
    counts = [n for n in range(than, len(claim.texts)) if claim.tokens[n].number is not None]
    scope_links = [link for link in claim.links if link.start > than and link.start not in counts]
    scope = meet([where(claim, link) for link in scope_links])
    operators = [*words, *adding_words(claim.texts, range(than, len(claim.texts)))]
    operators += [n for n in range(word) if claim.texts[n] in {"alone", "itself"}]
    operators += [n for n in range(than, len(claim.texts)) if claim.texts[n] == "all"]
    for column, is_named in named_or_only_columns(claim, heads, word):
        subject = single_rows(claim, before, column)
        if subject is None or column in claim.index.dates_and_years:
            continue
        others = Without(scope, subject[0])
        relation = ">" if sign_of(claim, word, column) > 0 else "<"
        program: Truth = Compare(Cell(subject[0], column), relation, Aggregate("sum", others, column))
        if program.run(claim.index).truth is None:
            continue
        if len(counts) == 1:
            program = All((program, are_so_many(claim, others, counts[0])))
        kind = kind_by_column("comparison with the rest", is_named=is_named)
        yield proposed(claim, kind, program, [*subject[1], *scope_links], [column], operators, counts[:1])
        return
