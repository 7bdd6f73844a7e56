"""Evidence-based reasoning as Dagster data assets over one Parquet lake."""

import os
import sys

# Intel's matrix products differ in their last bits by how many rows are multiplied together, and so would a
# text's vector by the batch it is encoded in. Read when the library is first used, so set before that.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")


def unsupported(version: "tuple[int, ...]", platform: str) -> "str | None":
    """Return why the package does not run on a Python version and platform, in a line; None where it does."""
    if platform == "win32":
        return "Evidence Assets runs on Linux and macOS; remedy: on Windows, install it in WSL"
    if not (3, 11) <= version < (3, 13):
        age = "old" if version < (3, 11) else "new"
        release = "{}.{}".format(*version)
        return f"Python {release} is too {age}: Evidence Assets needs 3.11 or 3.12; remedy: use one of them"
    return None


_problem = unsupported(sys.version_info[:2], sys.platform)
if _problem:
    raise SystemExit(_problem)
