"""The parts of `grade.py`, one idea per module."""
