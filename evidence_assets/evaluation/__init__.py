"""Metrics, intervals and comparisons."""
