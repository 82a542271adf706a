"""The settings of nbgrader for this folder; `grade_one.py` and `make_release.py` use them too."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "wpedu"
# For nbgrader's own commands, by the clock; `grade_one.py` and `limits.py` set tighter limits.
c.Execute.timeout = 600
c.Execute.interrupt_on_timeout = True
