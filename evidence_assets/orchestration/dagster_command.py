"""Dagster's own command, by `python -m` and the name of this module, without one false warning.

It says of a dagster.yaml in the current folder that nothing reads it, where DAGSTER_HOME is another folder.
That of a project is read: its home follows it.
"""

from __future__ import annotations

import filecmp
import logging
import os
import runpy
from pathlib import Path

_SETTINGS = "dagster.yaml"
_UNREAD = f"Found a dagster instance configuration value ({_SETTINGS}) in the current"


def is_true(record: logging.LogRecord) -> bool:
    """Tell whether a line of Dagster's log is so: not what it says of settings that its home follows."""
    return not (record.getMessage().startswith(_UNREAD) and _are_followed())


def _are_followed() -> bool:
    followed, written = Path(os.environ["DAGSTER_HOME"], _SETTINGS), Path(_SETTINGS)
    return followed.exists() and written.exists() and filecmp.cmp(followed, written, shallow=False)


if __name__ == "__main__":
    logging.getLogger("dagster").addFilter(is_true)
    runpy.run_module("dagster", run_name="__main__")
