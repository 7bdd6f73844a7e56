"""Test sets written for this project, each in a folder, with the check that it holds together."""
