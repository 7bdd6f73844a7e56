"""Shared parts of readings: what a proposal binds, what counts rows, what is compared and spoken of."""
