"""The lake and the models as Dagster resources: their fields are those of the plain settings."""

from __future__ import annotations

from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

import dagster as dg
from pydantic import BaseModel, create_model

from evidence_assets.lake.locations import absolute_root, default_root
from evidence_assets.models.provider import (
    EncoderSettings,
    GeneratorOverrides,
    MaskedLanguageModelSettings,
    PairScorerSettings,
)

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake


class LakeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Where the tables are: a local folder or an object-store URI.

    `again`: partitions that are up to date are made all the same. Jobs leave them; who materialises an asset
    asks for it.
    """

    root: str = ""
    cache: str = ""
    again: bool = True

    @property
    def uri(self) -> str:
        """The root of the lake: where none is configured, the one that the environment names."""
        return absolute_root(self.root) if self.root else default_root()

    def open(self) -> Lake:
        """Return the lake, its catalogue in place."""
        from evidence_assets.lake import catalogue

        lake = self._lake()
        catalogue.build(lake)
        return lake

    def cache_folder(self) -> Path:
        """Return the local folder for what can be made again: `EVIDENCE_CACHE`, else one in the lake."""
        from evidence_assets.lake import catalogue

        return Path(self.cache) if self.cache else catalogue.cache_folder(self._lake())

    def config(self, again: bool) -> dict[str, Any]:
        """Return a run's configuration with `again` set, and this lake: Dagster forgets what is left out.

        A resource that a run configures has, of all that it was constructed with, nothing but its defaults.
        """
        fields = {"root": self.root, "cache": self.cache, "again": again}
        return {"resources": {"lake": {"config": fields}}}

    def _lake(self) -> Lake:
        from evidence_assets.lake.lake import Lake

        return Lake(self.uri)


def _with_fields_of(settings: type[BaseModel], base: type[BaseModel], name: str) -> Any:
    """Return a class with the fields of plain settings over a base of Dagster's."""
    fields: dict[str, Any] = {
        field: (info.annotation, info.default) for field, info in settings.model_fields.items()
    }
    made = create_model(name, __base__=base, **fields)
    made.__doc__ = settings.__doc__
    return made


EncoderResource = _with_fields_of(EncoderSettings, dg.ConfigurableResource, "EncoderResource")
PairScorerResource = _with_fields_of(PairScorerSettings, dg.ConfigurableResource, "PairScorerResource")
MaskedLanguageModelResource = _with_fields_of(
    MaskedLanguageModelSettings, dg.ConfigurableResource, "MaskedLanguageModelResource"
)
GeneratorResource = _with_fields_of(GeneratorOverrides, dg.ConfigurableResource, "GeneratorResource")


def settings_of(resource: Any, settings: type[BaseModel]) -> Any:
    """Return the plain settings that a resource's fields hold."""
    return settings(**{name: getattr(resource, name) for name in settings.model_fields})


def config_of(settings: type[BaseModel]) -> dict[str, dg.Field]:
    """Return a Dagster run configuration with the fields of a stage's settings, each with its default."""
    return {
        name: dg.Field(_config_type(info.annotation), default_value=info.default, is_required=False)
        for name, info in settings.model_fields.items()
    }


def _config_type(annotation: Any) -> Any:
    """Return the type as Dagster's configuration names it: a value that may be left empty is noneable."""
    if NoneType not in get_args(annotation):
        return annotation
    [kind] = [kind for kind in get_args(annotation) if kind is not NoneType]
    return dg.Noneable(kind)


def resources() -> dict[str, Any]:
    """Return the resources of the code location, by key."""
    return {
        "lake": LakeResource(),
        "encoder": EncoderResource(),
        "pair_scorer": PairScorerResource(),
        "masked_lm": MaskedLanguageModelResource(),
        "generator": GeneratorResource(),
    }
