"""Readers of evidence: extractive and prompted; selection, prompts, replies."""
