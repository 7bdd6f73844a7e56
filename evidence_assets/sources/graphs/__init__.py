"""Readers of knowledge graphs: one module a format, all found by name in `registry`."""
