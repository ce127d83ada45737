"""Chancery: a judge for Diplomacy games played by e-mail."""

__version__ = "0.1.0"
