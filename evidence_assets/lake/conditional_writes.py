"""Files of an S3 store that several processes write at once: conditional writes, and reads beside them."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Read = TypeVar("Read")

_MOST_READS = 5
_REPLACED = ("PreconditionFailed", "412")
_GONE = "no longer exists."
# Above this an upload goes in parts, whose completion s3fs makes without a condition: what stands is compared
# just before instead.
_ONE_REQUEST_BYTES = 100 << 20


class ConcurrentWriteError(Exception):
    """Two writers wrote one file at once, and this one came second: names it and the remedy."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path}: another process wrote it meanwhile, and its file stands whole; remedy: let that run "
            "end, then run again what is still missing or stale (evidence-assets status)"
        )


def knows_conditions(filesystem: Any) -> bool:
    """Tell whether a file system speaks S3, where a write can be made to depend on what stands."""
    protocol = filesystem.protocol
    return "s3" in ((protocol,) if isinstance(protocol, str) else protocol)


def entity_tag(filesystem: Any, path: str) -> str | None:
    """Return what an S3 store calls the present content of a file (ETag); None where there is no file."""
    try:
        return str(filesystem.info(path, refresh=True)["ETag"])
    except FileNotFoundError:
        return None


def upload_if_unchanged(filesystem: Any, local: Path, path: str, before: str | None) -> None:
    """Upload a file where what stands is still `before`, an `entity_tag`.

    A store that does not know conditions is written without one.

    Raises:
        ConcurrentWriteError: something else stands, before or after.
    """
    if local.stat().st_size > _ONE_REQUEST_BYTES:
        if entity_tag(filesystem, path) != before:
            raise ConcurrentWriteError(path)
        filesystem.put_file(str(local), path)
        return
    bucket, key, _ = filesystem.split_path(path)
    request = {"Bucket": bucket, "Key": key, "Body": local.read_bytes()}
    condition = {"IfNoneMatch": "*"} if before is None else {"IfMatch": before}
    try:
        written = filesystem.call_s3("put_object", **request, **condition)
    except OSError as error:
        if _is_refusal_of_conditions(error):
            written = filesystem.call_s3("put_object", **request)
        elif _is_conflict(error):
            raise ConcurrentWriteError(path) from error
        else:
            raise
    # Who began when this was written may have replaced it already; then that is the write to be recorded.
    if entity_tag(filesystem, path) != written["ETag"]:
        raise ConcurrentWriteError(path)


def read_unreplaced(filesystem: Any, path: str, read: Callable[[Any], Read]) -> Read:
    """Return what `read` makes of an open file; opened again where another replaced it while it was read.

    A store is asked for a file in parts, on condition that it is still the one that was opened.
    """
    attempts = 0
    while True:
        attempts += 1
        try:
            with filesystem.open(path, "rb") as file:
                return read(file)
        except OSError as error:
            if not _was_replaced(error) or attempts == _MOST_READS:
                raise
            # Else the file is opened by what is remembered of the one before.
            filesystem.invalidate_cache()


def _code(error: OSError) -> str:
    """Return the store's own name of what went wrong."""
    response = getattr(error.__cause__, "response", None) or {}
    return str(response.get("Error", {}).get("Code", ""))


def _was_replaced(error: OSError) -> bool:
    # What s3fs itself finds replaced it calls busy, as it does a store that is.
    by_s3fs = error.errno == errno.EBUSY and str(error.strerror).endswith(_GONE)
    return by_s3fs or _code(error) in _REPLACED


def _is_conflict(error: OSError) -> bool:
    # 409: two conditional requests at once; 404 of a write: what was to be replaced is gone.
    return _code(error) in (*_REPLACED, "ConditionalRequestConflict", "409", "NoSuchKey", "404")


def _is_refusal_of_conditions(error: OSError) -> bool:
    return error.errno == errno.ENOSYS
