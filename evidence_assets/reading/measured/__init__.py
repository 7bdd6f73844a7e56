"""Counts that readers rest on, kept as data: made by commands, each with what it was measured on."""
