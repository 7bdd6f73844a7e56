"""Streaming of the values of a JSON file in bounded memory, with the position of syntax errors."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from evidence_assets.sources.files import BYTE_ORDER_MARK, BrokenReadError, open_binary
from evidence_assets.sources.records import UnusableSourceError

Value = TypeVar("Value")

CHUNK_BYTES = 64 * 1024
JSON_WHITE_SPACE = b" \t\r\n"
# The parser keeps the path to each level, memory that grows with the square of the depth, and crashes.
DEEPEST = 200
LONGEST_VALUE = 1 << 26
# Nor has it room for the digits of a number beyond what Python converts.
MOST_DIGITS = 1_000
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DIGITS = re.compile(rb"[0-9]{%d}" % MOST_DIGITS)
_LAST_DIGITS = re.compile(rb"[0-9]*\Z")


class _Shape:
    """What a JSON text holds that would crash its parser, detected chunk by chunk without parsing."""

    def __init__(self) -> None:
        self._depth, self._in_text, self._before, self._digits = 0, False, b"", b""

    def problem(self, chunk: bytes) -> str:
        """Return what is wrong in the next chunk; empty: nothing."""
        bare = (self._before + chunk).replace(b"\\\\", b"").replace(b'\\"', b"")
        # The first half of an escape.
        self._before = b"\\" if bare.endswith(b"\\") else b""
        pieces = bare.split(b'"')
        outside = self._digits + b"".join(pieces[self._in_text :: 2])
        self._in_text ^= len(pieces) % 2 == 0
        if _DIGITS.search(outside):
            return f"a number has more than {MOST_DIGITS:,} digits"
        last = _LAST_DIGITS.search(outside)
        self._digits = last[0] if last else b""
        brackets = outside.translate(None, _NO_BRACKETS)
        steps = np.frombuffer(brackets, np.uint8)
        depths = self._depth + np.cumsum(np.where((steps == ord("[")) | (steps == ord("{")), 1, -1))
        deepest = max(self._depth, int(depths.max(initial=0)))
        self._depth = int(depths[-1]) if depths.size else self._depth
        return f"lists and objects lie more than {DEEPEST} deep in each other" if deepest > DEEPEST else ""


class JsonBytes:
    """The bytes of a JSON file for ijson, up to one that is not UTF-8, or that would crash the parser."""

    def __init__(self, stream: io.BufferedReader, uri: str) -> None:
        self._stream, self._uri = stream, uri
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._shape = _Shape()
        self.start = self.end = 0  # of the chunk handed out last
        self.value_start = 0  # of the chunk in which the value that is being read may begin

    def first_character(self) -> bytes:
        """The first byte that matters, left to be read; empty where the file has none."""
        if self._stream.peek(len(BYTE_ORDER_MARK)).startswith(BYTE_ORDER_MARK):
            self._skip(len(BYTE_ORDER_MARK))
        while (first := self._stream.peek(1)[:1]) and first in JSON_WHITE_SPACE:
            self._skip(1)
        return first

    def read(self, size: int = -1) -> bytes:
        """Read on, as a file does.

        Raises:
            UnusableSourceError: a byte is not UTF-8, a value is longer or deeper than any should be; its
                position is named.
        """
        data = self._stream.read(size)
        try:
            self._decoder.decode(data, final=not data and size != 0)
        except UnicodeDecodeError as error:
            carried_over = len(error.object) - len(data)
            position = self.end - carried_over + error.start
            raise UnusableSourceError(
                self._uri,
                f"byte {position}",
                f"0x{error.object[error.start]:02x} is not UTF-8",
                "save the file as UTF-8",
            ) from error
        if problem := self._shape.problem(data):
            raise self._unusable(problem, "take the file as published, or leave the record out")
        if data:
            self.start, self.end = self.end, self.end + len(data)
        if self.end - self.value_start > LONGEST_VALUE:
            raise self._unusable(
                f"a value is longer than {LONGEST_VALUE:,} bytes", "cut it, or give an object a line"
            )
        return data

    def _unusable(self, reason: str, remedy: str) -> UnusableSourceError:
        return UnusableSourceError(self._uri, f"between bytes {self.start} and {self.end}", reason, remedy)

    def _skip(self, count: int) -> None:
        self.end += len(self._stream.read(count))
        self.start = self.end


def numbered_values(
    uri: str, values_of: Callable[[JsonBytes], Iterator[Value]], unit: str
) -> Iterator[tuple[int, Value]]:
    """Number from 1 and value of everything `values_of` takes from the file; `unit` names one of them.

    Raises:
        UnusableSourceError: the file is missing, breaks off, or is not valid JSON.
    """
    import ijson

    number = 0
    with open_binary(uri) as stream:
        source = JsonBytes(stream, uri)
        if not source.first_character():
            raise UnusableSourceError(
                uri, "the whole file", "it is empty", "name the file that holds the data"
            )
        try:
            for number, value in enumerate(values_of(source), start=1):
                yield number, value
                source.value_start = source.start
        except BrokenReadError as error:
            raise error.after(f"{unit} {number}") from error
        # Halves of characters, and of numbers exponents that none can have, fail with errors of their own.
        except (ijson.JSONError, ArithmeticError, UnicodeDecodeError) as error:
            # The parser quotes the text around the fault and points at it from a line below.
            message = " ".join(str(error).partition("(right here)")[0].split())
            raise UnusableSourceError(
                uri,
                f"after {unit} {number}, between bytes {source.start} and {source.end}",
                f"broken JSON: {message}",
                "correct or fetch the file again; read one object a line with the jsonl reader",
            ) from error
