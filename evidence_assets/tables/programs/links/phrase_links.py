"""Links of a claim's phrases, which its single words would not make: for times, scores, limits and places."""

from __future__ import annotations

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.cells.compound_links import compound_links
from evidence_assets.tables.programs.links.cells.stock_links import stock_links
from evidence_assets.tables.programs.links.contests.contest_links import margin_links, score_links
from evidence_assets.tables.programs.links.linking import Link, clear_of, positions_of
from evidence_assets.tables.programs.links.quantities.limit_links import limit_links
from evidence_assets.tables.programs.links.ranks.places_beside import links_beside_places
from evidence_assets.tables.programs.links.ranks.row_ranges import slice_links
from evidence_assets.tables.programs.links.ranks.standings import standing_links
from evidence_assets.tables.programs.links.ranks.top_rows import top_links
from evidence_assets.tables.programs.links.times.date_links import links_of_days
from evidence_assets.tables.programs.links.times.days_of_the_week import day_links
from evidence_assets.tables.programs.links.times.level_links import level_links
from evidence_assets.tables.programs.links.times.periods import period_links
from evidence_assets.tables.programs.links.times.spans_of_time import span_links
from evidence_assets.tables.programs.wording.words import Token


def phrase_links(claim_tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return the links of phrases for times, parts of the rows and standings, clear of each other."""
    links = [*period_links(claim_tokens, index), *slice_links(claim_tokens, index)]
    for reads in _OF_PHRASES:
        phrases = [*reads(claim_tokens, index)]
        links += clear_of(positions_of(links), phrases) if phrases else ()
    return links


_OF_PHRASES = (
    margin_links,
    score_links,
    links_of_days,
    level_links,
    span_links,
    standing_links,
    links_beside_places,
    day_links,
    limit_links,
    stock_links,
    top_links,
    compound_links,
)
