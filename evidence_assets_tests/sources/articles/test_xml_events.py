"""Elements as they begin and end: as the standard library tells them, in few blocks."""

from __future__ import annotations

import io
from xml.etree.ElementTree import ParseError, iterparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.articles.xml_events import LARGEST_BLOCK, SMALLEST_BLOCK, xml_events

ELEMENTS = st.recursive(
    st.sampled_from(["", "words", "&lt;", "<!-- note -->", "<a/>", "x" * (SMALLEST_BLOCK // 2)]),
    lambda inner: st.builds("<b c='d'>{}</b>{}".format, inner, inner),
    max_leaves=12,
)


class Blocks(io.BytesIO):
    """Bytes that note what was asked for."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.sizes: list[int] = []

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.sizes.append(len(data))
        return data


@given(ELEMENTS)
def test_events_are_those_of_the_standard_library(inner: str) -> None:
    content = f"<root>{inner}</root>".encode()
    expected = iterparse(io.BytesIO(content), ("start", "end"))
    told = [(event, element.tag, element.attrib) for event, element in xml_events(io.BytesIO(content))]
    assert told == [(event, element.tag, element.attrib) for event, element in expected]


@pytest.mark.parametrize("content", [b"", b"words", b"<a>", b"<a></b>", b"<a/><b/>", b"<a><!-- ", b"<a b='"])
def test_what_is_not_well_formed_is_an_error(content: bytes) -> None:
    with pytest.raises(ParseError):
        list(xml_events(io.BytesIO(content)))


@pytest.mark.parametrize("opened", [b"", b"<a><b c='", b"<a><!-- ", b"<a><?b ", b"<a><![CDATA["])
def test_a_token_without_end_is_read_anew_as_often_as_its_length_doubles(opened: bytes) -> None:
    stream = Blocks(opened + b"x" * (6 << 20))
    with pytest.raises(ParseError):
        list(xml_events(stream))
    # 16 KB, twice as much, and so on: a dozen blocks with the end, where equal ones would be 384.
    assert len(stream.sizes) <= 12
    assert sum(stream.sizes) <= 7 << 20


def test_blocks_are_no_larger_than_they_may_be() -> None:
    stream = Blocks(b"<a><!-- " + b"x" * (5 * LARGEST_BLOCK))
    with pytest.raises(ParseError):
        list(xml_events(stream))
    assert max(stream.sizes) == LARGEST_BLOCK


def test_blocks_are_small_again_once_an_element_ends() -> None:
    stream = Blocks(b"<a><b>" + b"x" * (1 << 20) + b"</b>" + b"<c>y</c>" * 20_000 + b"</a>")
    assert sum(event == "end" for event, _ in xml_events(stream)) == 20_002
    longest = stream.sizes.index(max(stream.sizes))
    assert max(stream.sizes) >= 32 * SMALLEST_BLOCK
    assert set(stream.sizes[longest + 1 : -2]) <= {SMALLEST_BLOCK}
