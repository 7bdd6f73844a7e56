"""What the parts of a configuration file have in common: names, and that no field is unknown."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_NAME = r"^[a-z0-9][a-z0-9_-]*$"
Name = Annotated[str, Field(pattern=_NAME, max_length=64)]
# Models are known by versions: qwen2.5-72b.
GeneratorName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]


class Strict(BaseModel):
    """A part of a configuration file: a field that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
