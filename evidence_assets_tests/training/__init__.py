"""Tests of trained readers."""
