"""Claims of what is commonest: `A wrote the most`, where rows are counted, as no column tells how many."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, LargestGroups, Meet
from evidence_assets.tables.programs.grammar.truth_programs import Some
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_year
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, restricted, where
from evidence_assets.tables.programs.readings.parts.target_columns import target_column
from evidence_assets.tables.programs.wording.superlative_words import COMMON, Superlative, commonness
from evidence_assets.tables.programs.wording.trigger_lexicon import MOST_OR_FEWEST

_NUMBERS_OF = (("number", "of"), ("amount", "of"))


def commonest_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a value is the commonest of its column, or the rarest, in the rows of the others."""
    yield from _commonest_in_a_year(claim)
    yield from _most_numerous(claim)
    for extreme in claim.superlatives:
        if not _counts(claim, extreme) or target_column(claim, extreme) is not None:
            continue
        for answer in claim.links:
            if answer.number is not None or answer.bound:
                continue
            scope = [link for link in claim.links if link is not answer]
            for column in sorted(answer.places):
                chosen = LargestGroups(restricted(claim, scope), column, extreme.highest)
                if chosen.run(claim.index).rows:
                    program = Some(Meet((chosen, where(claim, answer.within([column])))))
                    operators = range(extreme.start, extreme.end)
                    yield proposed(claim, "commonest", program, [*scope, answer], [column], operators)


def _commonest_in_a_year(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `in 2010 A was the second most common`: the column of that year tells."""
    column, texts = column_of_year(claim), claim.texts
    most = [n for n in range(len(texts) - 1) if texts[n] in {"most", "least"} and texts[n + 1] in _COMMON]
    names = [link for link in claim.names if link.places]
    if column is None or len(most) != 1 or not names:
        return
    word = most[0]
    before = claim.tokens[word - 1] if word else None
    ordinal = before is not None and before.ordinal
    place = int(before.number or 1) if before is not None and ordinal else 1
    chosen = Extreme(AllRows(), column, place, texts[word] == "most")
    program = Some(Meet((chosen, restricted(claim, names))))
    yield proposed(claim, "superlative", program, names, [column], range(word - ordinal, word + 2))


_COMMON = COMMON | {"important", "used"}


def _most_numerous(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what is the most numerous, the second most common: by a column that counts it, or by rows."""
    common = commonness(claim.tokens)
    names = [link for link in claim.names if link.places]
    if len(common) != 1 or not names or column_of_year(claim) is not None:
        return
    by, extreme = _column_by_which(claim), common[0]
    columns = [by[0]] if by is not None else _columns_of_counts(claim)
    if len(columns) == 1:
        said = [*range(extreme.start, extreme.end), *(by[1] if by is not None else ())]
        yield from _most_numerous_in(claim, names, extreme, columns[0], said)
    if not columns and extreme.place == 1:
        yield from _commonest_of_a_noun(claim, names, extreme)


def _most_numerous_in(
    claim: GroundedClaim, names: list[Link], extreme: Superlative, column: int, said: list[int]
) -> Iterator[Proposal]:
    """Yield `A is the second most numerous kind`, of the column that counts what each row is."""
    label = claim.index.table.label_column
    answers = [link for link in names if label in link.places and len(link.rows) == 1]
    if len(answers) == 1:
        scope = [link for link in names if link is not answers[0]]
        chosen = Extreme(restricted(claim, scope), column, extreme.place, extreme.highest)
        program = Some(Meet((chosen, where(claim, answers[0]))))
        yield proposed(claim, "superlative", program, names, [column], said)


def _commonest_of_a_noun(claim: GroundedClaim, names: list[Link], extreme: Superlative) -> Iterator[Proposal]:
    """Yield `B is the most common colour`, of what no column counts: by how many rows have it."""
    index, said = claim.index, [*range(extreme.start, extreme.end)]
    noun = claim.tokens[extreme.end].key if extreme.end < len(claim.tokens) else ""
    for column in index.header_postings.get(noun, ()):
        groups = LargestGroups(AllRows(), column, extreme.highest)
        is_only_value = len(names) == 1 and column in names[0].full
        if column != index.table.label_column and is_only_value and groups.run(index).rows:
            program = Some(Meet((groups, where(claim, names[0].within([column])))))
            yield proposed(claim, "commonest", program, names, [column], said)


def _column_by_which(claim: GroundedClaim) -> tuple[int, list[int]] | None:
    """Return the column of `by number of trees`, `measured by visits`, and its words; None without it."""
    texts = claim.texts
    for place in (n for n, text in enumerate(texts) if text == "by"):
        behind = place + 1 + (texts[place + 1 : place + 2] == ("the",))
        behind += 2 * (texts[behind : behind + 2] in _NUMBERS_OF)
        headed = [head for head in claim.linked.headers if head.start == behind or head.start == behind - 1]
        columns = [column for head in headed[:1] for column in claim.index.numeric(head.columns)]
        if len(columns) == 1:
            opening = place - 1 if place and texts[place - 1] in _MEASURED else place
            return columns[0], [*range(opening, behind)]
    return None


_MEASURED = frozenset({"measured", "judged", "ranked", "going"})


def _columns_of_counts(claim: GroundedClaim) -> list[int]:
    """Return the columns that tell how many there are: `Number built`, `Dogs` of a table of dogs."""
    index = claim.index
    numeric = index.numeric_columns
    counts = [column for column in numeric if index.table.header[column].lower().startswith(_COUNTING)]
    of_rows = [
        column
        for column in numeric
        if column != index.table.label_column
        and column not in index.years
        and not index.told_units[column]
        and index.headers[column]
        and index.caption.issuperset(index.headers[column])
    ]
    return counts or of_rows


_COUNTING = ("number", "count", "how many", "quantity", "total number")


def _counts(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a superlative may be of a number of rows: `the most`, `the highest number of`."""
    of_a_number = claim.texts[extreme.end : extreme.end + 2] in _NUMBERS_OF
    plain = extreme.place == 1 and not extreme.temporal
    return plain and (of_a_number or claim.texts[extreme.end - 1] in MOST_OR_FEWEST)
