"""Cell citations of replies: each address becomes a mark, and is held against its own cell.

What a citation is bound to is what is said last before it: a number, in digits or words, or a word. A cell
bears it out if it holds it, or if it follows from the cells that are cited together: by rounding, a bound, a
sum, a mean, a difference, a ratio, a count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isfinite

from evidence_assets.evidence.citations import VALID, mark, quoted
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.programs.index.operations import compare
from evidence_assets.tables.programs.wording.spelt_numbers import NUMBER_WORDS
from evidence_assets.tables.programs.wording.thresholds import thresholds
from evidence_assets.tables.programs.wording.words import STOP_WORDS, plain, tokens, word_key
from evidence_assets.tables.shown import ADDRESSES, Place, ShownTable
from evidence_assets.tables.table import Kind, Table, address
from evidence_assets.text.words import SCALES, SHORT_SCALES

_ADDRESS = re.compile(r"R(\d+)\.C(\d+)")
# A hyphen between words or numbers, as in 2007-2011, is not a sign; a number joined to a name belongs to it.
_DIGITS = (
    r"(?<![\w.])(?<![^\W\d_][-–])(?:(?<!\w)[-−+])?(?:\d+(?:[.,]\d+)*|(?<!\d)\.\d+)(?!\d|\.\d)"
    r"(?!st\b|nd\b|rd\b|th\b)"
)
_PARTS = {**{word: float(number) for word, number in NUMBER_WORDS.items()}, "hundred": 100.0}
_WORDS = "|".join(sorted((*_PARTS, *SCALES), key=len, reverse=True))
_SCALES = SCALES | SHORT_SCALES
_NUMBER = re.compile(
    rf"(?P<digits>{_DIGITS})(?:\s*(?P<scale>{'|'.join(_SCALES)})\b)?"
    rf"|\b(?P<words>(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}))*)\b",
    re.IGNORECASE,
)
_CELL_NUMBER = re.compile(r"(?:(?<!\w)[-−+])?(?:\d+(?:[.,]\d+)*|(?<!\d)\.\d+)")
# They may stand for no number of a cell: "one of them", "twice as many".
_PRONOUNS = frozenset({"one", "once", "twice"})
# Before a number that is said not to be the cell's, or only to be claimed.
_DENIED = re.compile(
    r"(?:\bnot|n['’]t|\brather\s+than|\binstead\s+of|\bunlike|\bclaim(?:ed|s|['’]s)?(?:\s+of)?)"
    r"(?:\s+the|\s+about|\s+exactly)?\s+$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;:]\s+(?=\S)")
_WORD = re.compile(r"[^\W_]+")
_CLOSE = 1e-9
_MOST_DECIMALS = 15
# More cells are cited as a whole: nothing is computed of them pair by pair.
_MOST_PAIRED = 24
# Computed numbers from this on may be told rounded to a whole.
_ROUNDED_FROM = 10.0


@dataclass(frozen=True, slots=True)
class _Stated:
    """A number that a reply states. `unit`: of its last digit. `required`: it cannot be a pronoun."""

    text: str
    value: float
    unit: float
    start: int
    percent: bool = False
    required: bool = True

    @property
    def end(self) -> int:
        """Where it ends in its statement."""
        return self.start + len(self.text)

    def is_of(self, number: float) -> bool:
        """Return whether a cell's number is the stated one, as told or rounded to what is told."""
        numbers = (number, 100 * number) if self.percent else (number,)
        return any(
            abs(self.value - candidate) <= _CLOSE * max(1.0, abs(candidate))
            or (_is_finer(candidate, self.unit) and abs(self.value - candidate) <= self.unit / 2 + _CLOSE)
            for candidate in numbers
        )

    def is_computed(self, number: float) -> bool:
        """Return whether a computed number is the stated one, without its sign, rounded where it is great."""
        rounds = self.unit < 1.0 or abs(number) >= _ROUNDED_FROM
        slack = self.unit / 2 if rounds else 0.0
        return abs(abs(self.value) - abs(number)) <= slack + _CLOSE * max(1.0, abs(number))


def _is_finer(number: float, unit: float) -> bool:
    """Return whether a number has digits below a unit."""
    return isfinite(number / unit) and abs(number / unit - round(number / unit)) > _CLOSE * max(
        1.0, abs(number / unit)
    )


@dataclass(frozen=True, slots=True)
class _Citation:
    """Addresses that stand together, and what is said before them.

    `statement`: since the citation before; `sentence`: since the sentence began, without its citations.
    """

    cited: tuple[Place, ...]
    statement: str
    sentence: str


def read_cell_citations(text: str, shown: ShownTable) -> tuple[str, list[Place], str]:
    """Return an argument with its addresses as [E1]…, the cells it cites, and the citation status.

    A citation is valid if its cell is shown and bears out what it is bound to; the status names the first
    thing wrong of each other.
    """
    places: dict[Place, int] = {}
    problems: list[str] = []
    pieces: list[str] = []
    end = 0
    for match in ADDRESSES.finditer(text):
        # Anything else that looks like an evidence mark in the reply is disarmed.
        pieces.append(quoted(text[end : match.start()]))
        end = match.end()
        for place in _places(match[1]):
            if not shown.holds(place):
                problems.append(f"no such cell: {address(*place)}")
                pieces.append(f"({address(*place)})")
                continue
            pieces.append(mark(places.setdefault(place, len(places) + 1)))
    pieces.append(quoted(text[end:]))
    for citation in _citations(text):
        cited = [place for place in citation.cited if shown.holds(place)]
        problems += _problems(citation, cited, shown.table)
    status = VALID if places and not problems else "; ".join(dict.fromkeys(problems)) or "nothing cited"
    return "".join(pieces), list(places), status


def _places(addresses: str) -> list[Place]:
    return [(int(row) - 1, int(column) - 1) for row, column in _ADDRESS.findall(addresses)]


def _citations(text: str) -> Iterator[_Citation]:
    """Yield the citations of a text; addresses with nothing said between them are one."""
    statement = sentence = ""
    cited: list[Place] = []
    end = 0
    for match in ADDRESSES.finditer(text):
        between = text[end : match.start()]
        if cited and re.search(r"\w", between):
            yield _Citation(tuple(cited), statement, sentence)
            cited = []
        if not cited:
            statement = _last_sentence(between)
            sentence = statement if statement != between else f"{sentence} {between}"
        cited += _places(match[1])
        end = match.end()
    if cited:
        yield _Citation(tuple(cited), statement, sentence)


def _last_sentence(text: str) -> str:
    """Return a text from the last place where a sentence or clause begins and says something."""
    ends = [match.end() for match in _SENTENCE.finditer(text) if re.search(r"\w", text[match.end() :])]
    return text[ends[-1] :] if ends else text


def _problems(citation: _Citation, cited: Sequence[Place], table: Table) -> Iterator[str]:
    """Yield what is wrong with the cells that are cited together."""
    borne, wrong = _bound(citation.statement, cited, table)
    if wrong is not None:
        for place in cited:
            problem = "number differs" if _holds_number(table, place) else f"no number {wrong.text}"
            yield f"{problem}: {_text(table, place)} at {address(*place)}"
        return
    borne |= {place for place in cited if _is_said(citation, place, table)}
    # What is compared or counted stands in one column.
    columns = {column for _, column in borne}
    for place in cited:
        if place not in borne and place[1] not in columns:
            yield f"not said: {_text(table, place)} at {address(*place)}"


def _bound(statement: str, cited: Sequence[Place], table: Table) -> tuple[set[Place], _Stated | None]:
    """Return the cells that hold what the citation is bound to; or the number that none of them holds."""
    holding = {place for place in cited if _holds_number(table, place)}
    texts = [place for place in cited if place not in holding]
    last_word = max((_last(statement, _words(_text(table, place))) for place in texts), default=-1)
    unmatched: _Stated | None = None
    for number in reversed(list(_stated(statement))):
        if last_word > number.start:
            break
        bound = {place for place in holding if any(map(number.is_of, _numbers_of(table, place)))}
        if bound or _follows(number, statement, cited, table):
            return bound or holding or set(cited), None
        if not number.required or _DENIED.search(statement[: number.start]):
            continue
        if not holding or not _is_beside(number, cited, table):
            return set(), number
        unmatched = unmatched or number
    return set(), unmatched if last_word < 0 else None


def _stated(statement: str) -> Iterator[_Stated]:
    """Yield the numbers of a statement, in digits or words, in order."""
    for match in _NUMBER.finditer(statement):
        percent = re.match(r"\s*(?:%|percent\b|per cent\b)", statement[match.end() :], re.I) is not None
        if match["words"]:
            value = _spelt(match["words"])
            required = match["words"].lower() not in _PRONOUNS
            yield _Stated(match[0], value, 1.0, match.start(), percent, required)
            continue
        number = parse_value(match["digits"]).number
        if number is not None:
            scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
            decimals = min(len(match["digits"].partition(".")[2]), _MOST_DECIMALS)
            yield _Stated(match[0], number * scale, scale / 10**decimals, match.start(), percent)


def _spelt(words: str) -> float:
    """Return the number that words spell: `five hundred and thirty`, `two million`."""
    total = part = 0.0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _SCALES:
            total, part = total + max(part, 1.0) * _SCALES[word], 0.0
        elif word == "hundred":
            part = max(part, 1.0) * _PARTS[word]
        else:
            part += _PARTS.get(word, 0.0)
    return total + part


def _follows(number: _Stated, statement: str, cited: Sequence[Place], table: Table) -> bool:
    """Return whether a number follows from the cited cells: a bound that one meets, or what they come to."""
    values = [value for place in cited if (value := _value(table, place)) is not None]
    statement_tokens = tokens(statement)
    for limit in thresholds(statement_tokens):
        token = statement_tokens[limit.position]
        if token.start < number.end and number.start < token.end:
            return any(compare(value, limit.relation, limit.bound) for value in values)
    return len(cited) > 1 and any(map(number.is_computed, _computed(values, len(set(cited)))))


def _computed(values: Sequence[float], cells: int) -> Iterator[float]:
    """Yield what cells come to: how many they are, their sum, mean, differences, ratios, percent changes."""
    yield float(cells)
    if len(values) < 2:
        return
    yield sum(values)
    yield sum(values) / len(values)
    for first, second in permutations(values[:_MOST_PAIRED], 2):
        yield first - second
        if second:
            yield first / second
            yield 100 * first / second
            yield 100 * (first - second) / second


def _is_beside(number: _Stated, cited: Sequence[Place], table: Table) -> bool:
    """Return whether a number stands in a cited cell's row, in its column's name or in the caption."""
    beside = [cell.text for row, _ in cited for cell in table.rows[row]]
    beside += [table.header[column] for _, column in cited]
    return any(number.is_of(value) for text in (*beside, table.caption) for value in _numbers(text))


def _is_said(citation: _Citation, place: Place, table: Table) -> bool:
    """Return whether a sentence says a word of a cell, or, of a cell of numbers or none, of its names."""
    text = _words(_text(table, place))
    if _last(citation.sentence, text) >= 0:
        return True
    if text and not _holds_number(table, place):
        return False
    row, column = place
    names = _words(f"{table.label(row)} {table.header[column]}")
    values = _numbers_of(table, place)
    says_number = any(number.is_of(value) for number in _stated(citation.statement) for value in values)
    return says_number or _last(citation.sentence, names) >= 0


def _words(text: str) -> frozenset[str]:
    """Return a text's words of content, by the form by which they are equal."""
    return frozenset(key for _, key in _keys(text))


def _last(text: str, words: frozenset[str]) -> int:
    """Return where the last of some words stands in a text; -1 where none does."""
    return max((start for start, key in _keys(text) if key in words), default=-1)


def _keys(text: str) -> Iterator[tuple[int, str]]:
    for match in _WORD.finditer(plain(text)):
        word = match[0]
        if word not in STOP_WORDS and not word.isdigit():
            yield match.start(), word_key(word) if word.isalpha() else word


def _text(table: Table, place: Place) -> str:
    return table.rows[place[0]][place[1]].text


def _value(table: Table, place: Place) -> float | None:
    """Return the number that a cell is computed with; of a date its year."""
    value = table.rows[place[0]][place[1]].value
    return float(value.date[:4]) if value.kind is Kind.DATE and value.date[:4].isdigit() else value.number


def _holds_number(table: Table, place: Place) -> bool:
    """Return whether a cell holds a number that is no part of a name, as in `D4`."""
    cell = table.rows[place[0]][place[1]]
    return cell.value.number is not None or _NUMBER.search(cell.text) is not None


def _numbers_of(table: Table, place: Place) -> tuple[float, ...]:
    """Return the numbers of a cell's value and every number written in it; for a date no ordinal."""
    cell = table.rows[place[0]][place[1]]
    value = cell.value
    typed = () if value.kind is Kind.DATE else (value.number, value.low, value.high, *value.numbers)
    return tuple(number for number in (*typed, *_numbers(f"{cell.text} {value.date}")) if number is not None)


def _numbers(text: str) -> list[float]:
    numbers = (parse_value(digits).number for digits in _CELL_NUMBER.findall(text))
    spelt = [_spelt(match["words"]) for match in _NUMBER.finditer(text) if match["words"]]
    return [*(number for number in numbers if number is not None), *spelt]
