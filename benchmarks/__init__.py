"""Benchmarks: each prints and records a ratio against a baseline measured in the same run."""
