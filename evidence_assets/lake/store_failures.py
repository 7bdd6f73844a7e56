"""A store that does not answer, or lets nobody in: which lake is in it, what it says, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidence_assets.lake.locations import default_root

AWAY = "the store does not answer"
REFUSES = "the store refuses the credentials"
_NO_BUCKET = "the store has no such bucket"
_REMEDIES = {
    AWAY: "see that it runs and that its address is right (AWS_ENDPOINT_URL), or wait until it is less busy",
    REFUSES: "give credentials in the environment that hold, and that may read and write there",
    _NO_BUCKET: "make the bucket, or set EVIDENCE_LAKE to another place",
}
# 400 without more is what a request for a file's size alone is told, where 403 would be another key's.
_CREDENTIALS = ("ExpiredToken", "InvalidToken", "TokenRefreshRequired", "AuthorizationHeaderMalformed", "400")
_BUSY = ("SlowDown", "RequestTimeout", "RequestTimeoutException", "Throttling", "TooManyRequests")
# Who speaks to stores, and what they raise where there was no answer, or none that can be read.
_CLIENTS = ("botocore", "aiohttp", "fsspec")
_UNANSWERED = {"HTTPClientError", "ConnectionError", "ResponseParserError", "ClientError", "FSTimeoutError"}
# What botocore calls errors of who asks, in their names.
_OF_WHO_ASKS = ("Credential", "Token", "SSO", "Profile", "Login")


class StoreError(Exception):
    """A lake's store does not answer, or refuses: names the lake, what was said, and the remedy."""

    def __init__(self, lake: str, problem: str, said: str) -> None:
        super().__init__(
            f"{lake}: {problem} ({said}); remedy: {_REMEDIES[problem]}; then start the same again: what was "
            "made stays"
        )
        self.is_away = problem == AWAY


def store_failure(error: BaseException, lake: str | None = None) -> StoreError | None:
    """Return what to say of an error that a lake's store caused; None where it is another's.

    An error that tells a remedy of its own is none: it knows more than the store. `lake`: the URI; None: of
    the lake that the environment names.
    """
    root = default_root() if lake is None else lake
    is_stored = "://" in root
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, StoreError):
            return cause
        if "remedy:" in str(cause).lower():
            return None
        if is_stored and (problem := _problem(cause)):
            return StoreError(root, problem, _said(cause))
        cause = cause.__cause__ or cause.__context__
    return None


def is_away(error: BaseException, lake: str) -> bool:
    """Tell whether an error is that of a lake's store that does not answer: one that passes by itself."""
    failure = store_failure(error, lake)
    return failure is not None and failure.is_away


def _problem(error: BaseException) -> str | None:
    """Return what is wrong with a store by an error of who speaks to it; nothing of theirs is loaded here."""
    kinds = {kind.__name__ for kind in type(error).__mro__ if kind.__module__.partition(".")[0] in _CLIENTS}
    answer = getattr(error, "response", None)
    if kinds and isinstance(answer, Mapping):
        return _problem_of_answer(answer)
    if any(word in kind for kind in kinds for word in _OF_WHO_ASKS):
        return REFUSES
    return AWAY if kinds & _UNANSWERED else None


def _said(error: BaseException) -> str:
    """Return the store's own words, as one line; without an answer, those of who asked it."""
    told = getattr(error, "response", {}).get("Error", {})
    words = [str(told[name]) for name in ("Code", "Message") if told.get(name)]
    return " ".join(": ".join(words or [str(error)]).split()) or type(error).__name__


def _problem_of_answer(answer: Mapping[str, Any]) -> str | None:
    code = str(answer.get("Error", {}).get("Code", ""))
    status = int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    # 501: a condition that it does not know.
    if (status >= 500 and status != 501) or status == 429 or code in _BUSY:
        return AWAY
    if status in (401, 403) or code in _CREDENTIALS:
        return REFUSES
    return _NO_BUCKET if code == "NoSuchBucket" else None
