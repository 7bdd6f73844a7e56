"""Where Dagster keeps the runs and events of a project, unless DAGSTER_HOME says where."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path

from evidence_assets.lake.locations import project_folder

HOME = ".dagster"


def use_home() -> None:
    """Name the project's own folder in DAGSTER_HOME where nothing names one, and make it.

    Raises:
        LookupError: nothing names one, and the current folder is in no project; or it names no folder.
    """
    if named := os.environ.get("DAGSTER_HOME"):
        if not Path(named).is_absolute() or not Path(named).is_dir():
            raise LookupError(
                f"DAGSTER_HOME is {named}, which is no folder's whole path; remedy: name a folder that is "
                "there, from / on, or unset it to keep runs in the project"
            )
        return
    folder = project_folder()
    if folder is None:
        raise LookupError(
            f"DAGSTER_HOME is not set, and {Path.cwd()} is in no project; remedy: evidence-assets init "
            "my-project, then cd my-project, or name the folder that holds dagster.yaml"
        )
    os.environ["DAGSTER_HOME"] = str(home_of(folder))


def home_of(folder: Path) -> Path:
    """Return the folder of a project's runs and events, made to follow the project's dagster.yaml."""
    home = folder / HOME
    home.mkdir(exist_ok=True)
    settings = home / "dagster.yaml"
    if not settings.exists():
        settings.unlink(missing_ok=True)  # a link that leads nowhere
        _follow(folder / "dagster.yaml", settings)
    return home


def _follow(written: Path, settings: Path) -> None:
    if not written.exists():
        packaged = files("evidence_assets") / "starter" / "project" / "dagster.yaml"
        settings.write_bytes(packaged.read_bytes())
        return
    try:
        settings.symlink_to(Path("..") / written.name)
    except OSError:
        shutil.copyfile(written, settings)  # a disk without links
