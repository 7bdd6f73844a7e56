"""Articles from a MediaWiki XML export, plain or compressed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import ParseError

from evidence_assets.sources.articles.common import checked_article
from evidence_assets.sources.articles.wiki_markup import ENGLISH_DROPPED_NAMESPACES, plain_text
from evidence_assets.sources.articles.xml_events import xml_events
from evidence_assets.sources.files import LARGEST_WHOLE, BrokenReadError, open_binary
from evidence_assets.sources.reading import file_reader
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError

# Media, file and category: links there show no words of the article.
DROPPED_NAMESPACE_IDS = frozenset({-2, 6, 14})
NO_REMEDY = "none needed: only articles of namespace 0 are read"
# mwxml lets these through where an element is empty or holds something else than its name says.
_UNREADABLE_ELEMENT = (ValueError, TypeError, AttributeError, AssertionError)
_REDIRECT_TEXT = re.compile(r"\s*#redirect\s*:?\s*\[\[([^\]|]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Site:
    """What the head of an export says of all its pages."""

    page_address: str
    dropped_namespaces: frozenset[str]


class _RevisionBytes:
    """An export for its parser, which holds what it has read of a revision until that is `passed`."""

    def __init__(self, stream: io.BufferedReader, uri: str) -> None:
        self._stream, self._uri, self._given = stream, uri, 0

    def passed(self) -> None:
        """Begin the next revision."""
        self._given = 0

    def read(self, size: int = -1) -> bytes:
        """Read on, as a file does.

        Raises:
            UnusableSourceError: the revision is larger than any should be.
        """
        data = self._stream.read(size)
        self._given += len(data)
        if self._given > LARGEST_WHOLE:
            reason = f"a revision is larger than {LARGEST_WHOLE:,} bytes"
            raise UnusableSourceError(self._uri, "a revision", reason, "cut it, or leave it out")
        return data


@file_reader
def read(uri: str, _key_prefix: str) -> Iterator[Article | RejectedRecord]:
    """Articles of namespace 0 in their latest revision, markup turned to plain text, one page in memory.

    Templates, tables, references, comments, formulas and links to files and categories are left out, and
    headings stand on lines of their own. Redirects and pages of other namespaces are rejected one by one, as
    is a page whose markup does not parse. Pages over 2 MiB, and those with so many unclosed marks that the
    parser would take minutes, go through a simpler rule of linear time (see `wiki_markup`).

    Raises:
        UnusableSourceError: a file is truncated, or is no MediaWiki XML; the last page read is named.
    """
    from mwxml import Dump
    from mwxml.element_iterator import ElementIterator, EventPointer
    from mwxml.errors import MalformedXML

    last_page = "the start of the file"
    with open_binary(uri) as stream:
        try:
            source = _RevisionBytes(stream, uri)
            events = EventPointer(xml_events(source))
            _, first = next(events)
            root = ElementIterator(first, events)
            if root.tag != "mediawiki":
                wrong = f"<{root.tag}> where <mediawiki> is expected"
                raise UnusableSourceError(uri, "the root element", wrong, "give a MediaWiki XML export")
            export = Dump.from_element(root)
            site = _site(export.site_info)
            for page in export.pages:
                place = f"page {page.id} ({page.title!r})"
                try:
                    yield _article(page, place, site, source)
                except RecordRejectedError as rejected:
                    yield rejected.at(place)
                last_page = place
                source.passed()
                # mwxml keeps an empty element for every page passed: gigabytes over a whole Wikipedia.
                del root.element[:-1]
        except BrokenReadError as error:
            raise error.after(last_page) from error
        except (ParseError, MalformedXML, *_UNREADABLE_ELEMENT) as error:
            raise UnusableSourceError(
                uri,
                f"after {last_page}",
                f"broken MediaWiki XML ({str(error)[:200] or type(error).__name__})",
                "fetch the export again, or cut it before the broken page",
            ) from error


def _site(site_info: Any) -> _Site:
    # The base is the main page's address, `https://en.wikipedia.org/wiki/Main_Page`.
    base = site_info.base or ""
    address = base[: max(base.rfind("/"), base.rfind("=")) + 1]
    names = {
        str(namespace.name).lower()
        for namespace in site_info.namespaces or ()
        if namespace.id in DROPPED_NAMESPACE_IDS
    }
    return _Site(address, ENGLISH_DROPPED_NAMESPACES | names)


def _article(page: Any, place: str, site: _Site, source: _RevisionBytes) -> Article | RejectedRecord:
    from mwparserfromhell.parser import ParserError

    if page.redirect is not None:
        return _redirect(place, page.redirect)
    if page.namespace != 0:
        raise RecordRejectedError(f"namespace {page.namespace}", NO_REMEDY)
    revision = _latest_revision(page, source)
    redirect = _REDIRECT_TEXT.match(revision.text or "")
    if redirect:
        return _redirect(place, redirect[1].strip())
    try:
        text = plain_text(revision.text or "", site.dropped_namespaces)
    except (ParserError, ValueError, OverflowError, RecursionError) as error:
        raise RecordRejectedError(
            f"markup that does not parse ({error})", "correct the page's markup"
        ) from error
    address = site.page_address and site.page_address + quote(page.title.replace(" ", "_"), safe="/:(),")
    return checked_article(Article(str(page.id), page.title, text, address, str(revision.id or "")))


def _redirect(place: str, target: object) -> RejectedRecord:
    # Of millions of redirects there is one reason: they are counted by it.
    return RejectedRecord(f"{place} to {target}", "a redirect", NO_REMEDY)


def _latest_revision(page: Any, source: _RevisionBytes) -> Any:
    """The last revision listed.

    Raises:
        RecordRejectedError: there is none to read.
    """
    from mwxml.errors import MalformedXML

    revision = None
    try:
        for listed in page:
            revision = listed
            source.passed()
    except (MalformedXML, *_UNREADABLE_ELEMENT) as error:
        raise RecordRejectedError(
            f"unreadable revision ({error})", "correct the page in the export"
        ) from error
    if revision is None:
        raise RecordRejectedError("no revision", "export the page with its latest revision")
    if revision.deleted.text:
        raise RecordRejectedError("its text was deleted from the wiki", "none: there is no text to read")
    if revision.model not in {None, "wikitext"}:
        raise RecordRejectedError(f"content model {revision.model}, not wikitext", "none needed")
    return revision
