"""Addresses as a configuration writes them, made ready to open."""

from __future__ import annotations

import os
import re
from pathlib import Path

from evidence_assets.sources.allowed_places import INSTEAD, why_not_named
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.sources.withheld import withhold

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def locate(uri: str, base: Path) -> str:
    """Return a URI ready to open: ${NAME} taken from the environment, a relative path made absolute.

    Tables keep the URI as it is written, so that their bytes do not depend on the machine. What variables
    put into an address is withheld from errors and logs.

    Raises:
        ConfigurationError: a variable is not set, a user has no home, or the place is none of those that may
            be read.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise ConfigurationError(f"{match[0]} in {uri!r} is not set; remedy: export {match[1]}")
        return os.environ[match[1]]

    expanded = _VARIABLE.sub(value, uri)
    # A path on this machine is no secret, and a person needs it whole to correct it.
    if "://" in expanded:
        for name in _VARIABLE.findall(uri):
            withhold(name, os.environ[name])
    protocol, separator, location = expanded.rpartition("::")
    if "://" not in location:
        try:
            location = os.path.normpath(base / Path(location).expanduser())
        except RuntimeError as error:
            raise ConfigurationError(
                f"{uri!r}: there is no such user's home; remedy: give the whole path, from / on"
            ) from error
    _check_allowed(uri, protocol, location)
    return f"{protocol}{separator}{location}"


def _check_allowed(uri: str, chain: str, location: str) -> None:
    """Check that a place lies below one that `EVIDENCE_ALLOWED_SOURCES` lists, where it is set."""
    if reason := why_not_named(chain, location):
        raise ConfigurationError(f"{uri!r} {reason}; remedy: {INSTEAD}")
