"""Readers of public formats: articles and benchmarks."""
