"""Model protocols and their backends, chosen by profile."""
