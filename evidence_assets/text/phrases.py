"""Candidate phrases of a text that could name a concept, with their character spans."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise

from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_spans

LONGEST_PHRASE = 4
# Longer runs are names, or nothing: "The Lord of the Rings: The Return of the King".
LONGEST_NAME = 10
# Separators inside a phrase; any other punctuation ends it.
_WITHIN_PHRASE = re.compile(r"[\s_\-'’]+")
# Within a name more may stand, but no sentence ends: "St. Mary's", "Romeo & Juliet", "3:10 to Yuma".
_WITHIN_NAME = re.compile(r"[^\w?!\n]{1,3}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of words of a text, by its characters.

    `plain` where it neither begins nor ends with a function word, or is the whole text. The others are names
    only where a graph has the very words as one ("have fun", "go to work").
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
    """Return every run of one to four words with at least one content word, by start, longer first.

    A text that is a short phrase as a whole is included, whatever its words.
    """
    spans = word_spans(text)
    empty = function_words()
    plain = [text[start:end].lower() not in empty for start, end in spans]
    result: list[Phrase] = []
    for first, (start, _) in enumerate(spans):
        runs = []
        for last in range(first, min(first + LONGEST_PHRASE, len(spans))):
            if last > first and not _WITHIN_PHRASE.fullmatch(text[spans[last - 1][1] : spans[last][0]]):
                break
            is_whole = first == 0 and last == len(spans) - 1
            if is_whole or any(plain[first : last + 1]):
                run = text[start : spans[last][1]]
                runs.append(Phrase(run, start, spans[last][1], is_whole or (plain[first] and plain[last])))
        result += reversed(runs)
    return result


def long_runs(text: str) -> list[Phrase]:
    """Return the runs of up to ten words that are no phrases, but may be names, by start, longer first.

    They have more than four words, or punctuation within them, and a word with content. None is plain.
    """
    spans = word_spans(text)
    empty = function_words()
    content = [text[start:end].lower() not in empty for start, end in spans]
    between = [text[end:start] for (_, end), (start, _) in pairwise(spans)]
    result: list[Phrase] = []
    for first, (start, _) in enumerate(spans):
        runs, is_phrase = [], True
        for last in range(first + 1, min(first + LONGEST_NAME, len(spans))):
            if not _WITHIN_NAME.fullmatch(between[last - 1]):
                break
            is_phrase &= last - first < LONGEST_PHRASE and bool(_WITHIN_PHRASE.fullmatch(between[last - 1]))
            if not is_phrase and any(content[first : last + 1]):
                end = spans[last][1]
                runs.append(Phrase(text[start:end], start, end, False))
        result += reversed(runs)
    return result
