"""What stands around a statement and says of it as a whole that it is so, or not so: `It is false that A`.

Or asks whether it is: `Does A hold?`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, Token
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words
from evidence_assets.text.words import word_set


@dataclass(frozen=True, slots=True)
class Frame:
    """The words that open a claim before its statement. `statement`: its tokens. `denies`: that it is so."""

    words: tuple[Token, ...]
    statement: tuple[Token, ...]
    denies: bool = False


def framed(tokens: tuple[Token, ...]) -> Frame:
    """Return a claim's frame; one without words where the claim is no more than its statement."""
    if asks_whether(tokens):
        return _asked(tokens)
    for end, denies in (_judged(tokens), (_by_the_table(tokens) or _in_total(tokens), False)):
        if 0 < end < len(tokens):
            return Frame(tokens[:end], _opening(tokens[end:]), denies)
    return Frame((), _with_its_exception_behind(tokens))


def _with_its_exception_behind(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return a claim of none or all with what it excepts behind it: of `apart from A, no B has C`."""
    texts = [token.text for token in tokens]
    opens = tuple(texts[:2]) in _EXCEPTING or texts[:1] == ["besides"]
    comma = texts.index(",") if opens and "," in texts else 0
    if not comma or not _OF_ALL.intersection(texts[comma + 1 : comma + 2]):
        return tokens
    end = len(tokens) - tokens[-1].mark
    return (*tokens[comma + 1 : end], *tokens[:comma], *tokens[end:])


_EXCEPTING = {("apart", "from"), ("except", "for"), ("aside", "from"), ("other", "than")}
_OF_ALL = word_set("no none nobody nothing all every each everyone")


def _opening(statement: tuple[Token, ...]) -> tuple[Token, ...]:
    return (replace(statement[0], capital=False), *statement[1:])


def _judged(tokens: tuple[Token, ...]) -> tuple[int, bool]:
    """Return where `it is true that` ends, and whether it denies; 0 without it."""
    texts = [token.text for token in tokens[:_LONGEST]]
    if texts[:1] != ["it"] or "that" not in texts:
        return 0, False
    end = texts.index("that")
    # The `'s` of `it's true` is no token.
    verb = int(texts[1] == "be")
    judging = [text for text in texts[1 + verb : end] if text not in ARTICLES and not text.endswith("ly")]
    denials = judging[:1].count("not")
    if len(judging) - denials != 1 or judging[-1] not in _TRUE | _FALSE:
        return 0, False
    return end + 1, bool(denials) != (judging[-1] in _FALSE)


def _by_the_table(tokens: tuple[Token, ...]) -> int:
    """Return where `according to the table,` or `the table shows that` ends; 0 without it."""
    texts = [token.text for token in tokens[:5]]
    if texts[:1] in (["the"], ["this"]) and texts[3:4] == ["that"]:
        return 4 if texts[1] in _TABLES and texts[2] in _SHOWING else 0
    opens = texts[:2] == ["according", "to"] and texts[2:3] in (["the"], ["this"]) and texts[4:] == [","]
    return 5 if opens and texts[3] in _TABLES else 0


def _in_total(tokens: tuple[Token, ...]) -> int:
    """Return where `in total,` ends before a statement that says so again; 0 without it."""
    texts = [token.text for token in tokens]
    return 3 if texts[:3] == ["in", "total", ","] and adding_words(texts, range(3, len(texts))) else 0


def _asked(tokens: tuple[Token, ...]) -> Frame:
    """Return the frame of a question whether its statement holds: `is`, `didn't`, `is it false that`.

    A modal is kept: `can` says what is permitted.
    """
    start = _start(tokens)
    denied = tokens[start + 1 : start + 2] if len(tokens) > start + 1 else ()
    denied = denied if denied and denied[0].text == "not" else ()
    if tokens[start].text in _MODALS:
        words = (*tokens[:start], *denied)
        return Frame(words, (*_opening(tokens[start : start + 1]), *tokens[start + 1 + len(denied) :]))
    end = start + 1 + len(denied)
    judged, denies = _judged(tokens[end:])
    end += judged
    if end >= len(tokens):
        return Frame((), tokens)
    return Frame(tokens[:end], _opening(tokens[end:]), denies)


def asks_whether(tokens: tuple[Token, ...]) -> bool:
    """Return whether a question asks whether something is so, and not which of alternatives."""
    texts = [token.text for token in tokens]
    start = _start(tokens)
    opens = start < len(texts) and texts[start] in AUXILIARIES | _MODALS
    return opens and _ASKING.isdisjoint(texts) and not any(_chooses(texts, n) for n in range(len(texts)))


def _start(tokens: Sequence[Token]) -> int:
    """Return where a question opens, behind marks and what joins it to another one: `and is`."""
    opening = (n for n, token in enumerate(tokens) if not (token.mark or token.text in _JOINING))
    return next(opening, len(tokens))


def _chooses(texts: Sequence[str], position: int) -> bool:
    """Return whether a word offers alternatives: not that of `40 or more`, `deeper than A or B`."""
    if texts[position] == "either":
        return "than" not in texts[:position]
    following = texts[position + 1] if position + 1 < len(texts) else ""
    is_open = following not in _BEHIND_BOUNDS and "than" not in texts[:position]
    return texts[position] == "or" and is_open


_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
_ASKING = frozenset({"which", "what", "who", "whom", "whose", "how"})
_JOINING = frozenset({"and", "so", "but", "then"})
_BEHIND_BOUNDS = word_set("more less fewer later earlier not higher lower over under")
_TRUE = frozenset({"true", "correct", "right", "case", "fact"})
_FALSE = frozenset({"false", "untrue", "incorrect", "wrong"})
_TABLES = frozenset({"table", "list", "data", "figures"})
_SHOWING = frozenset({"shows", "show", "says", "say", "states", "tells", "records", "confirms"})
_LONGEST = 7
