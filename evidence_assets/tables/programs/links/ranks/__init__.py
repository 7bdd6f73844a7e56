"""Rows by where they stand in an order: winners, the first three, from one to another."""
