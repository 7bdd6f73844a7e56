"""URIs of files beside and below others, in folders, archives and object stores."""

from __future__ import annotations

import posixpath
import re

from evidence_assets.sources.validation import RecordRejectedError

CHAIN_SEPARATOR = "::"
# A home folder, another store, a member of another archive.
_ELSEWHERE = re.compile(r"~|[\w+.-]+:|.*::|.*://", re.DOTALL)


def is_remote(uri: str) -> bool:
    """Return whether a URI leads to another machine; the archives of this one do not."""
    return "://" in uri.rpartition(CHAIN_SEPARATOR)[2]


def file_name(uri: str) -> str:
    """The name of the file that a URI names, also where it lies in an archive (`zip://name::archive`)."""
    return _naming_link(uri)[1].rpartition("/")[2]


def sibling(uri: str, name: str) -> str:
    """The URI of a file of another name in the same folder or archive folder."""
    return in_folder(uri, f"../{name}")


def in_folder(uri: str, name: str) -> str:
    """The URI of a file below the folder, or archive folder, that a URI names; `..` leads up."""
    before, link, after = _naming_link(uri)
    protocol, separator, path = link.rpartition("://")
    normal_path = posixpath.normpath(f"{path}/{name}") if path else name
    return CHAIN_SEPARATOR.join([*before, f"{protocol}{separator}{normal_path}", *after])


def below(written: str, name: str) -> str:
    """Returns a path that a record writes, in its shortest form; `name` is what messages call it.

    Raises:
        RecordRejectedError: it leads out of the folder that it counts from.
    """
    path = posixpath.normpath(written)
    if path.startswith(("/", "../")) or path in {".", ".."} or _ELSEWHERE.match(written):
        raise RecordRejectedError(
            f"{name} {written!r:.200} names no file below the folder of the questions",
            "put the table beside the questions, or below, and give its path from there",
        )
    return path


def _naming_link(uri: str) -> tuple[list[str], str, list[str]]:
    """The link of a chained URI that names the file, between the links before and after it.

    A caching layer (`simplecache::s3://bucket/name`) stands first and names none.
    """
    links = uri.split(CHAIN_SEPARATOR)
    last = len(links) - 1
    position = next((number for number, link in enumerate(links) if "://" in link), last)
    return links[:position], links[position], links[position + 1 :]
