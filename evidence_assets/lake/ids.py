"""Content-hash ids: the same canonical key gives the same id on any machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

KeyPart: TypeAlias = "str | int | float | bool | Sequence[KeyPart] | None"


def content_id(kind: str, *parts: KeyPart) -> str:
    """Return the 32-digit hexadecimal id (128 bits) of a thing of `kind` identified by `parts`.

    The parts are hashed as canonical JSON, so that ("ab", "c") and ("a", "bc") differ, and 1 and "1" do.
    """
    canonical = json.dumps([kind, *parts], ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def text_hash(text: str) -> str:
    """Return the 32-digit hexadecimal hash of a text's UTF-8 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def file_hash(path: Path, digest_size: int = 16) -> str:
    """Return the hexadecimal hash of a local file's bytes, two digits a byte of the digest.

    Raises:
        FileNotFoundError: there is no such file.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=digest_size)).hexdigest()


def combined_hash(parts: Iterable[str]) -> str:
    """Return one hash of many, in the order given."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()
