"""What every asset shares: who owns it, how it is backfilled, which pool bounds it."""

from __future__ import annotations

import dagster as dg

OWNERS = ["team:evidence-assets"]
# A model is loaded once a run, whatever the number of partitions.
SINGLE_RUN = dg.BackfillPolicy.single_run()
# Steps that load a model, or replace a file that others point to, run one at a time.
GPU_POOL = "gpu"
