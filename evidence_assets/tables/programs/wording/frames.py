"""What stands around a statement and says of it as a whole that it is so, or not so: `It is false that A`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evidence_assets.tables.programs.wording.words import ARTICLES, Token


@dataclass(frozen=True, slots=True)
class Frame:
    """The words that open a claim before its statement. `statement`: its tokens. `denies`: that it is so."""

    words: tuple[Token, ...]
    statement: tuple[Token, ...]
    denies: bool = False


def framed(tokens: tuple[Token, ...]) -> Frame:
    """Return a claim's frame; one without words where the claim is no more than its statement."""
    for end, denies in (_judged(tokens), (_by_the_table(tokens) or _in_total(tokens), False)):
        if 0 < end < len(tokens):
            first = replace(tokens[end], capital=False)
            return Frame(tokens[:end], (first, *tokens[end + 1 :]), denies)
    return Frame((), tokens)


def _judged(tokens: tuple[Token, ...]) -> tuple[int, bool]:
    """Return where `it is true that` ends, and whether it denies; 0 without it."""
    texts = [token.text for token in tokens[:_LONGEST]]
    if texts[:2] != ["it", "be"] or "that" not in texts[2:]:
        return 0, False
    end = texts.index("that", 2)
    judging = [text for text in texts[2:end] if text not in ARTICLES]
    denials = judging[:1].count("not")
    if len(judging) - denials != 1 or judging[-1] not in _TRUE | _FALSE:
        return 0, False
    return end + 1, bool(denials) != (judging[-1] in _FALSE)


def _by_the_table(tokens: tuple[Token, ...]) -> int:
    """Return where `according to the table,` ends; 0 without it."""
    texts = [token.text for token in tokens[:5]]
    opens = texts[:2] == ["according", "to"] and texts[2:3] in (["the"], ["this"]) and texts[4:] == [","]
    return 5 if opens and texts[3] in _TABLES else 0


def _in_total(tokens: tuple[Token, ...]) -> int:
    """Return where `in total,` ends before a statement that says so again; 0 without it."""
    opens = [token.text for token in tokens[:3]] == ["in", "total", ","]
    return 3 if opens and any(token.text in _TOTAL for token in tokens[3:]) else 0


_TRUE = frozenset({"true", "correct", "right", "case", "fact"})
_FALSE = frozenset({"false", "untrue", "incorrect", "wrong"})
_TABLES = frozenset({"table", "list", "data", "figures"})
_TOTAL = frozenset({"total", "together", "combined", "altogether"})
_LONGEST = 7
