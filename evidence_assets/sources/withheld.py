"""Values of variables in addresses, kept out of what is said: `${NAME}` is written where one would stand.

An address such as `https://example.org/${TOKEN}/a.jsonl` may hold a secret. The libraries that open it quote
it in their errors and logs, whole or in part, in spellings of their own.
"""

from __future__ import annotations

import html
import json
import logging
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote

# A shorter value may be a word of any message: it is withheld between signs of addresses alone.
_SURELY_ITSELF = 8
# A shorter one is no secret.
_SHORTEST = 4
_BEFORE, _AFTER = r"(?<=[/:=@?&;,])", r"(?=[/:=@?&#;,'\")\s]|$)"
# A value may be an address itself, or `user:password`, or `key=…&signature=…`, which libraries take apart.
_HAS_PARTS = re.compile(r"[=@&?:]")
_SIGN = re.compile(r"[/?#&=@:;,\s]+")
_Error = TypeVar("_Error", bound=BaseException)


class QuotingError(Exception):
    """Stands for an error of a library that quoted a value: its kind and text, with the name in its place."""


class _Values:
    """The values that this process withholds, and the pattern that finds any of them: a group each."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.finder: tuple[re.Pattern[str], Sequence[str]] | None = None

    def add(self, name: str, spellings: Iterable[str]) -> None:
        """Have a name stand for these spellings too."""
        known = len(self.names)
        for spelling in spellings:
            self.names.setdefault(spelling, name)
        if len(self.names) > known:
            longest_first = sorted(self.names, key=len, reverse=True)
            pattern = "|".join(f"({_any_form(spelling)})" for spelling in longest_first)
            names = [self.names[spelling] for spelling in longest_first]
            self.finder = re.compile(pattern, re.IGNORECASE), names


_VALUES = _Values()


def withhold(name: str, value: str) -> None:
    """Have `${name}` stand for a variable's value in errors and logs of this process, from here on."""
    is_first = _VALUES.finder is None
    _VALUES.add(name, _spellings(value))
    if is_first and _VALUES.finder is not None:
        _have_logs_written()


def as_written(text: str) -> str:
    """Return a text with `${NAME}` in the place of each value, encoded or escaped as it may be."""
    if _VALUES.finder is None:
        return text
    pattern, names = _VALUES.finder
    return pattern.sub(lambda found: f"${{{names[(found.lastindex or 1) - 1]}}}", text)


def error_as_written(error: _Error) -> _Error | QuotingError:
    """Return an error whose text, and those of what caused it, hold no value of a variable.

    One without any is returned itself; its causes may be put right within it.
    """
    if _VALUES.finder is None:
        return error
    return _put_right(error, set())


def _put_right(error: _Error, seen: set[int]) -> _Error | QuotingError:
    if id(error) in seen:
        return error
    seen.add(id(error))
    quoted = "".join(traceback.format_exception_only(error)).strip()
    told: _Error | QuotingError = error
    if (text := as_written(quoted)) != quoted:
        told = QuotingError(text).with_traceback(error.__traceback__)
    if error.__cause__ is not None:
        told.__cause__ = _put_right(error.__cause__, seen)
    elif error.__context__ is not None and not error.__suppress_context__:
        told.__context__ = _put_right(error.__context__, seen)
    return told


def _spellings(value: str) -> Iterator[str]:
    """Yield a value, and the parts of one that is an address or its query, with and without percent signs."""
    parts = _SIGN.split(value.rpartition("://")[2]) if _HAS_PARTS.search(value) else []
    for part in (value, *parts):
        for spelling in {part, unquote(part)}:
            if len(spelling) >= _SHORTEST:
                yield spelling


def _any_form(spelling: str) -> str:
    """Return the pattern of a value whose every character may be encoded, or escaped."""
    pattern = "".join(map(_any_form_of_character, spelling))
    return pattern if len(spelling) >= _SURELY_ITSELF else f"{_BEFORE}{pattern}{_AFTER}"


def _any_form_of_character(character: str) -> str:
    encoded = "".join(f"%(?:25)*{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
    shown = (character, html.escape(character), json.dumps(character)[1:-1], ascii(character)[1:-1])
    # Beside a quotation mark of the other kind, Python escapes this one.
    escaped = {*shown, repr(character)[1:-1], *(["\\'"] if character == "'" else [])}
    forms = [*sorted(map(re.escape, escaped), key=len, reverse=True), encoded]
    return f"(?:{'|'.join(forms)}{'|[+]' if character == ' ' else ''})"


def _have_logs_written() -> None:
    """Have what any library logs in this process pass `as_written`."""
    make = logging.getLogRecordFactory()

    def record(*values: Any, **named: Any) -> logging.LogRecord:
        made = make(*values, **named)
        try:
            message = made.getMessage()
        # Whatever a library's message and its values fail with; logging tells it where it writes them.
        except Exception:
            return made
        if (text := as_written(message)) != message:
            made.msg, made.args = text, None
        if made.exc_info and made.exc_info[1] is not None:
            error = error_as_written(made.exc_info[1])
            made.exc_info = (type(error), error, error.__traceback__)
        return made

    logging.setLogRecordFactory(record)
