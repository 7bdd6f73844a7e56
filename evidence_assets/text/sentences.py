"""Sentence segmentation, fast enough for a whole Wikipedia on one core.

A sentence ends at `.`, `!`, `?` or `…` (with closing quotes or brackets) followed by white space and
something that can begin a sentence; at CJK full stops; and at line breaks. It does not end after common
abbreviations and initials, but after a letter that tells things of a kind apart: "house A. The lift".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.text.function_words import function_words

# A single character class keeps the search fast; candidates are examined one by one.
_MARK = re.compile(r"[.!?…。！？\r\n]+[\"'”’»)\]」』）]*")
_BEGINS_SENTENCE = re.compile(r"[ \t\u00a0]+[\"'“‘«(\[]*[^\Wa-z_]")
_ENDS_ALONE = re.compile(r"[。！？\r\n]")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_ABBREVIATION = re.compile(
    r"""(?: [a-hj-z] | mrs? | ms | dr | prof | st | sr | jr | gen | col | lt | capt | sgt | rev | hon
    | gov | sen | rep | pres | messrs | mt | ft | al | approx | vs | cf | e\.g | i\.e | dept | univ | bros
    | u\.s | u\.k | u\.n | ph\.d | m\.d | b\.a | m\.a | b\.c | a\.d | d\.c )""",
    re.VERBOSE | re.IGNORECASE,
)
# Everyday words, or the ends of sentences, unless a number follows.
_BEFORE_NUMBER = re.compile(
    r"""(?: [Nn]os? | [Vv]ol | pp? | [Ff]igs? | [Ee]q | ca | [Ee]st | [Cc]h | [Ss]ec
    | Jan | Feb | Mar | Apr | Jun | Jul | Aug | Sept? | Oct | Nov | Dec )""",
    re.VERBOSE,
)
# "House A. The", "Philip V. He": no initial stands between a word in lower case and such a beginning, and few
# are numerals.
_LABEL = re.compile(r"(?:(?<![^\s(\[])[a-z]\S*[ \t\u00a0][A-Z]|[a-z][ \t\u00a0][VX])$")
_LONGEST_LABELLED = 32
_NEXT_WORD = re.compile(r"[ \t\u00a0]+([A-Z]\w*)\b(?!\.)")
_LONGEST_ABBREVIATION = len("messrs")
_NUMBER_FOLLOWS = re.compile(r"[ \t\u00a0]+\d")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield each sentence's (start, end) in characters, without surrounding white space, in order.

    Every character that is not white space lies in exactly one span.
    """
    start = 0
    for mark in _MARK.finditer(text):
        if _ENDS_ALONE.search(mark[0]) is None:
            if _BEGINS_SENTENCE.match(text, mark.end()) is None:
                continue
            if mark[0] == "." and _is_abbreviation(text, start, mark.start()):
                continue
        # After a line break a quote opens what follows; elsewhere it closes what came before.
        line_break = max(mark[0].rfind("\n"), mark[0].rfind("\r"))
        end = mark.start() + line_break + 1 if line_break >= 0 else mark.end()
        yield from _trimmed(text, start, end)
        start = end
    yield from _trimmed(text, start, len(text))


def _is_abbreviation(text: str, start: int, stop: int) -> bool:
    if not text[stop - 1 : stop].isalpha():
        return False
    match = _LAST_WORD.search(text, max(start, stop - _LONGEST_ABBREVIATION - 1), stop)
    if match is None or len(match[0]) > _LONGEST_ABBREVIATION:
        return False
    if _ABBREVIATION.fullmatch(match[0]):
        return not _is_label(text, stop)
    return bool(_BEFORE_NUMBER.fullmatch(match[0]) and _NUMBER_FOLLOWS.match(text, stop + 1))


def _is_label(text: str, stop: int) -> bool:
    """Return whether the letter that ends at `stop` is no initial, as its sentence ends there."""
    follows = _NEXT_WORD.match(text, stop + 1)
    is_beginning = follows is not None and follows[1].lower() in function_words()
    return is_beginning and _LABEL.search(text, max(0, stop - _LONGEST_LABELLED), stop) is not None


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
