"""Links of what rows have or lack: a column of yes and no, of `none`, of numbers that may be zero."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evidence_assets.tables.cell_values import DASHES
from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing, tells_of_nothing
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words import (
    ARTICLES,
    COPULAS,
    are_forms_of_one,
    is_past,
    word_key,
    word_keys,
)
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import word_set, words

# Verbs of having some of what a column counts: `won a medal`.
_HAVING = word_set("have win wins won get gets got receive receives received score scores scored")
_ARTICLES = ("a", "an", "any")
# Words before a header that say how many of it a row has, the longer phrases first.
_COUNTED_BY_WORDS = (
    *(((*opening, "a", "single"), "=", 0.0) for opening in (("without", "have"), ("without",))),
    *(
        ((*opening, article), "=", 0.0)
        for opening in (("without", "have"), ("without",))
        for article in _ARTICLES
    ),
    (("a", "single"), "=", 1.0),
    *(((verb, article), ">", 0.0) for verb in sorted(_HAVING) for article in _ARTICLES),
    *(((word,), "=", 0.0) for word in ("without", "no", "zero")),
    *(((word,), ">", 0.0) for word in ("with", "any", *sorted(_HAVING))),
)
_LAST_COUNTED = frozenset(words[-1] for words, _, _ in _COUNTED_BY_WORDS)
_LONGEST_COUNTED = 4
_HALF_OF_A_NAME = 0.5
# What a header says behind what there is: `Night service`, `Card payment`.
_OF_PROVIDING = word_keys("service operation running opening payment")
# Verbs that say no more than this: `run at night`, `take cards`.
_RUNNING = word_keys("run operate serve open work go take accept")


# What a header ends with that says only that there is some: `Generic available`, `Breakfast included`.
_OF_BEING_THERE = word_keys("available included provided present fitted installed")
# What a header says of what may be done: `Fishing permitted`, of which it is said that one can.
_OF_PERMITTING = word_keys("permitted allowed possible available accepted welcome")
_MAY = frozenset({"can", "may", "could"})
_ENDINGS = frozenset({"or", "ors", "er", "ers", "ing", "i", "al", "ion", "ment", "up"})


def flag_links(linked: LinkedClaim) -> list[Link]:
    """Return the headers of yes and no that a claim says, as the rows that say yes."""
    links = []
    denied = list(_denied_flags(linked))
    # Of `unsafe to drink` no word says that it is safe to drink.
    turned = {column for link in denied for column in link.places}
    may = any(token.text in _MAY for token in linked.tokens)
    for head in linked.headers:
        keys = {token.key for token in linked.tokens[head.start : head.end]}
        valued = {column for link in linked.links for column in link.places}
        if _is_of_a_compound(linked, head):
            continue
        for column in sorted((head.columns & linked.index.flags.keys()) - valued - turned):
            name = linked.index.headers[column]
            if name and name[-1] in _OF_BEING_THERE and not _is_a_complement(linked, head):
                name = name[:-1] or name
            if not _RUNNING.isdisjoint(token.key for token in linked.tokens):
                name = tuple(key for key in name if key not in _OF_PROVIDING)
            if may:
                name = tuple(key for key in name if key not in _OF_PERMITTING) or name
            if head.share > _HALF_OF_A_NAME or (name and _is_said(name[-1], keys)):
                span = _turned_span(linked, head, column)
                says_yes = span is None and not _is_turned(linked, head, column)
                span = span or range(head.start, head.end)
                links.append(_flag_link(linked, span, column, says_yes=says_yes))
                break
        links += [*_zero_links(linked, head), *_done_links(linked, head), *_told_links(linked, head)]
    return [*links, *denied]


def _is_a_complement(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether something is said to be what a header names, not to have it: `is a generic`."""
    before = [token.text for token in linked.tokens[: head.start] if token.text not in ARTICLES]
    return bool(before) and before[-1] in COPULAS


def _is_said(name: str, keys: Collection[str]) -> bool:
    """Return whether a word of a header is said, or what it is made of: of visitors that they visit."""
    return any(name == key or (name.startswith(key) and name[len(key) :] in _ENDINGS) for key in keys)


def _flag_link(linked: LinkedClaim, span: range, column: int, *, says_yes: bool) -> Link:
    """Return the link of a span to the rows that say yes, or no, of a column of yes and no."""
    flags = linked.index.flags[column]
    rows, condition = (flags.yes, "= yes") if says_yes else (flags.no, "= no")
    return Link.of_column(span.start, span.stop, column, rows, condition, undetermined=flags.partly)


def _is_of_a_compound(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether a header is said with another first word than its own: `full-time`, not `part-time`."""
    word, hyphen = linked.tokens[max(0, head.start - 2)], linked.tokens[max(0, head.start - 1)]
    joined = hyphen.text == "-" and word.end == hyphen.start and hyphen.end == linked.tokens[head.start].start
    return joined and word.text not in _TURNING


def _none_links(linked: LinkedClaim, span: range, column: int, relation: str) -> list[Link]:
    """Return `without a contract` as the rows whose cell says `none` or a dash; `with a contract` as others.

    An empty cell tells neither, nor does a dash among yes and no.
    """
    dashes = frozenset[str]() if column in linked.index.flags else DASHES
    cells = {
        row: cell.text.strip().lower()
        for row, cell in enumerate(linked.index.table.column(column))
        if cell.value.kind is not Kind.EMPTY or cell.text.strip() in dashes
    }
    rows_of_none = frozenset(row for row, text in cells.items() if text in _NOTHING | dashes)
    if not rows_of_none or len(rows_of_none) == len(cells):
        return []
    rows = rows_of_none if relation == "=" else frozenset(cells) - rows_of_none
    return [Link.of_column(span.start, span.stop, column, rows, f"{relation} {NONE}")]


# What the condition of a link ends with that is to have something in a column, or nothing.
NONE = "none"
_NOTHING = frozenset({"none", "nil"})


def _done_links(linked: LinkedClaim, head: HeaderLink) -> list[Link]:
    """Return `insured` as the rows of which a column, `Insurance`, says other than none."""
    text, columns = linked.tokens[head.start].text, sorted(head.columns)
    if head.end > head.start + 1 or head.share < 1.0 or len(columns) > 1 or not text.endswith("ed"):
        return []
    name = linked.index.table.header[columns[0]].lower()
    if text in name or linked.index.is_numeric(columns[0]):
        return []
    return _none_links(linked, range(head.start, head.end), columns[0], ">")


def _told_links(linked: LinkedClaim, head: HeaderLink) -> list[Link]:
    """Return `has paid`, behind which nothing is said, as the rows that have something in `Paid on`.

    Where others have nothing, or say that they did not: of who `did not finish` DNF.
    """
    columns = sorted(head.columns - linked.index.flags.keys() - {linked.index.table.label_column})
    behind = linked.tokens[head.end :]
    ends = all(token.stop or token.mark or token.text in _ADDING_NOTHING for token in behind)
    is_name = linked.tokens[head.start].capital
    if len(columns) != 1 or head.end > head.start + 1 or is_name or not ends or _asks_for_a_time(linked):
        return []
    index, (column,) = linked.index, columns
    if not _is_the_verb_of(linked, head.start, index.table.header[column]):
        return []
    rows, cells = index.rows - index.summaries, index.table.column(column)
    without = frozenset(row for row in rows if tells_of_nothing(cells[row]))
    is_amount = any(cells[row].value.kind is Kind.NUMBER for row in rows) and column not in index.times
    if is_amount or not without or without == rows:
        return []
    unknown = frozenset(row for row in without if tells_nothing(cells[row]) and cells[row].text.strip())
    condition = f"> {NONE}"
    return [Link.of_column(head.start, head.end, column, rows - without, condition, undetermined=unknown)]


def _is_the_verb_of(linked: LinkedClaim, position: int, header: str) -> bool:
    """Return whether a word is the verb of a header in any form: `finished` of Finish, `pay` of Paid.

    One of both is a past form, or it is denied: `did not finish`.
    """
    said, before = linked.tokens[position].text, {token.text for token in linked.tokens[:position]}
    forms = [word for word in words(header.lower()) if are_forms_of_one(said, word)]
    return bool(forms) and (any(map(is_past, (said, *forms))) or not _BEFORE_VERBS.isdisjoint(before))


def _asks_for_a_time(linked: LinkedClaim) -> bool:
    """Return whether it is asked when something was, `on which day`, and not whether."""
    opening = next((n for n, token in enumerate(linked.tokens[:_OPENING]) if token.text in _ASKING), None)
    if opening is None:
        return False
    behind = linked.tokens[opening + 1 : opening + 2]
    return linked.tokens[opening].text == "when" or any(token.key in TIMES for token in behind)


_OPENING, _ASKING = 3, frozenset({"when", "which", "what"})
_ADDING_NOTHING = frozenset({"yet", "already", "ever", "anything", "far", "anyone", "anybody"})
_BEFORE_VERBS = frozenset({"do", "never"})


def _denied_flags(linked: LinkedClaim) -> Iterator[Link]:
    """Yield `unpaid` as the rows that say no of a column of yes and no, `Paid`."""
    index = linked.index
    for position in linked.unknown:
        text = linked.tokens[position].text
        key = word_key(text.removeprefix(_TURNING[0]).removeprefix(_TURNING[1]))
        for column in sorted(index.header_postings.get(key, set()) & index.flags.keys()):
            yield _flag_link(linked, range(position, position + 1), column, says_yes=False)
            break


def _is_turned(linked: LinkedClaim, head: HeaderLink, column: int) -> bool:
    """Return whether a header is said with what turns it before it, which it has not itself: `unpaid`."""
    name = linked.index.table.header[column].lower()
    texts = [token.text for token in linked.tokens[head.start : head.end]]
    return any(
        text.startswith(prefix) and text not in name and text.removeprefix(prefix) in name
        for text in texts
        for prefix in _TURNING
        if len(text) > len(prefix) + _SHORTEST_TURNED
    )


def _turned_span(linked: LinkedClaim, head: HeaderLink, column: int) -> range | None:
    """Return where a header stands with a word that turns it, which it has not itself; None without one.

    `Non-refundable`, `nut-free`, `free of nuts`.
    """
    name = linked.index.table.header[column].lower()
    texts = [token.text for token in linked.tokens]
    before, behind = tuple(texts[max(0, head.start - 2) : head.start]), tuple(texts[head.end : head.end + 2])
    if before == ("non", "-") and "non" not in name:
        return range(head.start - 2, head.end)
    if "free" in name:
        return None
    if before in {("free", "of"), ("free", "from")}:
        return range(head.start - 2, head.end)
    return range(head.start, head.end + 2) if behind == ("-", "free") else None


_SHORTEST_TURNED = 2
_TURNING = ("un", "non")


_A_SINGLE, _DENYING = ("a", "single"), frozenset({"not", "never", "failed", "fail", "fails", "nobody"})


def _counted_by(linked: LinkedClaim, head: HeaderLink) -> tuple[tuple[str, ...], str, float] | None:
    """Return the words before a header that say how many of it a row has; None without them.

    `Got warmer` says nothing of having any, and `has an area of 3` how much it is.
    """
    texts = [token.text for token in linked.tokens[max(0, head.start - _LONGEST_COUNTED) : head.start]]
    behind = [token.text for token in linked.tokens[head.end : head.end + 1]]
    if _LAST_COUNTED.isdisjoint(texts[-1:]) or comparative(linked.tokens[head.start].text):
        return None
    if texts[-1] in _ARTICLES and behind == ["of"]:
        return None
    return next((item for item in _COUNTED_BY_WORDS if tuple(texts[-len(item[0]) :]) == item[0]), None)


def _zero_links(linked: LinkedClaim, head: HeaderLink) -> list[Link]:
    """Return `no`, `without a` and `a single` before a column of numbers, as the rows of zeros, or ones.

    Not where the words open the claim, or no row has the number.
    """
    column, opening = min(head.columns), _counted_by(linked, head)
    if len(head.columns) > 1 or opening is None:
        return []
    words, relation, number = opening
    start = head.start - len(words)
    if words == _A_SINGLE and any(token.text in _DENYING for token in linked.tokens[:start]):
        # Who failed to win a single medal has none.
        relation, number = ">", 0.0
    says_none = any(cell.text.strip().lower() in _NOTHING for cell in linked.index.table.column(column))
    if says_none or not linked.index.is_numeric(column):
        return _none_links(linked, range(start, head.end), column, relation) if start else []
    numbers = linked.index.series[column]
    rows, untold = linked.index.rows_within(column, relation, number)
    if (
        not rows
        or not start
        or numbers.keys() <= rows == rows | linked.index.half_open[column].keys() - untold
    ):
        return []
    condition = f"{relation} {number:g}"
    return [Link.of_column(start, head.end, column, rows, condition, undetermined=untold)]
