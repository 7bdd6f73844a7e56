"""YAML of plain values, read by libyaml where PyYAML has it: several times as fast as in Python."""

from __future__ import annotations

from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """Return the values of a YAML text; no tag of it makes anything but plain values.

    Raises:
        yaml.YAMLError: it is not YAML, or names such a tag.
    """
    try:
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both loaders are safe ones
    # A date that the calendar lacks, brackets nested by the thousand, a tag for another kind of value.
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        if isinstance(error, yaml.YAMLError):
            raise
        raise yaml.YAMLError(f"a value cannot be made ({error}): put it in quotes") from error
