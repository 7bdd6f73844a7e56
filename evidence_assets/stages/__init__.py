"""Stages: pure functions from tables to tables, declared with what they read and write."""
