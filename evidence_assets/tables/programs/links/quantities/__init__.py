"""Numbers of a claim: values in units, bounds and limits, signs, and what is no number of a cell."""
