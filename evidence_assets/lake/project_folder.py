"""The folder that commands work in: what `evidence-assets init` wrote, or a checkout of this project."""

from __future__ import annotations

from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]
# In a checkout the configuration stands in the lake's folder, else beside dagster.yaml.
_CONFIGURATIONS = ("sources.yaml", "data_lake/sources.yaml")


def project_folder() -> Path | None:
    """Return the nearest project at or above the current folder, else the package's checkout, else None.

    A project is a folder that holds workspace.yaml and sources.yaml.
    """
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents, _CHECKOUT) if _is_project(folder)), None)


def configuration_of(folder: Path) -> Path:
    """Return where a project's configuration stands."""
    return next(
        (folder / name for name in _CONFIGURATIONS if (folder / name).is_file()), folder / "sources.yaml"
    )


def lake_folder() -> Path:
    """Return the folder of the project's lake; without a project, one in the current folder."""
    return (project_folder() or Path.cwd()) / "data_lake"


def _is_project(folder: Path) -> bool:
    return (folder / "workspace.yaml").is_file() and configuration_of(folder).is_file()
