"""Links of what there is none left of, and of what there is: `out of stock`, `sold out`, `in stock`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words import POSSESSIVES, Token, phrase_at, word_keys
from evidence_assets.text.words import word_set

# Headers, as keys, of how much there is of what each row is.
_STOCKS = word_keys("stock inventory remaining")
_NONE, _SOME = (("out", "of", "stock"), ("sold", "out"), ("none", "left")), (("in", "stock"), ("left",))
_ORDERING = word_set("most least fewest than as average total many much")


def stock_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `out of stock` as the rows of which there is none; `in stock`, where no more is said, as others.

    The column is the only one of stocks, in numbers or as yes and no.
    """
    columns = [column for column, keys in enumerate(index.headers) if not _STOCKS.isdisjoint(keys)]
    columns = [column for column in columns if column in index.flags or index.is_numeric(column)]
    if len(columns) != 1:
        return
    (column,) = columns
    texts = [token.text for token in tokens]
    # `42 in stock`, `the most in stock` are of how much there is.
    measures = any(token.number is not None or comparative(token.text) for token in tokens)
    is_bare = not measures and _ORDERING.isdisjoint(texts)
    for start in range(len(tokens)):
        for phrases, relation in ((_NONE, "="), (_SOME, ">")):
            phrase = phrase_at(texts, start, phrases)
            if not phrase or (relation == ">" and not is_bare) or texts[start - 1 : start] == ["out"]:
                continue
            if phrase == ("left",) and not _remains(texts, start):
                continue
            flags = index.flags.get(column)
            if flags is not None:
                rows = flags.no if relation == "=" else flags.yes
            else:
                rows = operations.rows_within(index.series[column], relation, 0.0)
            yield Link.of_column(start, start + len(phrase), column, rows, f"{relation} 0")
            break


def _remains(texts: list[str], position: int) -> bool:
    """Return whether `left` says that there is some of something: of `has cups left`, not `Una left Osen`."""
    before, behind = texts[:position], "".join(texts[position + 1 : position + 2])
    there_is = not _BEING.isdisjoint(before) and before[-1:] != ["have"]
    return there_is and behind not in {"by", "to", "the", "a", "an"} | POSSESSIVES


_BEING = frozenset({"have", "be", "there"})
