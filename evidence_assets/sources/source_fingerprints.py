"""Current fingerprints of source files, by the URIs recorded in the lake."""

from __future__ import annotations

from collections.abc import Callable

from evidence_assets.sources.project import Project
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Key, Stage

# The fingerprint of a missing file: its stage becomes stale, so that the run reports what is missing.
_GONE = "gone"


def source_fingerprint(project: Project) -> Callable[[Stage, Key, str], str | None]:
    """Return a function from a recorded URI to the file's current fingerprint, each read once."""
    from evidence_assets.sources.files import fingerprint

    fingerprints: dict[str, str | None] = {}

    def current(stage: Stage, key: Key, uri: str) -> str | None:
        if uri not in fingerprints:
            try:
                fingerprints[uri] = fingerprint(project.locate(uri))
            except (UnusableSourceError, ConfigurationError):
                # URIs that are no files, such as the names of models, have no fingerprint.
                fingerprints[uri] = _GONE if stage.files and not stage.models else None
        return fingerprints[uri]

    return current
