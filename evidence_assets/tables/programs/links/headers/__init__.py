"""Which column a value or a header of a claim means."""
