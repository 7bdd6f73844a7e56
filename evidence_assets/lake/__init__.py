"""Tables on disk: schemas, ids, atomic Parquet files, the DuckDB catalogue."""
