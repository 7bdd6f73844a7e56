"""Words of claims and of tables, and what they ask for, before any table is looked at."""
