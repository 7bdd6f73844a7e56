"""How often a partition failed: it is requested again once, after a pause, and then left until it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_FAILURES = 2
SECONDS_BETWEEN = 5.0


@dataclass(slots=True)
class Failures:
    """The failures of one partition since what it is made from last changed. `last`: seconds since 1970."""

    basis: str
    count: int
    last: float
    reason: str

    @property
    def stopped(self) -> bool:
        """Whether it is requested no more."""
        return self.count >= MOST_FAILURES


@dataclass
class Attempts:
    """Failures by partition, and what a run that died had still to make."""

    failures: dict[str, Failures] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Attempts:
        """Return what `to_json` gave."""
        failures = {name: Failures(**values) for name, values in kept.get("failures", {}).items()}
        return cls(failures, list(kept.get("lost", [])))

    def to_json(self) -> dict[str, Any]:
        """Return this as plain values."""
        return {
            "failures": {name: asdict(failures) for name, failures in self.failures.items()},
            "lost": self.lost,
        }

    def failed(self, name: str, basis: str, reason: str, now: float) -> None:
        """Note a failure. One from another basis counts anew."""
        before = self.failures.get(name)
        count = 1 if before is None or before.basis != basis else before.count + 1
        self.failures[name] = Failures(basis, count, now, reason)

    def settle(self, bases: Mapping[str, str], due: Iterable[str]) -> None:
        """Forget partitions that are due no more, or are to be made from something else now."""
        names = set(due)
        self.failures = {
            name: failures
            for name, failures in self.failures.items()
            if name in names and bases.get(name) == failures.basis
        }
        self.lost = [name for name in self.lost if name in names]

    def stopped(self) -> dict[str, str]:
        """Return the partitions that are requested no more, with the reason."""
        return {name: failures.reason for name, failures in self.failures.items() if failures.stopped}

    def waits(self, now: float) -> bool:
        """Tell whether a partition that failed is still to be left alone for a while.

        A failure in times to come tells that the clock was set back: nothing waits until it is there again.
        """
        return any(
            not failures.stopped and 0 <= now - failures.last < SECONDS_BETWEEN
            for failures in self.failures.values()
        )
