"""What a table says: its words with their places, its columns as numbers, units and times."""
