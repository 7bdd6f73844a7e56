"""Elements of an XML document as they begin and end, in time linear in its bytes, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast
from xml.etree.ElementTree import Element, XMLPullParser

SMALLEST_BLOCK = 1 << 14
# A token this long is read again a few times at most: a revision has no room for more of them.
LARGEST_BLOCK = 1 << 24


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to so many bytes; none at the end."""


def xml_events(stream: Readable) -> Iterator[tuple[str, Element]]:
    """Yield ("start" or "end", element) of every element.

    The parser reads a token that has not ended (a tag, a comment) anew from its first byte with every block
    that it is given. So blocks are doubled as long as nothing begins or ends.

    Raises:
        xml.etree.ElementTree.ParseError: the document is not well-formed.
    """
    parser: XMLPullParser[Element] = XMLPullParser(events=("start", "end"))

    def completed() -> Iterator[tuple[str, Element]]:
        return cast("Iterator[tuple[str, Element]]", parser.read_events())

    size = SMALLEST_BLOCK
    while data := stream.read(size):
        parser.feed(data)
        size = min(2 * size, LARGEST_BLOCK)
        for event in completed():
            size = SMALLEST_BLOCK
            yield event
    parser.close()
    yield from completed()
