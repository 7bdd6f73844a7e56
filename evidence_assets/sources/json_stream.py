"""Streaming of the values of a JSON file in bounded memory, with the position of syntax errors."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator
from typing import TypeVar

from evidence_assets.sources.files import BYTE_ORDER_MARK, BrokenReadError, open_binary
from evidence_assets.sources.records import UnusableSourceError

Value = TypeVar("Value")

CHUNK_BYTES = 64 * 1024
JSON_WHITE_SPACE = b" \t\r\n"


class JsonBytes:
    """The bytes of a JSON file for ijson, stopping at the first that is not UTF-8."""

    def __init__(self, stream: io.BufferedReader, uri: str) -> None:
        self._stream, self._uri = stream, uri
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.start = self.end = 0  # of the chunk handed out last

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
            UnusableSourceError: a byte is not UTF-8; its position is named.
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
        if data:
            self.start, self.end = self.end, self.end + len(data)
        return data

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
        source.first_character()
        try:
            for number, value in enumerate(values_of(source), start=1):
                yield number, value
        except BrokenReadError as error:
            raise error.after(f"{unit} {number}") from error
        except ijson.JSONError as error:
            # The parser quotes the text around the fault and points at it from a line below.
            message = " ".join(str(error).partition("(right here)")[0].split())
            raise UnusableSourceError(
                uri,
                f"after {unit} {number}, between bytes {source.start} and {source.end}",
                f"broken JSON: {message}",
                "correct or fetch the file again; read one object a line with the jsonl reader",
            ) from error
