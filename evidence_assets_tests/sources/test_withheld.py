"""Values of variables in addresses: written back by name in every form, and nothing else touched."""

from __future__ import annotations

import html
import json
import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidence_assets.sources import withheld
from evidence_assets.sources.files import fingerprint, open_binary
from evidence_assets.sources.locating import locate
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.withheld import as_written, error_as_written, withhold
from evidence_assets_tests.testing.file_server import Answer, file_server

pytestmark = pytest.mark.usefixtures("withholding")

# What no path of this machine holds, and no message.
CORE = "Qx7Zk2"
SECRET = f"é-{CORE}/9c & 'x'\\y"
FORMS: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value,
    "encoded": quote,
    "encoded whole": lambda value: quote(value, safe=""),
    "in small letters": lambda value: quote(value, safe="").lower(),
    "of a form": quote_plus,
    "encoded twice": lambda value: quote(quote(value, safe="")),
    "in XML": html.escape,
    "in JSON": json.dumps,
    "as Python shows it": repr,
    "as Python shows it in ASCII": ascii,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_value_is_found_in_every_form(form: str) -> None:
    withhold("TOKEN", SECRET)
    text = as_written(f"GET https://example.org/{FORMS[form](SECRET)}/a.jsonl: 404")
    assert "${TOKEN}" in text
    assert CORE not in text
    assert text.startswith("GET https://example.org/")
    assert text.endswith("/a.jsonl: 404")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=8, max_size=40))
def test_no_form_of_any_long_value_is_left(value: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(withheld, "_VALUES", withheld._Values())
        withhold("TOKEN", value)
        said = {form: as_written(f"<{spelled(value)}>") for form, spelled in FORMS.items()}
    assert {form: text for form, text in said.items() if "${TOKEN}" not in text or value in text} == {}


def test_a_value_with_both_quotation_marks_is_found_as_python_shows_it() -> None:
    withhold("TOKEN", f"{CORE}'\"")
    assert as_written(repr(f"{CORE}'\"")) == "'${TOKEN}'"


@pytest.mark.parametrize("value", ["", "e", "en", "abc"])
def test_a_value_too_short_for_a_secret_replaces_nothing(value: str) -> None:
    withhold("SHORT", value)
    text = f"the end of /{value}/ when a fence of abc is open: {value}"
    assert as_written(text) == text


def test_a_short_value_is_withheld_between_the_signs_of_an_address_alone() -> None:
    withhold("PART", "data")
    assert as_written("no data of http://me:data@host/data/a?key=data, the data is elsewhere") == (
        "no data of http://me:${PART}@host/${PART}/a?key=${PART}, the data is elsewhere"
    )


def test_the_parts_of_an_address_are_withheld_too() -> None:
    withhold("SOURCE", "https://somebody:pass9word@host.example.org/shelf?sig=aB%2Fc9d8e7%3D")
    said = as_written("401 at https://host/moved?sig=aB/c9d8e7= of somebody with pass9word")
    assert "pass9word" not in said
    assert "c9d8e7" not in said
    assert said.startswith("401 at https://host/moved?sig=${SOURCE} of ")


def test_of_two_values_the_longer_is_found_first() -> None:
    withhold("OUTER", "abcdefgh-12345678")
    withhold("INNER", "12345678")
    assert as_written("abcdefgh-12345678 and 12345678") == "${OUTER} and ${INNER}"


def test_an_errors_causes_are_told_as_written_and_other_errors_stay_themselves() -> None:
    withhold("TOKEN", SECRET)
    untouched = ValueError("no value here")
    assert error_as_written(untouched) is untouched
    try:
        try:
            raise ConnectionError(404, f"https://example.org/{quote(SECRET)}")
        except ConnectionError as first:
            raise KeyError("the outer") from first
    except KeyError as error:
        told = error_as_written(error)
        assert told is error
        shown = "".join(traceback.format_exception(told))
    assert "ConnectionError: [Errno 404] https://example.org/${TOKEN}" in shown
    assert CORE not in shown


def test_errors_that_cause_each_other_are_told_once() -> None:
    withhold("TOKEN", SECRET)
    first, second = ValueError(SECRET), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert str(error_as_written(first)) == "ValueError: ${TOKEN}"


def test_what_libraries_log_holds_no_value(caplog: pytest.LogCaptureFixture) -> None:
    withhold("TOKEN", SECRET)
    log = logging.getLogger("somebody.elses")
    log.warning("retrying %s after %d s", f"/{quote(SECRET)}/a", 3)
    try:
        raise OSError(f"lost {SECRET}")
    except OSError:
        log.exception("it failed")
    log.warning("100 %")
    assert caplog.messages == ["retrying /${TOKEN}/a after 3 s", "it failed", "100 %"]
    assert "lost ${TOKEN}" in caplog.text
    assert CORE not in caplog.text


ANSWERS = {
    "not found": Answer(404),
    "refused": Answer(403),
    "failing": Answer(500),
    "breaking off": Answer(200, b'{"id": "a"', missing=1_000),
    "moved": Answer(302, headers={"Location": f"/moved/{quote(SECRET, safe='')}/b.jsonl"}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_server_that_fails_tells_no_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELF_TOKEN", SECRET)

    def answer(path: str) -> Answer:
        return Answer(410) if path.startswith("/moved") else ANSWERS[name]

    with file_server(answer) as address:
        uri = locate(f"{address}/${{SHELF_TOKEN}}/a.jsonl", Path("/"))
        assert SECRET in uri
        with pytest.raises(UnusableSourceError) as caught, open_binary(uri) as stream:
            stream.read()
        shown = "".join(traceback.format_exception(caught.value))
        assert caught.value.file == f"{address}/${{SHELF_TOKEN}}/a.jsonl"
        assert CORE not in shown
    with pytest.raises(UnusableSourceError) as unreached:
        fingerprint(uri)
    assert CORE not in "".join(traceback.format_exception(unreached.value))


def test_a_path_on_this_machine_is_told_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELF", str(tmp_path))
    with pytest.raises(UnusableSourceError, match=str(tmp_path)):
        fingerprint(locate("${SHELF}/a.jsonl", Path("/")))
