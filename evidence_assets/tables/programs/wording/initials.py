"""Measures that headers write by their initials, and claims in full: `SBP` of a systolic blood pressure."""

from __future__ import annotations

_SPELT_OUT = """
    body mass index
    diastolic blood pressure
    earned run average
    earnings per share
    full time equivalent
    full time equivalents
    grade point average
    gross domestic product
    gross national income
    gross national product
    human development index
    miles per gallon
    miles per hour
    net present value
    on base percentage
    points per game
    purchasing power parity
    return on investment
    revolutions per minute
    runs batted in
    systolic blood pressure
"""
# The initials by the words that they stand for.
INITIALS = {
    tuple(words): "".join(word[0] for word in words)
    for words in map(str.split, _SPELT_OUT.strip().splitlines())
}
