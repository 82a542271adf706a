"""The parts of `grade.py` and `grade_one.py`, one idea in each."""
