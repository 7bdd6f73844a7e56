"""Damaged sources: whatever a file holds, each of its records is read, or rejected with a reason."""
