"""A cell's text: what it shows, without markup, scripts, footnote marks and needless spaces."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from functools import lru_cache

SHORT_CHARACTERS = 100
KEPT_TEXTS = 1 << 15

_PLAIN = re.compile(r"[-+]?[0-9A-Za-z.,]+(?: [0-9A-Za-z.,]+)*")
# Only names that HTML knows: `<unk>` and `p <b` are what a cell says.
_INLINE_TAGS = (
    "a|abbr|b|bdi|bdo|big|bold|cite|code|del|dfn|em|font|i|img|ins|italic|kbd|mark|nowiki|q|s|samp|small|span"
    "|strike|strong|sub|sup|tt|u|underline|var|wbr"
)
_BLOCK_TAGS = (
    "br|caption|center|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|td|tfoot|th|thead|tr|ul|input|button"
    "|iframe|object|svg|script|style|ref|noscript|form|label|select|option|template"
)
_ATTRIBUTES = r"(?:\s+[a-zA-Z_:@][-\w:.]*(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=`]+))?)*\s*/?"
_INLINE_TAG = re.compile(rf"<(/?)({_INLINE_TAGS}){_ATTRIBUTES}>", re.IGNORECASE)
# They hold nothing, so that nothing closes them.
_VOID_TAGS = frozenset({"img", "wbr"})
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK_TAGS}){_ATTRIBUTES}>", re.IGNORECASE)
_NOT_SHOWN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|ref|noscript|template)\b[^>]*(?:/>|>.*?(?:</\1\s*>|\Z))",
    re.IGNORECASE | re.DOTALL,
)
_SUPERSCRIPT = re.compile(r"<sup\b[^<>]*>([^<>]{0,40})</sup\s*>", re.IGNORECASE)
_POWER = re.compile(r"[-+−]?\d+")
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th", "TM", "®", "™", "°", "o"})
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_WEB_LINK = re.compile(r"\[(?:https?:)?//[^\s\[\]]+(?:\s+([^\[\]]*))?\]")
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_QUOTES = re.compile(r"'{2,5}")
_MARKS = re.compile(
    r"\[/?(?:BOLD|ITALIC|EMPTY|CONTINUE|UNDERLINE|STRIKE|SMALL|CAP|FILL|SKIP|ROW|COL|HEADER)\]", re.IGNORECASE
)
_FOOTNOTES = re.compile(
    r"(?<=\S)\s*(?:\[(?:[0-9]{1,3}|[a-z]|[ivx]{1,5}|(?:n|nb|note|notes|fn|ref|lower-alpha)\.?\s?[0-9a-z]{0,3}"
    r"|citation needed|update)\])+",
    re.IGNORECASE,
)
_DAGGERS = re.compile(r"(?<=\S)\s*[†‡§¶]+(?=\s|$|[),;])|^[†‡§¶]+\s*(?=\S)")
# An asterisk belongs to some names (A*): it is a mark behind a number or a word of some length.
_ASTERISKS = re.compile(r"(?<=[0-9%)\]])\s?\*{1,4}(?=\s|$)|(?<=[^\W\d_]{3})\*{1,4}$")
_TRANSLATED: dict[int, str | None] = dict.fromkeys((0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF))
# The asterisk and tilde operators stand for what they look like.
_TRANSLATED |= {0x2217: "*", 0x223C: "~"}
_HARMLESS_FOLDS = frozenset({"<wide>", "<narrow>", "<font>", "<square>"})
_LIGATURES = range(0xFB00, 0xFB07)
_SUPERSCRIPT_DIGITS = re.compile(r"(?<=[\w)])[⁺⁻]?[⁰¹²³⁴-⁹]+")
_BASES = re.compile(r"(?<![\d.,])(?:10|2)$")
_SUPERSCRIPT_TABLE = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")


def clean_text(raw: str) -> str:
    """Return a cell's text without markup, scripts, footnote marks and needless spaces.

    Full-width forms and ligatures are folded; powers stay powers (`10²` and `10<sup>2</sup>` give `10^2`).
    """
    if _PLAIN.fullmatch(raw):
        return raw
    if len(raw) <= SHORT_CHARACTERS:
        return _cleaned_and_kept(raw)
    return _cleaned(raw)


def _cleaned(raw: str) -> str:
    text = raw
    if "<" in text:
        text = _NOT_SHOWN.sub(" ", text)
        text = _SUPERSCRIPT.sub(_raised, text)
        text = _BLOCK_TAG.sub(" ", _without_inline_tags(text))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if not text.isascii():
        text = _folded(text)
    if "{{" in text:
        text = _TEMPLATE.sub(_template_text, text)
    if "[" in text:
        text = _WEB_LINK.sub(lambda match: match[1] or "", _WIKI_LINK.sub(r"\1", text))
        text = _MARKS.sub(" ", text)
        text = _FOOTNOTES.sub("", text)
    if "''" in text:
        text = _QUOTES.sub("", text)
    text = " ".join(text.split())
    if "*" in text:
        text = _ASTERISKS.sub("", text)
    if not text.isascii():
        text = _DAGGERS.sub("", text)
    return text if text.isprintable() else " ".join(_printable(text).split())


def _without_inline_tags(text: str) -> str:
    """Return a text without the tags that stand in it as pairs; one alone is what it says: `Norw<i>ay`."""
    counts = Counter((match[2].lower(), bool(match[1])) for match in _INLINE_TAG.finditer(text))

    def replaced(match: re.Match[str]) -> str:
        name = match[2].lower()
        is_one_of_a_pair = bool(counts[name, True] and counts[name, False])
        return "" if is_one_of_a_pair or name in _VOID_TAGS or match[0].endswith("/>") else match[0]

    return _INLINE_TAG.sub(replaced, text)


_cleaned_and_kept = lru_cache(maxsize=KEPT_TEXTS)(_cleaned)


def _raised(match: re.Match[str]) -> str:
    """A raised number is a power; raised letters are footnote marks, but for those of ordinals."""
    inside = match[1].strip()
    if _POWER.fullmatch(inside):
        return f"^{inside}" if _takes_a_power(match.string[: match.start()], inside) else ""
    return inside if inside in _ORDINAL_ENDINGS else " "


def _template_text(match: re.Match[str]) -> str:
    """The last unnamed part of a wiki template: what it shows, in most of them."""
    parts = [part.strip() for part in match[1].split("|") if "=" not in part]
    return parts[-1] if parts else ""


def _power_or_nothing(match: re.Match[str]) -> str:
    raised = match[0].translate(_SUPERSCRIPT_TABLE)
    return f"^{raised}" if _takes_a_power(match.string[: match.start()], raised) else ""


def _takes_a_power(before: str, raised: str) -> bool:
    """Return whether a raised number is a power of what stands before it; else it is a footnote's.

    Of whole numbers 10 and 2 are raised to powers, hardly another: 1968¹ is a year with a footnote.
    """
    if not before or before[-1].isspace():
        return False
    return not before[-1].isdigit() or raised[0] in "+-" or _BASES.search(before) is not None


def _folded(text: str) -> str:
    text = _SUPERSCRIPT_DIGITS.sub(_power_or_nothing, text)
    text = unicodedata.normalize("NFC", text.translate(_TRANSLATED))
    return "".join(character if character < "\u0080" else _folded_character(character) for character in text)


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    harmless = unicodedata.decomposition(character).partition(" ")[0] in _HARMLESS_FOLDS
    if harmless or ord(character) in _LIGATURES:
        return unicodedata.normalize("NFKC", character)
    return character


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(character) == "Cc" else character for character in text)
