"""What only the thesis arms use: networks trained afresh for every question."""
