"""Answers from text: readers, confidence, citations."""
