"""Dates, days, hours, years and spans of time of a claim, and the rows and columns that they mean."""
