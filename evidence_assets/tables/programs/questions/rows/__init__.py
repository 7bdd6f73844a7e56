"""The rows that a question may mean: of its values, chosen among them, or by two of their columns."""
