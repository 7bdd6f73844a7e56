"""Conditions, sensors, schedules and checks."""
