"""Every table of the lake, declared once: columns, key, partition folders, references.

The schemas are the contract with SQL, checks and tests: columns may be added, never renamed. Asset checks
and the DuckDB catalogue are made from these declarations, so a table is guarded by being declared here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evidence_assets.lake.schemas.answers import *
from evidence_assets.lake.schemas.attention import *
from evidence_assets.lake.schemas.corpus import *
from evidence_assets.lake.schemas.declaration import *
from evidence_assets.lake.schemas.experiments import *
from evidence_assets.lake.schemas.generations import *
from evidence_assets.lake.schemas.graphs import *
from evidence_assets.lake.schemas.knowledge import *
from evidence_assets.lake.schemas.materializations import *
from evidence_assets.lake.schemas.pages import *
from evidence_assets.lake.schemas.readers import *
from evidence_assets.lake.schemas.retrieval import *
from evidence_assets.lake.schemas.sources import *
from evidence_assets.lake.schemas.tables import *
from evidence_assets.lake.schemas.walks import *

TABLES_BY_NAME: Mapping[str, Table] = MappingProxyType(
    {table.name: table for table in tuple(globals().values()) if isinstance(table, Table)}
)
# What earlier versions made and this one does not read; any other unknown name may be a later version's.
FORMER_TABLES = ("chunk_indexes",)
