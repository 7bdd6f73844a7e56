"""Test sets written for this project, each with the check that it holds together."""
