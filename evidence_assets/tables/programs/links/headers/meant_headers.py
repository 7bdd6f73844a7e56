"""Which of its columns a header in a claim means, by what is counted, named or done beside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from evidence_assets.tables.programs.links.contests.contest_links import contest_heads
from evidence_assets.tables.programs.links.linking import HeaderLink, LinkedClaim
from evidence_assets.tables.programs.wording.contest_words import concedes, scoring_words
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE_PRONOUNS, direction
from evidence_assets.tables.programs.wording.words import AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words
from evidence_assets.text.words import word_set

_MORE_OF = frozenset({"more", "fewer", "of", "the", "their", "its"})
_COUNTING = frozenset({"most", "fewest", "more", "fewer", "many", "number"})


def meant_headers(linked: LinkedClaim, of_periods: Collection[HeaderLink]) -> list[HeaderLink]:
    """Return a claim's headers and those of its periods, in its order, each of the columns that it means."""
    heads = [*(_counted_header(linked, head) for head in linked.headers), *of_periods]
    heads += contest_heads(linked)
    heads = [_header_of_names(linked, head) for head in heads]
    heads = [_header_of_the_verb(linked, head, heads) for head in heads]
    heads = [_header_with_the_verb(linked, head, heads) for head in heads]
    heads = [_header_of_the_named_column(head, heads) for head in _of_scores(linked, heads)]
    heads = [_header_of_the_latest(linked, head) for head in heads]
    return sorted(heads, key=lambda head: head.start)


def _of_scores(linked: LinkedClaim, heads: list[HeaderLink]) -> list[HeaderLink]:
    """Return the headers of goals for and against as of the one that the nearest verb tells, and the verbs.

    `Scored more goals than they conceded` is of both.
    """
    columns, words = linked.index.opposed, sorted(scoring_words(linked.tokens))
    if columns is None or not words:
        return heads
    meant = {word: columns[concedes(linked.tokens[word : word + 2])] for word in words}
    of_either = [head for head in heads if head.columns <= {*columns} and head.start not in meant]
    others = [head for head in heads if not head.columns <= {*columns}]
    for head in of_either:
        nearest = min(words, key=lambda word: abs(word - head.start))
        others.append(replace(head, columns=frozenset({meant[nearest]})))
    ends = {word: word + (2 if linked.tokens[word].text in {"let", "lets"} else 1) for word in words}
    return [*others, *(HeaderLink(word, ends[word], frozenset({meant[word]}), 1.0) for word in words)]


def _header_of_the_named_column(head: HeaderLink, heads: Collection[HeaderLink]) -> HeaderLink:
    """Return a header of several columns as those that others name of them: February's of what gas cost."""
    single = (other.columns for other in heads if other is not head and len(other.columns) == 1)
    named = head.columns & frozenset[int]().union(*single)
    return replace(head, columns=named) if named and len(head.columns) > 1 else head


def _header_of_the_latest(linked: LinkedClaim, head: HeaderLink) -> HeaderLink:
    """Return a header of several years' columns as the latest's, where neither years nor a change are told.

    Who `has 13 seats` has them now, of `Seats 2016` and `Seats 2020`.
    """
    index = linked.index
    years = {column: index.year_columns.get(column) for column in head.columns}
    alike = {tuple(key for key in index.headers[column] if key != str(years[column])) for column in years}
    of_years = len({*years.values()} - {None}) == len(years) > 1 and len(alike) == 1
    past_years = {column: year for column, year in years.items() if year is not None and year <= _LAST_TOLD}
    if not of_years or not past_years or index.years_said(linked.tokens) or _tells_of_times(linked):
        return head
    return replace(head, columns=frozenset({max(past_years, key=past_years.__getitem__)}))


def _tells_of_times(linked: LinkedClaim) -> bool:
    """Return whether a claim is of a change or several times, `rose`, `both years`, or adds up somebody's."""
    texts = [token.text for token in linked.tokens]
    label = linked.index.table.label_column
    names = [link for link in linked.links if label in link.full]
    adds_up = bool(adding_words(texts, range(len(texts)))) and len(names) == 1
    return adds_up or any(direction(text) or text in _TIMES for text in texts)


# Later years are of forecasts.
_LAST_TOLD = 2026
_TIMES = word_set("""
    before after since between over ago earlier later previous previously last first then once used change
    changed changes changing difference year years both period periods again ever never always start started
    beginning outset originally initially original initial formerly older prior past old point time recently
    reach reached reaches top topped tops exceed exceeded hit peak peaked record recorded altogether
""")


def _counted_header(linked: LinkedClaim, head: HeaderLink) -> HeaderLink:
    """Return a header of several columns behind `fewest`, `number of` without those of times and dates."""
    words = {token.text for token in linked.tokens[max(0, head.start - 2) : head.start]}
    index = linked.index
    counts = {*index.numeric(head.columns)} - {*index.clocks, *index.dated}
    if _COUNTING.isdisjoint(words) or not counts:
        return head
    return replace(head, columns=frozenset(counts))


def _header_of_names(linked: LinkedClaim, head: HeaderLink) -> HeaderLink:
    """Return a header of several numeric columns as the one that is told like the only column of names.

    The score of a name of `away team` is in `away team score`.
    """
    index = linked.index
    numeric = index.numeric(head.columns)
    of_names = {frozenset(link.places) for link in linked.links if link.number is None and link.full}
    if len(numeric) < 2 or len(of_names) != 1:
        return head
    name_keys = {key for columns in of_names for column in columns for key in index.headers[column]}
    shared = {column: len(name_keys.intersection(index.headers[column])) for column in numeric}
    best = [column for column in numeric if shared[column] == max(shared.values())]
    return replace(head, columns=frozenset(best)) if len(best) == 1 else head


def _header_of_the_verb(linked: LinkedClaim, head: HeaderLink, heads: Collection[HeaderLink]) -> HeaderLink:
    """Return a header behind a number as that of the verb before it: of `won 29 races` the wins."""
    index, texts = linked.index, [token.text for token in linked.tokens]
    for verb in heads:
        between = linked.tokens[verb.end : head.start]
        is_one_word = verb.end == verb.start + 1 and len(verb.columns) == len(head.columns) == 1
        if not is_one_word or not between or between[0].number is None or between[0].ordinal:
            continue
        words = {word for column in verb.columns for word in index.table.header[column].lower().split()}
        is_verb = texts[verb.start] not in words and index.numeric(verb.columns)
        if is_verb and {token.text for token in between[1:]} <= _MORE_OF and index.numeric(head.columns):
            return replace(head, columns=verb.columns)
    return head


def _header_with_the_verb(linked: LinkedClaim, head: HeaderLink, heads: Collection[HeaderLink]) -> HeaderLink:
    """Return a header of a noun as the only one that says its verb too: of `lost fewer camels`.

    The camels that there were are told by another column.
    """
    if head.end - head.start > 1:
        return head
    noun = linked.tokens[head.start].key
    for verb in heads:
        both = [column for column in verb.columns - head.columns if noun in linked.index.headers[column]]
        if verb.end - verb.start > 1 or len(both) != 1 or not linked.index.is_numeric(both[0]):
            continue
        between = linked.tokens[verb.end : head.start] or linked.tokens[head.end : verb.start]
        is_behind = verb.end <= head.start
        joining = _BETWEEN_VERB_AND_NOUN if is_behind else _BETWEEN_NOUN_AND_VERB
        if between and all(
            token.text in joining or (is_behind and token.number is not None and not token.ordinal)
            for token in between
        ):
            return replace(head, columns=frozenset(both))
    return head


_BETWEEN_VERB_AND_NOUN = _MORE_OF | _COUNTING | {"than", "a", "an", "any", "no", "all", "at", "least", "only"}
_BETWEEN_NOUN_AND_VERB = AUXILIARIES | RELATIVE_PRONOUNS | {"been", "being"}
