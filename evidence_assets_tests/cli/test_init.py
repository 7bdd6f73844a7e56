"""`evidence-assets init`: a folder with all that a project needs, and where commands look for theirs."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import pytest

from evidence_assets import unsupported
from evidence_assets.cli.main import main
from evidence_assets.config.configuration import default_location, load_project
from evidence_assets.lake import locations
from evidence_assets.orchestration.home import use_home
from evidence_assets.sources.specifications import ConfigurationError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder outside every project, with a package that comes from a wheel."""
    for name in ("EVIDENCE_SOURCES", "EVIDENCE_LAKE", "EVIDENCE_CACHE", "DAGSTER_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(locations, "_CHECKOUT", tmp_path / "site-packages")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_project_is_whole_and_sound(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "mine"]) == 0
    folder = elsewhere / "mine"
    assert {path.name for path in folder.iterdir()} == {
        *(".dagster", ".env", ".gitignore", "dagster.yaml", "seeds", "sources.schema.json", "sources.yaml"),
        *("starter", "workspace.yaml"),
    }
    assert not any(path.is_symlink() for path in folder.rglob("*") if path.parent.name != ".dagster")
    assert (folder / ".dagster" / "dagster.yaml").read_bytes() == (folder / "dagster.yaml").read_bytes()
    assert (folder / ".env").read_text(encoding="utf-8") == f"DAGSTER_HOME={folder / '.dagster'}\n"
    (folder / "notes").mkdir()
    os.chdir(folder / "notes")  # restored by monkeypatch
    assert main(["check"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "next: evidence-assets demo starter"
    project = load_project()
    assert project.location == folder / "sources.yaml"
    assert len(list((folder / "starter" / "articles").iterdir())) == 260
    assert project.seeds_folder is not None and Path(project.seeds_folder).is_relative_to(folder)
    assert locations.default_root() == str(folder / "data_lake")


def test_runs_are_kept_in_the_project(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["init", "mine"])
    monkeypatch.chdir(elsewhere / "mine")
    monkeypatch.setenv("DAGSTER_HOME", "")  # what use_home sets is undone
    use_home()
    assert os.environ["DAGSTER_HOME"] == str(elsewhere / "mine" / ".dagster")


@pytest.mark.parametrize("is_file", [True, False])
def test_nothing_is_written_over(elsewhere: Path, is_file: bool, capsys: pytest.CaptureFixture[str]) -> None:
    folder = elsewhere / "mine"
    if is_file:
        folder.write_text("notes", encoding="utf-8")
    else:
        (folder / "notes").mkdir(parents=True)
    assert main(["init", "mine"]) == 1
    assert capsys.readouterr().err == (
        "mine is there and not empty; remedy: name a folder that is not there yet\n"
    )


def test_a_folder_that_cannot_be_made_is_named(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "file").write_text("", encoding="utf-8")
    assert main(["init", "file/mine"]) == 1
    assert "remedy: name a folder that you may write to" in capsys.readouterr().err


def test_outside_of_every_project_the_remedy_is_told(elsewhere: Path) -> None:
    with pytest.raises(ConfigurationError, match="in no project; remedy: evidence-assets init my-project"):
        default_location()
    with pytest.raises(LookupError, match=r"DAGSTER_HOME is not set, and .* is in no project"):
        use_home()
    assert locations.default_root() == str(elsewhere / "data_lake")


def test_a_configuration_alone_makes_a_folder_a_project(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "sources.yaml").write_text("benchmarks: {}\n", encoding="utf-8")
    (elsewhere / "notes").mkdir()
    monkeypatch.chdir(elsewhere / "notes")
    monkeypatch.setenv("DAGSTER_HOME", "")  # what use_home sets is undone
    assert default_location() == elsewhere / "sources.yaml"
    assert locations.default_root() == str(elsewhere / "data_lake")
    use_home()
    # Dagster is set up as in any project: the packaged settings stand in for those that are not there.
    settings = files("evidence_assets") / "starter" / "project" / "dagster.yaml"
    assert (elsewhere / ".dagster" / "dagster.yaml").read_bytes() == settings.read_bytes()


def test_a_checkout_that_is_worked_in_from_outside_is_told(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["init", "site-packages"])
    capsys.readouterr()
    for command in (["status", "articles"], ["prune", "--dry-run"]):
        assert main(command) == 0
        message = f"no sources.yaml here or above: working in {elsewhere}/site-packages; remedy: go to "
        assert capsys.readouterr().err.startswith(message)
    monkeypatch.chdir(elsewhere / "site-packages" / "starter")
    assert main(["status", "articles"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("version", "platform", "problem"),
    [
        ((3, 10), "linux", "Python 3.10 is too old: Evidence Assets needs 3.11 or 3.12; remedy: "),
        ((3, 14), "darwin", "Python 3.14 is too new: Evidence Assets needs 3.11 or 3.12; remedy: "),
        ((3, 12), "win32", "runs on Linux and macOS; remedy: on Windows, install it in WSL"),
    ],
)
def test_what_cannot_run_it_is_told_in_a_line(version: tuple[int, int], platform: str, problem: str) -> None:
    line = unsupported(version, platform)
    assert line is not None and problem in line
    assert "\n" not in line


@pytest.mark.parametrize(("version", "platform"), [((3, 11), "linux"), ((3, 12), "darwin")])
def test_what_can_run_it_is_let_through(version: tuple[int, int], platform: str) -> None:
    assert unsupported(version, platform) is None
