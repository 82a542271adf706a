"""The settings of nbgrader for this folder; `grade_one.py` and `make_release.py` use them too."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "wpedu"
# By the clock, for a cell that waits for something; `limits.py` has the limit of processor time.
c.Execute.timeout = 600
c.Execute.interrupt_on_timeout = True
