"""Chunks, vectors, rankings: which comparison of texts finds gold evidence, and what it costs."""
