"""Lineage from a prediction down to source text, and up again."""
