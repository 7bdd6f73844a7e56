"""What the command line says of itself, and of usage that is wrong."""

from __future__ import annotations

import re

import pytest

from evidence_assets.cli.main import main
from evidence_assets_tests.testing.commands import failed


@pytest.mark.parametrize("command", ["trace", "show"])
def test_what_an_id_is_of_is_told_by_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "an id of the view predictions" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["ask", "demo"])
def test_help_says_what_is_named_and_where_names_are_listed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    shown = re.sub(r"[│\s]+", " ", capsys.readouterr().out)
    assert "SYSTEM/ARM, or ARM of every system that has it" in shown
    assert "`evidence-assets arms` lists them" in shown
    assert "sources.yaml" in shown


@pytest.mark.parametrize("arguments", [["trace"], ["nothing"], ["demo", "--arm", "x"], []])
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, message = failed(capsys, *arguments)
    assert status == 2
    assert "Traceback" not in message
    assert "Usage: evidence-assets" in message
