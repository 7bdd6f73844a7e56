"""Shared parts of readings: what a proposal binds, which rows and columns are compared, what is spoken of."""
