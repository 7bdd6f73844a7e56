"""What makes a record usable: the checks of its fields that every reader shares."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.sources.records import RejectedRecord


class RecordRejectedError(Exception):
    """One record cannot become a question. Readers turn it into a `RejectedRecord` and go on."""

    def __init__(self, reason: str, remedy: str) -> None:
        self.reason, self.remedy = reason, remedy
        super().__init__(f"{reason}. Remedy: {remedy}")

    def at(self, place: str) -> RejectedRecord:
        """The same refusal, bound to the place in its file."""
        return RejectedRecord(place, self.reason, self.remedy)


def required_text(value: object, name: str) -> str:
    """Returns the text without surrounding white space.

    Raises:
        RecordRejectedError: the value is absent, not text, empty, or holds what UTF-8 cannot store.
    """
    text = optional_text(value, name)
    if not text:
        state = "missing" if value is None else "empty"
        raise RecordRejectedError(f"{name} is {state}", f"give {name} a text, or leave the record out")
    return text


def optional_text(value: object, name: str) -> str:
    """Returns the text without surrounding white space, empty where there is none.

    Raises:
        RecordRejectedError: the value is not text, or holds what UTF-8 cannot store.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordRejectedError(
            f"{name} is not text but {type(value).__name__}", f"write {name} as text, in quotes"
        )
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        # Bad bytes and lone surrogates both end here; either would stop the Parquet writer much later.
        raise RecordRejectedError(
            f"{name} holds bytes that are not valid UTF-8", "save the file as UTF-8 and repair this record"
        ) from None
    return value.strip()


def required_identifier(value: object, name: str) -> str:
    """Returns an identifier as text; whole numbers are accepted, as many files number their records.

    Raises:
        RecordRejectedError: the value is absent, empty, or neither text nor a whole number.
    """
    return required_text(number_as_text(value, name), name)


def required_list(value: object, name: str) -> list[object]:
    """Returns the value if it is a list.

    Raises:
        RecordRejectedError: it is anything else.
    """
    if not isinstance(value, list):
        state = "missing" if value is None else f"not a list but {type(value).__name__}"
        raise RecordRejectedError(f"{name} is {state}", f"write {name} as a list")
    return value


def required_mapping(value: object, name: str) -> Mapping[str, object]:
    """Returns the value if it is a JSON object.

    Raises:
        RecordRejectedError: it is anything else.
    """
    if not isinstance(value, dict):
        state = "missing" if value is None else f"not an object but {type(value).__name__}"
        raise RecordRejectedError(f"{name} is {state}", f"write {name} as a JSON object")
    return value


def number_as_text(value: object, name: str) -> str | None:
    """Returns a whole number as text, and text and nothing as they are.

    Raises:
        RecordRejectedError: the value is anything else.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise RecordRejectedError(
        f"{name} is neither text nor a whole number but {type(value).__name__}",
        f"write {name} as a whole number, or as text, in quotes",
    )
