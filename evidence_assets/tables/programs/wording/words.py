"""Words and numbers of claims, headers and cells, brought to one form."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from evidence_assets.tables.programs.wording.spelt_numbers import (
    MEASURED,
    PARTS,
    SCALES_OF_NUMBERS,
    UNIT_NOUNS,
    in_smaller_units,
    spelt_number,
)
from evidence_assets.text.calendar_words import MONTH_NAMES, MONTHS
from evidence_assets.text.roots import stem
from evidence_assets.text.words import word_set

_PIECES = re.compile(
    r"\d+(?::\d\d)+(?:\.\d+)?|"
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\d)|\d+\.\d+(?!\.?\d)|(?<![\d.])\.\d+|\d+|"
    r"per cent\b|[^\W\d_²³]+[²³]?|[^\w\s]"
)
_BEFORE_DIGIT = re.compile(r"(?=-?\d)")
# Behind the `all` of `all-weather`, which is no quantifier; `all-time` tells a rank.
OF_COMPOUNDS = "all-"
_COMPOUND = re.compile(r"-(?!time\b)(?=[^\W\d_])")
_POWERS = frozenset("²³")
# The powers of units in figures: `m^2` anywhere, `m2` behind a number, a bracket or a slash.
_IN_FIGURES = re.compile(r"(?<=[a-z])\^([23])(?!\d)|(?:(?<=\d )|(?<=[\d(\[/]))[kcdm]?m([23])(?!\w)")
_AS_POWERS = str.maketrans("23", "²³")
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})

# Words that carry no content of a cell: articles, prepositions, auxiliaries, pronouns, connectives.
STOP_WORDS = word_set("""
    a an the of in on at to for with by from and or as that which who whom whose when where while it its
    they their them he his him she her this these those there than then be have do s t but also during
    into over under after before between against per both each all any some other another such not no
    only just more most less least few many much very too so if i we our you what how will would can
    could may might must shall should about out up off down within through because since until upon via
""") - {"may"}
# Longer texts are not single claims, and are not read.
MOST_TOKENS = 150
POSSESSIVES = frozenset({"its", "their", "his", "her"})
ARTICLES = frozenset({"the", "a", "an"})
# Replaced by their lemma, which the rules refer to.
AUXILIARIES = frozenset({"be", "have", "do"})
COPULAS = frozenset({"be", "is", "are", "was", "were"})
# Derived forms that stemming does not unify, abbreviations and synonyms.
ALIKE = {
    "winner": "win",
    "won": "win",
    "victory": "win",
    "loser": "lose",
    "loss": "lose",
    "lost": "lose",
    "drawn": "draw",
    "begin": "start",
    "beginning": "start",
    "usa": "us",
    "u.s.": "us",
    "pts": "point",
    "vs": "v",
    "versus": "v",
    "avg": "average",
    "max": "maximum",
    "att": "attendance",
    "temp": "temperatur",
    "qty": "quantiti",
    "wt": "weight",
    "ht": "height",
    "pt": "patient",
    "dept": "depart",
    "mgr": "manag",
    "yrs": "year",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark. `key`: the form by which tokens are equal. `stop`: carries no content.

    `start`, `end`: its characters in the text. `scale`: of a number whose scale is written after it.
    `cased`: begins with a capital. `capital`: the same, though nothing ends before it.
    """

    text: str
    key: str
    number: float | None = None
    ordinal: bool = False
    stop: bool = False
    mark: bool = False
    scale: float = 1.0
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    capital: bool = field(default=False, compare=False)
    cased: bool = field(default=False, compare=False)

    def __hash__(self) -> int:
        # Equal tokens have equal keys, and functions of a claim's tokens are kept by all of these.
        return hash(self.key)


def plain(text: str) -> str:
    """Return text lower-cased, without accents."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.lower().replace("−", "-").replace("–", "-").replace("’", "'"))
    return "".join(letter for letter in folded if not unicodedata.combining(letter))


@lru_cache(maxsize=1 << 16)
def word_key(word: str) -> str:
    """Return the form by which words are equal: the stem of the lemma."""
    if word in ALIKE:
        return ALIKE[word]
    if word in MONTHS:
        return MONTH_NAMES[MONTHS[word] - 1]
    lemma = _lemma(word)
    return ALIKE.get(lemma, stem(lemma))


def word_keys(text: str) -> frozenset[str]:
    """Return the keys of the words of a list as source files write it: parted by white space."""
    return frozenset(map(word_key, text.split()))


_ENDS_OF_SENTENCES = frozenset(".!?:")
_SHORT_FORMS = {"is": "be", "am": "be"}


@lru_cache(maxsize=1 << 16)
def _lemma(word: str) -> str:
    import simplemma

    if len(word) < 3 or word in STOP_WORDS:
        return _SHORT_FORMS.get(word, word)
    lemma = plain(str(simplemma.lemmatize(word, lang="en")))
    return lemma or word


def is_inflected(word: str) -> bool:
    """Return whether a word is not the form that dictionaries list it by: `took`, `belongs`."""
    return _lemma(word) != word


def are_forms_of_one(word: str, other: str) -> bool:
    """Return whether two words are forms of one: `pay` and `paid`, not `located` and `location`."""
    return _lemma(word) == _lemma(other)


def is_past(word: str) -> bool:
    """Return whether a word is a past form of a verb, by its looks: `took`, `paid`, no plural."""
    return is_inflected(word) and not word.endswith(("s", "ing"))


def is_plural(word: str) -> bool:
    """Return whether a word ends like a plural: `vans`, not `glass`."""
    return word.endswith("s") and not word.endswith("ss")


def singular(word: str) -> str:
    """Return a word without the s of its plural."""
    return word.removesuffix("s")


def phrase_at(texts: Sequence[str], start: int, phrases: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the first of some phrases that stands at a position; empty where none does."""
    return next((phrase for phrase in phrases if tuple(texts[start : start + len(phrase)]) == phrase), ())


def is_possessed_by(before: Token, token: Token) -> bool:
    """Return whether a possessive's `'s`, which is no token, parts a word from the next: `Ada's book`."""
    return token.start - before.end > 1


def before_words(tokens: Sequence[Token], end: int, passed: Container[str]) -> int:
    """Return the place of the word before a position, but for some that are passed over; -1 at the front."""
    place = end - 1
    while place > 0 and tokens[place].text in passed:
        place -= 1
    return place


def number_key(number: float) -> str:
    """Return the form by which numbers are equal."""
    return f"{number:.10g}"


def _number(piece: str) -> float:
    """Return the number that digits represent; a clock time's parts are read in base 60."""
    number = 0.0
    for part in piece.replace(",", "").split(":"):
        number = number * 60 + float(part)
    return number


def _plain_with_places(text: str) -> tuple[str, list[int] | None]:
    """Return the plain text, and where in the text its characters stand; None where they are its own.

    The powers of units, as of km² and km^2, are raised.
    """
    powers = {match.end() - 1: match for match in _IN_FIGURES.finditer(text)}
    if text.isascii() and not powers:
        return plain(text), None
    dropped = {match.start() for match in powers.values() if match[1]}
    folded = [
        (letter, place)
        for place, character in enumerate(text)
        if place not in dropped
        for letter in _plain_character(character, is_power=place in powers)
    ]
    return "".join(letter for letter, _ in folded), [place for _, place in folded]


def _plain_character(character: str, *, is_power: bool) -> str:
    if is_power:
        return character.translate(_AS_POWERS)
    return character if character in _POWERS else plain(character)


# The keys of nouns of units, and of those of times as well.
OF_UNITS = frozenset(map(word_key, UNIT_NOUNS))
_UNIT_KEYS = frozenset(map(word_key, MEASURED))


def _add_part(words: list[Token], following: list[str]) -> int:
    """Add what is said behind a unit to the number before it, and return of how many pieces that is.

    `An hour and a half`, `two hours and a half`; `2 hours, 13 minutes and 48 seconds`, told in the last unit.
    """
    number, unit = words[-2:] if len(words) > 1 else (words[-1], words[-1])
    if number.number is None or number.ordinal:
        return 0
    whole, name, read = in_smaller_units(number.number, unit.text, following)
    if read:
        # A point behind it: 80. minutes are no round number.
        words[-2] = replace(number, text=f"{whole:.0f}.", number=whole, key=number_key(whole))
        words[-1] = replace(unit, text=f"{name}s", key=word_key(name))
        return read
    fraction = tuple(following[:_LONGEST_FRACTION])
    if fraction not in PARTS or not number.text.isalpha() or unit.key not in _UNIT_KEYS:
        return 0
    whole = number.number + PARTS[fraction]
    words[-2] = replace(number, number=whole, key=number_key(whole))
    return len(fraction)


# `And a half`; `, and 13 minutes, and 48 seconds`.
_LONGEST_FRACTION, _LONGEST_PARTS = 3, 8


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, with their characters.

    A number takes a sign written before it unless a word or number is joined to that, and an ordinal's or a
    scale's letters written after it. A possessive `'s` is left out.
    """
    reader = _Reader(text)
    position = 0
    while position < len(reader.pieces):
        position = reader.read(position)
    return tuple(reader.tokens)


# What joins numbers to others, in dates, times and ranges.
_JOINED_BEFORE, _JOINED_BEHIND = re.compile(r"\d[-/.:,]$"), re.compile(r"[-/.:,]\d")
# What closes a quotation, by what opens it; ’ is read as '.
CLOSED_BY = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "'"}
# Words of one letter that names may end in.
_LETTERS = frozenset({"a", "s", "t"})
# Nouns of what goes by Roman numerals.
_NUMBERED = word_set("grade class category type phase stage part level group division volume tier war league")
# Read as a number, they stand before a unit.
_BEFORE_UNITS = frozenset({"a", "half"})
# Written short before names.
_TITLES = word_set("st mt ft mr mrs ms dr prof sr jr rev gen col sgt capt")
# Pronouns in capitals, which are names then.
_ACRONYMS = frozenset({"IT", "WHO"})


class _Reader:
    """Reads a text's tokens. `read` and what it calls return the position behind what they read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded, self.places = _plain_with_places(text)
        self.matches = list(_PIECES.finditer(self.folded))
        self.pieces = [match[0].replace("per cent", "percent") for match in self.matches]
        self.tokens: list[Token] = []

    def read(self, position: int) -> int:
        piece = self.pieces[position]
        if piece == "'" and self._following(position) == "s":
            return position + 2
        if piece[0].isdigit() or (piece[0] == "." and len(piece) > 1):
            return self._digits(position)
        spelt = None if self._is_a_unit(position) else spelt_number(self.pieces, position)
        if spelt is not None:
            number, scale, last, ordinal = spelt
            self._add_number(piece, number, scale, (position, last), ordinal=ordinal)
            return last + 1
        if piece[0].isalnum():
            return self._word(position)
        start, end = self._span(position, position)
        if piece != "." or not self._shortens_a_name(start, position):
            self.tokens.append(Token(piece, piece, stop=piece not in "%$#", mark=True, start=start, end=end))
        return position + 1

    def _shortens_a_name(self, start: int, position: int) -> bool:
        """Return whether a point is behind an initial or a title, and more follows: `Gus T. and St. Anne`."""
        before = self.tokens[-1] if self.tokens else None
        return (
            before is not None
            and before.end == start
            and before.cased
            and (len(before.text) == 1 or before.text in _TITLES)
            and bool(self._following(position))
        )

    def _is_a_unit(self, position: int) -> bool:
        """Return whether a word is the unit of `less than a second` and `per second`, and no ordinal."""
        if self.pieces[position] != "second" or not self.tokens:
            return False
        before = self.tokens[-1]
        return before.text == "per" or (before.number is not None and before.text in _BEFORE_UNITS)

    def _is_a_numeral(self, position: int) -> bool:
        """Return whether an I is a number: behind what is numbered, `grade I`, or where no verb follows."""
        return self.pieces[position - 1] in _NUMBERED or self._following(position) in {"", ".", ",", ";", ")"}

    def _is_an_acronym(self, start: int, end: int) -> bool:
        """Return whether a word is written as a name of letters: the IT of `works in IT`, no pronoun.

        Not where everything is written so, as of a text in capitals.
        """
        word = self.text[start:end]
        among_others = self.text != self.text.upper() or self.text.strip() == word
        return word in _ACRONYMS and among_others

    def _opens_a_quotation(self, start: int) -> bool:
        """Return whether a word stands right behind a quotation mark, as the article of `"A Horse"` does."""
        return self.text[start - 1 : start] in CLOSED_BY

    def _following(self, position: int) -> str:
        return self.pieces[position + 1] if position + 1 < len(self.pieces) else ""

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters of the text from one piece to another."""
        start, end = self.matches[first].start(), self.matches[last].end()
        return (start, end) if self.places is None else (self.places[start], self.places[end - 1] + 1)

    def _add_number(
        self, piece: str, number: float, scale: float, pieces: tuple[int, int], *, ordinal: bool
    ) -> None:
        start, end = self._span(*pieces)
        if not math.isfinite(number):
            # Hundreds of digits are no number that anything tells.
            self.tokens.append(Token(piece, piece, start=start, end=end))
            return
        # What begins with a zero is a code, and no 6: 06.
        key = piece if self._is_a_code(piece, *pieces) else number_key(number)
        self.tokens.append(Token(piece, key, number, ordinal, scale=scale, start=start, end=end))

    def _is_a_code(self, piece: str, first: int, last: int) -> bool:
        """Return whether digits begin with a zero and stand alone: `route 06`, of no date and no range."""
        if not (piece.isdigit() and piece.startswith("0") and len(piece) > 1) or first != last:
            return False
        beside = {self.pieces[max(0, first - 1)], self._following(last)}
        if not MONTHS.keys().isdisjoint(beside):
            return False
        start, end = self.matches[first].start(), self.matches[last].end()
        return not (_JOINED_BEFORE.search(self.folded[:start]) or _JOINED_BEHIND.match(self.folded, end))

    def _digits(self, position: int) -> int:
        piece, following = self.pieces[position], self._following(position)
        first = last = position
        number = _number(piece)
        ordinal = following in _SUFFIXES
        before = self.tokens[-2:]
        signed = first and not self.folded[max(0, self.matches[first - 1].start() - 1)].isalnum()
        if signed and before and before[-1].text in "+-" and (len(before) < 2 or before[0].number is None):
            number = -number if self.tokens.pop().text == "-" else number
            first -= 1
        joined = bool(following) and self.matches[position].end() == self.matches[position + 1].start()
        scale = SCALES_OF_NUMBERS.get(following, 0.0) if joined or len(following) > 1 else 0.0
        last += ordinal or bool(scale)
        scale = scale or 1.0
        self._add_number(piece, number * scale, scale, (first, last), ordinal=ordinal)
        return last + 1

    def _word(self, position: int) -> int:
        piece, before = self.pieces[position], self.tokens[-1:]
        denied = piece.endswith("n") and self.pieces[position + 1 : position + 3] == ["'", "t"]
        # The `am` of `8 am` is no verb.
        of_a_clock = piece == "am" and bool(before) and before[0].number is not None
        key = piece if of_a_clock else word_key(piece[:-1] if denied else piece.rstrip("²³"))
        # What is done may be a state that cells tell.
        key = piece if piece == "done" else key
        # What opens a header, `Min. load`, is no minute.
        key = word_key("minimum") if piece == "min" and not before else key
        word = key if key in AUXILIARIES else piece
        start, end = self._span(position, position)
        if piece == OF_COMPOUNDS[:-1] and _COMPOUND.match(self.folded, self.matches[position].end()):
            self.tokens.append(Token(OF_COMPOUNDS, key, stop=True, start=start, end=end))
            return position + 1
        cased = self.text[start].isupper()
        capital = cased and bool(before) and before[0].text not in _ENDS_OF_SENTENCES
        # The A of A2, of A-2 and of `zone A` is no article, the S of `Volta S` no ending.
        of_a_name = _BEFORE_DIGIT.match(self.folded, self.matches[position].end()) or (
            capital
            and not self._opens_a_quotation(start)
            and (piece in _LETTERS or (piece == "i" and self._is_a_numeral(position)))
        )
        of_a_name = of_a_name or self._is_an_acronym(start, end)
        stop = not of_a_name and (key in STOP_WORDS or piece in STOP_WORDS)
        # The n of "n't" is the negation's.
        self.tokens.append(
            Token(word, key, stop=stop, start=start, end=end - denied, capital=capital, cased=cased)
        )
        if denied:
            position += 2
            start, end = self._span(position - 1, position)
            self.tokens.append(Token("not", "not", stop=True, start=start, end=end))
        behind = _add_part(self.tokens, self.pieces[position + 1 : position + 1 + _LONGEST_PARTS])
        if behind:
            _, end = self._span(position, position + behind)
            self.tokens[-1] = replace(self.tokens[-1], end=end)
        return position + behind + 1
