"""Names cut to a width so that no two become the same."""

from __future__ import annotations

from collections.abc import Sequence

_CUT = "…"


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Return names of at most `width` characters; those that are longer lose what tells them apart least.

    The same part is cut out of all that are too long, the one at which most of their ends are kept; where no
    cut leaves them distinct, those that look alike are numbered.

    Raises:
        ValueError: the width has no room for a letter on either side of the cut.
    """
    if width < len(_CUT) + 2:
        raise ValueError(f"no name can be cut to {width} characters; remedy: at least {len(_CUT) + 2}")
    distinct = dict.fromkeys(names)
    kept = width - len(_CUT)
    # From both ends alike to one end alone.
    for start in sorted(range(kept + 1), key=lambda start: (abs(start - kept / 2), start)):
        cut = {name: _without_middle(name, start, kept - start, width) for name in distinct}
        if len(set(cut.values())) == len(distinct):
            return [cut[name] for name in names]
    numbered = {}
    for number, name in enumerate(distinct, start=1):
        end = f"{_CUT}{number}"
        numbered[name] = name if len(name) <= width else name[: width - len(end)] + end
    return [numbered[name] for name in names]


def _without_middle(name: str, start: int, end: int, width: int) -> str:
    return name if len(name) <= width else f"{name[:start]}{_CUT}{name[len(name) - end :]}"
