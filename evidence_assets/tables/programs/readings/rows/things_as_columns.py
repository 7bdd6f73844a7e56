"""Claims of how many columns, each a thing, a row says something: `rye is used in two of the four breads`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import HowMany, Literal
from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Not, Some
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.counters import counters_of
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, where
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY, only_word
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, exception
from evidence_assets.tables.table import Kind
from evidence_assets.text.roots import root, word_roots

_FEWEST = 2
_NO, _YES = frozenset({"no", "n", "✗", "none", "-", "–", "—"}), frozenset({"yes", "y", "✓"})
THINGS = "things as columns"
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d")
# Roots of verbs that say that a time is told, as of a stop, and that an amount is.
_STOPPING = word_roots("stop call halt")
_PAYING = word_roots("pay paid bill charge")


@dataclass(frozen=True)
class _Things:
    """What a claim says of a row in columns that are things.

    `has`: by column whether the row has something there. `named`: the columns of things that the claim names.
    `heads`: the words for things in general. `verb`: what says that something is there.
    """

    claim: GroundedClaim
    row: Link
    has: dict[int, Truth]
    named: tuple[int, ...]
    heads: tuple[int, ...]
    verb: int | None

    def propose(self, program: Truth, words: Collection[int]) -> Proposal:
        """Return a program with the row, the things and the words that it binds."""
        words = [*words, *self.heads, *([] if self.verb is None else [self.verb])]
        return Proposal(THINGS, program, binding(self.claim, [self.row], self.has, words))

    def how_many(self, columns: Collection[int], relation: str, number: float) -> Truth:
        """Return whether the row has something in so many of some columns."""
        return Compare(HowMany(tuple(self.has[c] for c in columns)), relation, Literal(number))

    def others(self) -> list[int]:
        """Return the columns of things that the claim does not name."""
        return [column for column in self.has if column not in self.named]


def things_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield in how many things, columns each, a row has something, or that one thing has nothing of it."""
    things = _things(claim)
    if things is None:
        return
    texts = claim.texts
    exactly = [n for n, text in enumerate(texts) if text in EXACTLY]
    quantifier = next((n for n, text in enumerate(texts) if text in EACH | {"both"}), None)
    denial = next((n for n, text in enumerate(texts) if text in {"no", "none", "neither", "not"}), None)
    of_all = [n for n, token in enumerate(claim.tokens) if token.number == len(things.has)]
    if things.named:
        yield from _of_named(things, quantifier, denial)
        return
    counter = next((c for c in counters_of(claim) if c.whole in of_all), None)
    if counter is not None and counter.whole is not None and denial is None:
        words = [*counter.words, *exactly, counter.whole]
        yield things.propose(things.how_many(things.has, counter.relation, counter.number), words)
    elif quantifier is not None and denial is None and (of_all or things.heads):
        if texts[quantifier] == "both" and len(things.has) != _FEWEST:
            return
        yield things.propose(All(tuple(things.has.values())), [quantifier, *of_all[:1]])
    elif denial is not None and texts[denial] != "not" and (of_all or things.heads):
        yield things.propose(things.how_many(things.has, "=", 0.0), [denial, *of_all[:1]])


def _of_named(things: _Things, quantifier: int | None, denial: int | None) -> Iterator[Proposal]:
    """Yield what is said of the things that a claim names: of them, them alone, or all but them."""
    texts = things.claim.texts
    named = tuple(things.has[column] for column in things.named)
    only = only_word(texts)
    is_told = things.verb is not None and quantifier is None
    excepted = exception(texts, range(len(texts)))
    if quantifier is not None and texts[quantifier] in EACH and excepted is not None and denial is None:
        others = All(tuple(things.has[column] for column in things.others()))
        program = All((others, *map(Not, named)))
        yield things.propose(program, [quantifier, excepted])
    elif only is not None and denial is None:
        yield things.propose(All((*named, things.how_many(things.others(), "=", 0.0))), [only])
    elif denial is not None and excepted is None and only is None:
        words = [denial, *(n for n, text in enumerate(texts) if text == "nor")]
        yield things.propose(All(tuple(map(Not, named))), words)
    elif denial is None and excepted is None and (len(named) > 1 or is_told):
        yield things.propose(All(named), [] if quantifier is None else [quantifier])


def _things(claim: GroundedClaim) -> _Things | None:
    """Return what a claim may say of a row in columns of things; None where no row or no thing is meant."""
    index, label = claim.index, claim.index.table.label_column
    columns = [column for column in range(index.table.columns) if column != label]
    rows = [link for link in claim.names_of_rows if label in link.places and len(link.places[label]) == 1]
    if label is None or len(rows) != 1 or len(columns) < _FEWEST or index.year_columns or index.dated:
        return None
    timed = any(_is_timed(claim, column) for column in columns)
    having = _STOPPING if timed else _PAYING
    verb = next((n for n, text in enumerate(claim.texts) if root(text) in having), None)
    if timed and verb is None:
        return None
    strangers = [n for n in claim.linked.unknown if n != verb]
    # Who says what the rows are called speaks of them: `all farms but one grew apples`.
    of_rows = any(label in head.columns and head.start != verb for head in claim.linked.headers)
    if claim.superlatives or of_rows or (_compares(claim) and not claim.tells_signs_alone):
        return None
    (row,) = rows[0].places[label]
    has_any = {column: _has_something(claim, row, column) for column in columns}
    if any(value is None for value in has_any.values()) or not _tells_having(claim, columns):
        return None
    link = rows[0].within([label])
    has: dict[int, Truth] = {
        column: Some(
            meet([where(claim, link), where(claim, _having(claim, row, column, has_any[column] is True))])
        )
        for column in columns
    }
    heads = [head for head in claim.linked.headers if head.columns.isdisjoint({label})]
    # The stews of `two of the three stews` are no more an `Irish stew` than any other.
    counted = {n for n, token in enumerate(claim.tokens) if token.number == len(has) and token.text.isalpha()}
    single = [
        head
        for head in heads
        if len(head.columns) == 1 and head.share > _HALF_OF_A_NAME and head.start not in counted
    ]
    named = tuple(dict.fromkeys(min(head.columns) for head in single))
    if named and verb is not None and strangers:
        # `Was paid late` says more than that it was paid.
        return None
    general = (n for head in heads if head not in single for n in range(head.start, head.end))
    others = [n for n in range(len(claim.texts)) if _is_of_the_caption(claim, n)]
    return _Things(claim, link, has, named, (*general, *others), verb)


def _compares(claim: GroundedClaim) -> bool:
    """Return whether a claim is of bounds, which say more than that something is had."""
    return (
        "than" in claim.texts
        or bool(claim.bounds)
        or bool(claim.signs)
        or any(link.bound and not (set(link.places) <= set(claim.index.flags)) for link in claim.links)
    )


def _tells_having(claim: GroundedClaim, columns: Collection[int]) -> bool:
    """Return whether cells of all of some columns tell what is had, and somewhere that something is not."""
    has_any = [_has_something(claim, row, column) for row in claim.index.rows for column in columns]
    return False in has_any and has_any.count(None) <= len(has_any) * _FEW_UNTOLD


_FEW_UNTOLD, _HALF_OF_A_NAME = 0.2, 0.5


def _has_something(claim: GroundedClaim, row: int, column: int) -> bool | None:
    """Return whether a cell says yes, or a number above zero; None where it tells neither."""
    cell, number = claim.index.table.rows[row][column], claim.index.series[column].get(row)
    text = cell.text.strip().lower()
    if text in _YES | _NO and not claim.signs:
        return text in _YES
    if _CLOCK.fullmatch(text) and _is_timed(claim, column):
        return True
    return number > 0 if cell.value.kind is Kind.NUMBER and number is not None else None


def _is_timed(claim: GroundedClaim, column: int) -> bool:
    """Return whether all cells of a column are times of day or tell that there is none."""
    texts = [cell.text.strip().lower() for cell in claim.index.table.column(column)]
    times = sum(":" in text and _CLOCK.fullmatch(text) is not None for text in texts)
    return times > 0 and times + sum(text in _NO for text in texts) == len(texts)


def _having(claim: GroundedClaim, row: int, column: int, has: bool) -> Link:
    """Return the link to a row, where it has something in a column."""
    rows = frozenset({row} if has else ())
    return Link.of_column(0, 0, column, rows, "> 0")


def _is_of_the_caption(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is the caption's for what the columns are, and heads no row."""
    token, label = claim.tokens[position], claim.index.table.label_column or 0
    names_rows = token.key in claim.index.headers[label]
    return not token.stop and token.key in claim.index.caption and not names_rows and token.number is None
