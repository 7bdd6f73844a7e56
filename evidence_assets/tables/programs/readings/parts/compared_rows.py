"""The rows that a comparison sets beside each other, and which of their numbers is to be the larger."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.links.ranks.standings import (
    are_places,
    is_of_ranks,
    ranked_columns,
)
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows, enumerations
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_turned
from evidence_assets.tables.programs.readings.parts.proposal import where
from evidence_assets.tables.programs.readings.parts.told_differences import is_difference
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, exceeding
from evidence_assets.tables.programs.wording.words import word_keys
from evidence_assets.text.roots import root, word_roots

# Words that place one row before another: ahead of, clear of.
AHEAD = frozenset({"ahead", "clear"})
# Words that place one time before another, and the sign of their difference.
IN_TIME = {"before": -1, "after": 1}
# Opens a verb of exceeding that is written apart: `out-produced`.
OUT = ("out", "-")
# A comparative stands at most so many words before them.
COMPARATIVE_WITHIN = 14


def unanchored_headers(claim: GroundedClaim) -> list[HeaderLink]:
    """Return the headers that do not name the column of a value behind them."""
    anchoring = {
        (head.start, head.end)
        for position, head in claim.anchors.items()
        if head.end <= position and not is_difference(claim, position)
    }
    return [head for head in claim.linked.headers if (head.start, head.end) not in anchoring]


def order_of(text: str) -> int:
    """Return 1 for a word of more, of ahead or of later, -1 for one of less, of behind or of earlier."""
    if text in AHEAD | {OUT[0]} or exceeding(text):
        return 1
    return -1 if text == "behind" else IN_TIME.get(text, comparative(text))


def sign_of(claim: GroundedClaim, word: int, column: int) -> int:
    """Return 1 where a comparative asks for the larger number, else -1: the older date is the smaller."""
    text = claim.texts[word]
    dated = column in claim.index.dates_and_years
    if text in AHEAD | {"behind"} and not _IN_TURN.isdisjoint(claim.index.headers[column]):
        # Who was picked ahead of another has the lower number.
        return -order_of(text)
    if text in _RANKED_BY and _says_ranks(claim, word) and _tells_places(claim.index, column):
        # `Ranked higher` on a chart is nearer to its top.
        return -order_of(text)
    if dated and text in {"older", "younger", "newer"}:
        return -1 if text == "older" else 1
    # `more quickly` is as quick.
    graded = (
        claim.texts[word + 1] if text in {"more", "less"} and claim.texts[word + 1].endswith("ly") else text
    )
    return -order_of(text) if is_turned(claim.index, graded.removesuffix("ly"), column) else order_of(text)


_IN_TURN = word_keys("pick round overall grid selection")
_RANKED_BY = frozenset({"higher", "lower", "better", "worse"})


def _says_ranks(claim: GroundedClaim, word: int) -> bool:
    """Return whether a comparative is of ranks: `ranked higher`, `the ranking was better`, `placed lower`."""
    return any(root(text) in _OF_RANKING for text in claim.texts[max(0, word - _NEAR_RANK) : word])


_OF_RANKING = word_roots(
    "rank ranked ranking place placed chart charted finish finished seed seeded peak peaked"
)
_NEAR_RANK = 3


def _tells_places(index: TableIndex, column: int) -> bool:
    """Return whether numbers from 1 are places, though no header says rank: `Overall`, `Year-end chart`."""
    named = not _OF_PLACES.isdisjoint(index.headers[column])
    return named and are_places(index, column) and not is_of_ranks(index, column)


_OF_PLACES = word_keys("overall chart peak standings classification ladder league charts")


def single_rows(claim: GroundedClaim, links: list[Link], column: int) -> tuple[Rows, list[Link]] | None:
    """Return the only row that all links name, else the only row of the first link that names just one."""
    links = [link for link in links if column not in link.places or link.number is None]
    links = [link for link in links if not _only_counts(claim, link)]
    numbers = claim.index.series[column].keys() | claim.index.half_open[column].keys()
    if len(common_rows(tuple(links)) & numbers) == 1:
        return meet([where(claim, link) for link in links]), links
    for link in links:
        if len(link.rows & numbers) == 1:
            return where(claim, link), [link]
    return None


def _only_counts(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number names no row: it is of a column of amounts that the claim does not name.

    Of `cheaper than five single days` none has five of something else.
    """
    index = claim.index
    of_rows = {index.table.label_column, *index.times, *ranked_columns(index)}
    is_bare = link.number is not None and not (link.bound or link.start in claim.anchors)
    is_bare = is_bare and not claim.tokens[link.start].ordinal
    return is_bare and of_rows.isdisjoint(link.places) and all(map(index.is_numeric, link.places))


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
