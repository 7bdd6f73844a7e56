"""What a table says: its words with their places, its columns, and tables that follow from it."""
