"""Dagster's daemon as the sensor that follows inputs sees it: looks, and runs of what it requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dagster as dg

Requested = dict[str, set[str]]


@dataclass
class Follower:
    """Lets the sensor look, and runs what it requests in this process."""

    definitions: dg.Definitions
    instance: dg.DagsterInstance
    cursor: str | None = None
    message: str = ""

    def look(self) -> list[dg.RunRequest]:
        """One look of the sensor; nothing is run."""
        [sensor] = [
            candidate for candidate in self.definitions.sensors or () if candidate.name == "follow_inputs"
        ]
        result = sensor(dg.build_sensor_context(instance=self.instance, cursor=self.cursor))
        assert isinstance(result, dg.SensorResult)
        self.cursor = result.cursor
        skip = result.skip_reason
        self.message = str(skip.skip_message if isinstance(skip, dg.SkipReason) else skip or "")
        return list(result.run_requests or ())

    def requested(self) -> Requested:
        """The partitions that one look requests, by stage."""
        named: Requested = {}
        for request in self.look():
            for name in parts_of(request):
                stage, _, rest = name.partition(":")
                named.setdefault(stage, set()).add(rest.rpartition(":")[0])
        return named

    def follow(self, success: bool = True) -> Requested:
        """Look, run what is requested, and return the partitions that were made, by asset."""
        made: Requested = {}
        for request in self.look():
            result = self.run(request)
            failed = [event.message for event in result.all_events if event.is_failure]
            assert result.success == success, failed
            for event in result.all_events:
                if event.event_type == dg.DagsterEventType.ASSET_MATERIALIZATION:
                    assert event.asset_key is not None
                    made.setdefault(event.asset_key.to_user_string(), set()).add(event.partition or "")
        return made

    def run(self, request: dg.RunRequest) -> dg.ExecuteInProcessResult:
        """Run what a look requested."""
        assert request.job_name is not None
        job = self.definitions.resolve_job_def(request.job_name)
        return job.execute_in_process(
            instance=self.instance, run_config=request.run_config, raise_on_error=False
        )


def parts_of(request: dg.RunRequest) -> list[str]:
    """The names of the partitions that a request is for."""
    config: Any = request.run_config
    return list(config["ops"]["make_what_is_due"]["config"]["parts"])
