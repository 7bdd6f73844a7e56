"""Where things stand: the folder that commands work in, its configuration, and the root of its lake."""

from __future__ import annotations

import os
from pathlib import Path

# The folder of a project's lake.
_LAKE = "data_lake"
_CHECKOUT = Path(__file__).resolve().parents[2]
# In a checkout the configuration stands in the lake's folder, else beside dagster.yaml.
_CONFIGURATIONS = ("sources.yaml", f"{_LAKE}/sources.yaml")


def project_folder() -> Path | None:
    """Return the nearest project at or above the current folder, else the package's checkout, else None.

    A project is a folder that holds sources.yaml, as `evidence-assets init` writes it, or a checkout.
    """
    return next((folder for folder in (*_here(), _CHECKOUT) if _is_project(folder)), None)


def borrowed_checkout() -> Path | None:
    """Return the package's checkout if commands work in it though the current folder lies outside."""
    folder = project_folder()
    return folder if folder == _CHECKOUT and folder not in _here() else None


def configuration_of(folder: Path) -> Path:
    """Return where a project's configuration stands."""
    return next(
        (folder / name for name in _CONFIGURATIONS if (folder / name).is_file()), folder / "sources.yaml"
    )


def lake_folder() -> Path:
    """Return the folder of the project's lake; without a project, one in the current folder."""
    return (project_folder() or Path.cwd()) / _LAKE


def is_of_a_project(root: str) -> bool:
    """Tell whether a root is where the lake of a project belongs, made or not."""
    folder = Path(root)
    return folder.name == _LAKE and _is_project(folder.parent)


def absolute_root(root: str) -> str:
    """Return the root URI with a local path made absolute, so that the catalogue opens from any folder.

    Raises:
        LookupError: it begins with the home of a user that there is not.
    """
    if "://" in root:
        return root
    try:
        path = Path(root).expanduser()
    except RuntimeError as error:
        raise LookupError(
            f"{root}: there is no such user's home; remedy: give the whole path, from / on"
        ) from error
    return os.path.abspath(path)  # noqa: PTH100 - keeps links as the user named them


def default_root() -> str:
    """Return the lake's root URI: `EVIDENCE_LAKE`, else the project's data_lake folder.

    Raises:
        LookupError: the variable begins with the home of a user that there is not.
    """
    return absolute_root(_named_lake() or str(lake_folder()))


def is_to_be_made(root: str) -> bool:
    """Tell whether no lake may stand at a root yet: where a project has its own, or nothing names another."""
    return is_of_a_project(root) or not _named_lake()


def _named_lake() -> str:
    return os.environ.get("EVIDENCE_LAKE", "").strip()


def check_folder(folder: Path, variable: str) -> None:
    """Check that a folder is there or can be made: what lies above it is a folder, too.

    `variable`: what of the environment names it.

    Raises:
        LookupError: a file stands there, or nothing can.
    """
    try:
        standing = next((place for place in (folder, *folder.parents) if place.exists()), folder)
        problem = "" if standing.is_dir() or not standing.exists() else f"{standing} is a file, and no folder"
    except OSError as error:
        problem = f"{error.strerror}"
    if problem:
        raise LookupError(
            f"{folder}: {problem}; remedy: set {variable} to a folder that is there, or that can be made"
        )


def _here() -> tuple[Path, ...]:
    return (Path.cwd(), *Path.cwd().parents)


def _is_project(folder: Path) -> bool:
    beside, in_checkout = (folder / name for name in _CONFIGURATIONS)
    return beside.is_file() or (in_checkout.is_file() and (folder / "workspace.yaml").is_file())
