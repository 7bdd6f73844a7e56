"""The content of source files as they stand now, by the URIs that the lake recorded for them."""

from __future__ import annotations

from collections.abc import Callable

from evidence_assets.sources.project import Project
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Key, Stage

# A source file that is gone is read anew, so that the run says what is missing.
_GONE = "gone"


def source_fingerprint(project: Project) -> Callable[[Stage, Key, str], str | None]:
    """Return what tells the content of a source file, by the URI that is recorded for it, as it is now."""
    from evidence_assets.sources.files import fingerprint

    known: dict[str, str | None] = {}

    def now(stage: Stage, key: Key, uri: str) -> str | None:
        if uri not in known:
            try:
                known[uri] = fingerprint(project.locate(uri))
            except (UnusableSourceError, ConfigurationError):
                # What is no file of the configuration, such as a model's name, cannot be looked at here.
                known[uri] = _GONE if stage.files and not stage.models else None
        return known[uri]

    return now
