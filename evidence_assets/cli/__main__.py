"""`python -m evidence_assets.cli` and the console script run the command, each as a process of its own."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from typing import NoReturn

from evidence_assets.cli.main import main


def run() -> NoReturn:
    """Run the command and end the process with its exit status, without taking the interpreter apart.

    A thread of pyarrow that lets go of a Python file a moment late, while the interpreter is taken apart,
    aborts the process (apache/arrow#34314): work that was done would be told as failed.
    """
    # What libraries draw while they load a model would stand among answers; runs tell how far they are.
    os.environ.setdefault("TQDM_DISABLE", "1")
    status = main()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        # Whoever reads them may be gone.
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    run()
