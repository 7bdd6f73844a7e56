"""Candidate phrases of a text that could name a concept, with their character spans."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_spans

LONGEST_PHRASE = 4
# Longer runs are names, or nothing: "The Lord of the Rings: The Return of the King".
LONGEST_NAME = 10
# Separators inside a phrase; any other punctuation ends it.
_WITHIN_PHRASE = re.compile(r"[\s_\-'’]+")
# Within a name more may stand, but no sentence ends: "St. Mary's", "Romeo & Juliet", "3:10 to Yuma".
_WITHIN_NAME = re.compile(r"[^\w?!\n]{1,3}")
_LONGEST_ABBREVIATION = 3
# What stands before a word that begins no sentence, and how many characters of it are looked at.
_WITHIN_SENTENCE = re.compile(r"[\w,;\"'’)\]]\s+[\"'“‘(]?$")
_LOOKED_BACK = 8


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of words of a text, by its characters.

    `plain` where it is short and neither begins nor ends with a function word, or is the whole text. The
    others are names only where a graph has the very words as one ("have fun", "Romeo & Juliet").
    """

    text: str
    start: int
    end: int
    plain: bool = True

    def overlaps(self, other: Phrase) -> bool:
        """Tell whether the two share a character."""
        return self.start < other.end and other.start < self.end


class Spans:
    """Where some phrases of a text stand, asked of another by halving: a text may have thousands of each."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        spans = sorted((phrase.start, phrase.end) for phrase in phrases)
        self._starts = [start for start, _ in spans]
        # The furthest end of the spans that begin no later than each.
        self._furthest = list(accumulate((end for _, end in spans), max))

    def overlap(self, phrase: Phrase) -> bool:
        """Tell whether any shares a character with the phrase."""
        before = bisect_left(self._starts, phrase.end)
        return before > 0 and self._furthest[before - 1] > phrase.start

    def surpass(self, phrase: Phrase) -> bool:
        """Tell whether the phrase is a part of any, and shorter."""
        earlier = bisect_left(self._starts, phrase.start)
        if earlier > 0 and self._furthest[earlier - 1] >= phrase.end:
            return True
        no_later = bisect_right(self._starts, phrase.start)
        return no_later > 0 and self._furthest[no_later - 1] > phrase.end


def phrases(text: str) -> list[Phrase]:
    """Return every run of up to ten words with a content word or a capital within, by start, longer first.

    Plain ones have at most four, and nothing but spaces, hyphens and apostrophes within. A text that is a
    short phrase as a whole is included, whatever its words.
    """
    spans = word_spans(text)
    empty = function_words()
    content = [text[start:end].lower() not in empty for start, end in spans]
    # "Go" within a sentence may be a name.
    may_name = [
        bears or _is_capital_within(text, start, end)
        for bears, (start, end) in zip(content, spans, strict=True)
    ]
    result: list[Phrase] = []
    for first, (start, _) in enumerate(spans):
        runs, is_short = [], True
        for last in range(first, min(first + LONGEST_NAME, len(spans))):
            end = spans[last][1]
            if last > first:
                before, between = text[slice(*spans[last - 1])], text[spans[last - 1][1] : spans[last][0]]
                is_joined = _WITHIN_PHRASE.fullmatch(between) is not None
                if not is_joined and not _may_stand_in_name(before, between):
                    break
                is_short &= is_joined and last - first < LONGEST_PHRASE
            is_whole = is_short and first == 0 and last == len(spans) - 1
            if is_whole or any(may_name[first : last + 1]):
                is_plain = is_short and (is_whole or (content[first] and content[last]))
                runs.append(Phrase(text[start:end], start, end, is_plain))
        result += reversed(runs)
    return result


def _is_capital_within(text: str, start: int, end: int) -> bool:
    """Return whether a word is written as a name within a sentence: not "A", and not "NOT"."""
    word, before = text[start:end], text[max(0, start - _LOOKED_BACK) : start]
    return len(word) > 1 and word.istitle() and _WITHIN_SENTENCE.search(before) is not None


def _may_stand_in_name(word: str, between: str) -> bool:
    """Return whether what stands behind a word may do so within a name; a full stop behind abbreviations."""
    ends = between.startswith(".") and between != "." and len(word) > _LONGEST_ABBREVIATION
    return not ends and _WITHIN_NAME.fullmatch(between) is not None
