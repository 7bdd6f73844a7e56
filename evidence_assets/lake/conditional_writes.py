"""Writes to an S3 store that fail where another writer came first (If-Match, If-None-Match)."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

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


def _code(error: OSError) -> str:
    """Return the store's own name of what went wrong."""
    response = getattr(error.__cause__, "response", None) or {}
    return str(response.get("Error", {}).get("Code", ""))


def _is_conflict(error: OSError) -> bool:
    # 409: two conditional requests at once; 404 of a write: what was to be replaced is gone.
    conflicts = ("PreconditionFailed", "412", "ConditionalRequestConflict", "409", "NoSuchKey", "404")
    return _code(error) in conflicts


def _is_refusal_of_conditions(error: OSError) -> bool:
    return error.errno == errno.ENOSYS
