"""A benchmark as a command with options of its own: `python -m benchmarks.NAME --seed 7`."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable, Collection
from typing import Any


def main(run: Callable[..., dict[str, Any]], **choices: Collection[str]) -> int:
    """Call a benchmark with what the command line says; print the result as JSON; return 1 past its bound.

    A parameter is an option of its default's type; one whose default is `()` takes the names that stand bare,
    of `choices` where these are given.
    """
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    for name, parameter in inspect.signature(run).parameters.items():
        if parameter.default == ():
            offered = [*choices[name], ()] if name in choices else None
            parser.add_argument(name, nargs="*", choices=offered, default=())
        else:
            parser.add_argument(f"--{name}", type=type(parameter.default), default=parameter.default)
    result = run(**vars(parser.parse_args()))
    print(json.dumps(result, indent=2))
    return 0 if result["within_bound"] else 1
