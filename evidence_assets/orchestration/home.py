"""Where Dagster keeps the runs and events of a project, unless DAGSTER_HOME says where."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from evidence_assets.lake.project_folder import project_folder

HOME = ".dagster"


def use_home() -> None:
    """Name the project's own folder in DAGSTER_HOME where nothing names one, and make it.

    Raises:
        LookupError: nothing names one, and the current folder is in no project.
    """
    if os.environ.get("DAGSTER_HOME"):
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
        try:
            settings.symlink_to(Path("..") / "dagster.yaml")
        except OSError:
            shutil.copyfile(folder / "dagster.yaml", settings)  # a disk without links
    return home
