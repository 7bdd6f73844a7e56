"""Held-out test sets written for this project, each in a folder beside the module that loads it."""
