"""What the columns of a table say: numbers in units, times, days, ends of numbers, nothing."""
