"""What stands around a statement and says of it as a whole that it is so, or not so: `It is false that A`.

Or asks whether it is: `Does A hold?`
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, Token
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words


@dataclass(frozen=True, slots=True)
class Frame:
    """The words that open a claim before its statement. `statement`: its tokens. `denies`: that it is so."""

    words: tuple[Token, ...]
    statement: tuple[Token, ...]
    denies: bool = False


def framed(tokens: tuple[Token, ...]) -> Frame:
    """Return a claim's frame; one without words where the claim is no more than its statement."""
    for end, denies in (
        _judged(tokens),
        (_by_the_table(tokens) or _in_total(tokens) or _asked(tokens), False),
    ):
        if 0 < end < len(tokens):
            first = replace(tokens[end], capital=False)
            return Frame(tokens[:end], (first, *tokens[end + 1 :]), denies)
    return Frame((), tokens)


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


def _asked(tokens: tuple[Token, ...]) -> int:
    """Return where `is`, or `didn't`, ends that asks whether the statement holds; 0 without it.

    What may be done, `can` says of the statement.
    """
    if not asks_whether(tokens) or tokens[0].text in _MODALS:
        return 0
    return 1 + (len(tokens) > 1 and tokens[1].text in _DENYING)


def asks_whether(tokens: tuple[Token, ...]) -> bool:
    """Return whether a question asks whether something is so, and not which of alternatives."""
    texts = [token.text for token in tokens]
    opens = bool(texts) and texts[0] in AUXILIARIES | _MODALS
    return opens and _ALTERNATIVES.isdisjoint(texts)


_MODALS = frozenset({"can", "could", "may", "will", "would"})
_DENYING = frozenset({"not", "n't"})
_ALTERNATIVES = frozenset({"or", "either"})
_TRUE = frozenset({"true", "correct", "right", "case", "fact"})
_FALSE = frozenset({"false", "untrue", "incorrect", "wrong"})
_TABLES = frozenset({"table", "list", "data", "figures"})
_SHOWING = frozenset({"shows", "show", "says", "say", "states", "tells", "records", "confirms"})
_LONGEST = 7
