"""Claims of what numbers make: sums, averages, rates, ratios and shares."""
