"""Links of what claims say of contests: by how much they were won, and which side won against which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim, rows_by_column
from evidence_assets.tables.programs.wording.contest_words import LOSE, OUTCOMES, POINTS, WIN, is_beating
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY
from evidence_assets.tables.programs.wording.thresholds import Threshold, thresholds
from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST, RELATIVE_PRONOUNS
from evidence_assets.tables.programs.wording.words import ARTICLES, Token, word_keys
from evidence_assets.text.words import word_set

# Words between `by` and how much.
_BEFORE_MARGINS = word_set("only just exactly a an the margin of single total mere no")
_DECIDING = word_set("decided decide settled")
_MATCHES = word_keys("match game contest result final bout race debate fight fixture meeting encounter")
_SIZES = (HIGHEST | LOWEST) - word_set("best worst most least fewest")
_CLOSEST = word_set("closest narrowest tightest")


def margin_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the links of `by 22 points`, `by more than 40`, `a 5-point win` to contests won by so much."""
    table = index.table
    if not isinstance(table, ContestTable) or table.margin is None:
        return
    limits = {limit.position: limit for limit in thresholds(tokens)}
    numbers = index.series[table.margin]
    for position, token in enumerate(tokens):
        number = 1.0 if token.text == "single" else token.number
        span = None if number is None else _margin_at(tokens, position, limits.get(position))
        if number is None or span is None:
            continue
        relation = limits[position].relation if position in limits else "="
        rows = operations.rows_within(numbers, relation, number)
        yield Link.of_column(span.start, span.stop, table.margin, rows, f"{relation} {number:g}")


def score_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the links of scores, `6 - 0`, to the contests that ended so for either side."""
    table = index.table
    if not isinstance(table, ContestTable) or table.opponent is None or len(table.derived) < _MARGIN_AND_BOTH:
        return
    scored, conceded = (index.series[column] for column in table.derived[1:_MARGIN_AND_BOTH])
    for position in range(len(tokens) - 2):
        first, mark, second = tokens[position : position + 3]
        if mark.text not in {"-", ":"} or first.number is None or second.number is None:
            continue
        pair = {first.number, second.number}
        rows = frozenset(
            row for row, number in scored.items() if row in conceded and {number, conceded[row]} == pair
        )
        if rows:
            column = table.derived[1]
            yield Link(position, position + 3, {column: rows}, frozenset({column}), 2)


_MARGIN_AND_BOTH = 3


def _margin_at(tokens: Sequence[Token], position: int, limit: Threshold | None) -> range | None:
    """Return the words that tell a margin by the number at a position; None where it is none."""
    start, end = (position, position + 1) if limit is None else (limit.start, max(limit.end, position + 1))
    behind = [token for token in tokens[end : end + 3] if token.text != "-"]
    counted = bool(behind) and behind[0].key in POINTS
    if [token.text for token in tokens[end : end + 1]] == ["-"] and behind and behind[0].number is not None:
        # `7 - 2` is a score.
        return None
    if counted and len(behind) > 1 and behind[1].key in OUTCOMES:
        return range(start, end + tokens[end : end + 3].index(behind[1]))
    while start and tokens[start - 1].text in _BEFORE_MARGINS:
        start -= 1
    before = tokens[: start - 1]
    ended = any(
        token.key in OUTCOMES or token.text in _DECIDING or token.text == "margin" for token in before
    )
    if start and tokens[start - 1].text == "be" and any(token.text == "margin" for token in before):
        return range(start, end + counted)
    if not start or tokens[start - 1].text != "by" or not ended:
        return None
    opening = start - 1 - (tokens[start - 2].text in _DECIDING)
    return range(opening, end + counted)


def contest_heads(linked: LinkedClaim) -> Iterator[HeaderLink]:
    """Yield the column of margins behind a superlative: of `the biggest win`, `the closest match`."""
    table = linked.index.table
    if not isinstance(table, ContestTable) or table.margin is None:
        return
    for position, (before, token) in enumerate(zip(linked.tokens, linked.tokens[1:], strict=False), 1):
        of_outcome = before.text in _SIZES and token.key in OUTCOMES
        if of_outcome or (before.text in _CLOSEST and token.key in _MATCHES):
            yield HeaderLink(position, position + 1, frozenset({table.margin}), 1.0)


def is_an_outcome(index: TableIndex, link: Link) -> bool:
    """Return whether a link says how a contest ended."""
    table = index.table
    return isinstance(table, ContestTable) and bool(link.bound) and link.places.keys() == {table.result}


def tells_an_outcome(index: TableIndex, link: Link) -> bool:
    """Return whether a link says how a contest ended, be it by a letter: of `W 21-13`."""
    return is_an_outcome(index, link) or (not link.bound and {*link.places} <= index.outcomes)


def without_sides(linked: LinkedClaim) -> LinkedClaim:
    """Return a claim without the headers of contests' sides: a name beside one may be of the other."""
    table = linked.index.table
    if not isinstance(table, ContestTable) or not table.of_sides:
        return linked
    sides = {table.team, table.opponent}
    return replace(linked, headers=[head for head in linked.headers if not head.columns <= sides])


def with_sides(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, names those of the side or of its opponent as the claim says who won against whom.

    Where rows are of one side, what an opponent won it lost.
    """
    table = linked.index.table
    if not isinstance(table, ContestTable):
        return links
    links = [*_of_columns(linked, links, table)]
    if table.opponent is None:
        return links
    if not table.of_sides or table.team is None:
        return _of_one_side(linked, links, table, table.opponent)
    sides, meant = {table.team, table.opponent}, []
    is_opponent = False
    for link in links:
        if link.number is not None or not sides & link.places.keys():
            meant.append(link)
            continue
        between = any(_is_between(linked.tokens, other) for other in links if other.end <= link.start)
        is_opponent = between or _is_opponent(linked.tokens, link, before=is_opponent)
        restricted = link.within(link.places.keys() - {table.team if is_opponent else table.opponent})
        meant.append(restricted if restricted.places else link)
    return meant


def _is_between(tokens: Sequence[Token], link: Link) -> bool:
    """Return whether a name is the first of two that `between` joins."""
    return "between" in {token.text for token in tokens[max(0, link.start - 2) : link.start]}


def _of_columns(linked: LinkedClaim, links: list[Link], table: ContestTable) -> Iterator[Link]:
    """Yield the links, words for outcomes as conditions on their column.

    Numbers are of what is worked out only beside its header; behind a verb of outcome they count contests.
    """
    for link in links:
        if linked.tokens[link.start].key in OUTCOMES and table.result in link.places:
            if (thing := _thing_won(linked, link.end)) is not None:
                # `Won the toss`: of what is no contest.
                linked.unknown = sorted({*linked.unknown, link.start, thing})
                continue
            yield replace(link.within([table.result]), bound=f"= {linked.tokens[link.start].key}")
            continue
        beside = {
            column
            for head in linked.headers
            if -_BESIDE <= head.start - link.end < _BESIDE
            or 0 <= link.start - head.end < _BESIDE
            or (table.opponent is None and head.columns <= {*table.derived})
            for column in head.columns
        }
        printed = link.places.keys() - ({*table.derived} - beside)
        if link.number is not None and not link.bound and counts_contests(linked, link.start):
            linked.unknown = sorted({*linked.unknown, link.start})
        elif link.number is None or printed == link.places.keys():
            yield link
        elif printed:
            yield link.within(printed)
        else:
            linked.unknown = sorted({*linked.unknown, link.start})


_BESIDE = 3


def _thing_won(linked: LinkedClaim, position: int) -> int | None:
    """Return where it stands what was won or lost, if nothing of the table tells it: `won the toss`."""
    tokens, start = linked.tokens, position + 1
    if start >= len(tokens) or tokens[position].text not in ARTICLES:
        return None
    end = next((n for n in range(start, len(tokens)) if tokens[n].stop or tokens[n].mark), len(tokens))
    is_told = any(n not in linked.unknown or tokens[n].key in _MATCHES for n in range(start, end))
    # `A total of 5 games` is of games.
    of_something = [token.text for token in tokens[end : end + 1]] == ["of"]
    return None if is_told or of_something or start == end else start


def counts_contests(linked: LinkedClaim, position: int) -> bool:
    """Return whether an amount right behind a verb of outcome says how many: `won 6 games`, not `3 - 1`."""
    tokens, place = linked.tokens, position - 1
    while place >= 0 and tokens[place].text in EXACTLY:
        place -= 1
    behind = [token for token in tokens[position:] if token.number is not None][:1]
    following = tokens[tokens.index(behind[0], position) + 1 :][:1] if behind else ()
    scored = any(token.text in {"-", "to", ":"} or token.key in POINTS for token in following)
    is_contest = isinstance(linked.index.table, ContestTable) and place >= 0 and tokens[place].key in OUTCOMES
    return is_contest and bool(behind) and not behind[0].ordinal and not scored


def _is_opponent(tokens: Sequence[Token], link: Link, *, before: bool) -> bool:
    """Return whether a name is of the other side than what is said to have won, lost or drawn."""
    place = link.start
    while place and (tokens[place - 1].text in ARTICLES or tokens[place - 1].text == "both"):
        place -= 1
    opening = tokens[place - 1].text if place else ""
    ended = [n for n in range(place) if tokens[n].key in OUTCOMES]
    if _is_subject(tokens, link.end):
        return False
    if opening in {"and", "or", "nor"}:
        return before
    if opening in {"against", "over", "versus", "v", "vs"} or (opening in {"to", "with"} and bool(ended)):
        return True
    if opening == "by" and ended:
        return tokens[ended[-1]].key == LOSE
    return bool(ended) and ended[-1] == place - 1


def _is_subject(tokens: Sequence[Token], end: int) -> bool:
    """Return whether a verb of outcome stands behind a name, with no more than such words between."""
    place = end
    while place < len(tokens) and tokens[place].text in _BEFORE_VERBS:
        place += 1
    return place < len(tokens) and tokens[place].key in OUTCOMES


_BEFORE_VERBS = word_set("be do have not never only both all also each always to that who which failed did")


def _of_one_side(linked: LinkedClaim, links: list[Link], table: ContestTable, opponent: int) -> list[Link]:
    index, meant = linked.index, []
    for place, link in enumerate(links):
        key = linked.tokens[link.start].key
        before = [other for other in links[:place] if other.number is None]
        subject = before[-1] if before and before[-1].places.keys() == {opponent} else None
        is_told = key in _TURNED and table.result in link.places
        of_opponent = subject is not None and _is_said_of(linked.tokens, subject, link)
        if not is_told or not (of_opponent or _is_against_its_side(linked, link)):
            meant.append(link)
            continue
        cells = (cell for cell in index.postings.get(_TURNED[key], ()) if cell[1] == table.result)
        meant.append(replace(link, places=rows_by_column(cells)))
    return meant


def _is_said_of(tokens: Sequence[Token], subject: Link, verb: Link) -> bool:
    """Return whether an opponent is what is said to have won or lost, and not who somebody won against."""
    behind_another = _is_opponent(tokens, replace(subject, end=verb.end), before=False)
    return _leads_to_its_verb(tokens[subject.end : verb.start]) and not behind_another


def _is_against_its_side(linked: LinkedClaim, verb: Link) -> bool:
    """Return whether it was against the side that the table is of: `two teams beat the Comets`."""
    following = linked.tokens[verb.end : verb.end + 3]
    if linked.tokens[verb.start].key == LOSE:
        by_or_to = [token.text for token in following[:1]]
        if by_or_to not in (["to"], ["by"]):
            return False
        following = following[1:]
    elif not is_beating(linked.tokens[verb.start]):
        # `Won the season` is against nobody.
        return False
    named = [token for token in following if token.text not in ARTICLES][:1]
    return bool(named) and named[0].number is None and named[0].key in linked.index.caption


def _leads_to_its_verb(between: Sequence[Token]) -> bool:
    """Return whether a verb behind a name is said of it: `A never beat`, `A is one of two that beat`."""
    texts = [token.text for token in between]
    opening = next((n for n, text in enumerate(texts) if text in _OPENING_VERBS), None)
    if opening is not None and texts[:1] == ["be"]:
        return _BEFORE_VERBS.issuperset(texts[opening:])
    return _BEFORE_VERBS.issuperset(texts)


_OPENING_VERBS = RELATIVE_PRONOUNS | {"to"}
_TURNED = {WIN: LOSE, LOSE: WIN}
