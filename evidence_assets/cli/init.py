"""`evidence-assets init`: the folder of a new project; `evidence-assets ui`: Dagster on it."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from evidence_assets.config.json_schema import json_schema

_PACKAGED, _SCHEMA = "../evidence_assets/starter/", "../docs/sources.schema.json"


def init(
    folder: Annotated[Path, Argument(help="the folder to make; it must not exist, or be empty")],
) -> None:
    """Write a project: configuration, starter data, seeds, and what Dagster opens it by."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LookupError(f"{folder} is there and not empty; remedy: name a folder that is not there yet")
    with as_file(files("evidence_assets") / "starter") as starter:
        try:
            write_project(folder, starter)
        except OSError as error:
            remedy = "remedy: name a folder that you may write to"
            raise LookupError(f"{error.filename}: {error.strerror}; {remedy}") from error
    print(f"{folder}: a project with the starter's data; sources.yaml names what it reads")
    print(f"next: cd {folder}; evidence-assets demo; evidence-assets ui (or dagster dev)")


def write_project(folder: Path, starter: Path) -> None:
    """Write a project's files into a folder, the starter's data among them.

    Raises:
        OSError: the folder cannot be written.
    """
    from evidence_assets.orchestration.home import home_of

    template = starter / "project"
    shutil.copytree(starter, folder / "starter", ignore=shutil.ignore_patterns("project"), dirs_exist_ok=True)
    shutil.copytree(template / "seeds", folder / "seeds")
    for name in ("dagster.yaml", "workspace.yaml"):
        shutil.copyfile(template / name, folder / name)
    shutil.copyfile(template / "gitignore", folder / ".gitignore")
    sources = (template / "sources.yaml").read_text(encoding="utf-8")
    sources = sources.replace(_PACKAGED, "starter/").replace(_SCHEMA, "sources.schema.json")
    (folder / "sources.yaml").write_text(sources, encoding="utf-8")
    (folder / "sources.schema.json").write_text(json_schema(), encoding="utf-8")
    # `dagster dev` reads this file; without it Dagster would forget its runs when it ends.
    (folder / ".env").write_text(f"DAGSTER_HOME={home_of(folder.resolve())}\n", encoding="utf-8")


def ui(port: Annotated[int, Option(help="port of 127.0.0.1", min=1, max=65535)] = 3000) -> None:
    """Open Dagster on the project, on this machine alone, until it is interrupted."""
    from evidence_assets.cli.common import workspace
    from evidence_assets.orchestration.home import use_home
    from evidence_assets.orchestration.serving import main

    use_home()
    # What is wrong with profile or configuration is told here, not by a server without a project.
    workspace()
    raise Exit(main(["--port", str(port)]))
