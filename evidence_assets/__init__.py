"""Evidence-based reasoning as Dagster data assets over one Parquet lake."""
