"""Readers of article sources: one module a format, all found by name in `registry`."""
