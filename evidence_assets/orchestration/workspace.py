"""A project with its stages, its lake and its models: what commands and runs work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.lake.locations import absolute_root, default_root
from evidence_assets.orchestration.following import every_partition
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.project import Project
from evidence_assets.sources.source_fingerprints import source_files, source_fingerprint
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.system import System

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.models.provider import Models
    from evidence_assets.stages.freshness import Freshness, Status
    from evidence_assets.stages.graph import Needed, StageGraph


@dataclass(frozen=True)
class Workspace:
    """A project with its stages, its lake and its models."""

    project: Project
    systems: Sequence[System]
    lake: Lake
    models: Models

    @classmethod
    def of(cls, lake_uri: str, cache_folder: Path, systems: Sequence[System] = SYSTEMS) -> Workspace:
        """Return the workspace of the configuration that `EVIDENCE_SOURCES` names, over a lake.

        Raises:
            ConfigurationError: the configuration cannot be used.
        """
        from evidence_assets.config.configuration import load_project
        from evidence_assets.lake.lake import Lake
        from evidence_assets.models.provider import Models

        root = absolute_root(lake_uri)
        project = load_project(lake_root=root)
        models = Models(cache_folder, generators=project.generators)
        return cls(project, systems, Lake(root), models)

    @classmethod
    def from_environment(cls) -> Workspace:
        """Return the workspace over the lake and cache that `EVIDENCE_LAKE` and `EVIDENCE_CACHE` name.

        Raises:
            ConfigurationError: the configuration cannot be used.
        """
        from evidence_assets.lake import catalogue
        from evidence_assets.lake.lake import Lake

        root = default_root()
        return cls.of(root, catalogue.cache_folder(Lake(root)))

    @cached_property
    def graph(self) -> StageGraph:
        """The stages."""
        return stage_graph(self.project, self.systems)

    def freshness(self) -> Freshness:
        """Return what tells fresh partitions from stale ones, as the lake stands now."""
        from evidence_assets.stages.freshness import Freshness

        fingerprint, files = source_fingerprint(self.project), source_files(self.project)
        return Freshness(self.lake, self.graph, self.models, fingerprint, files=files)

    def statuses(self, wanted: Iterable[Needed], to_be_made: bool = True) -> list[Status]:
        """Return the state of partitions, each after those that it reads."""
        return list(self.freshness().statuses(wanted, to_be_made))

    def every_partition(self) -> list[Needed]:
        """Return every partition of every stage; tables that can be made by themselves, one by one."""
        return every_partition(self.graph)
