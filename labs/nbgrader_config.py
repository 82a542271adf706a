"""The settings of nbgrader for this folder, and for a course that `make_release.py` made."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "wpedu"
# For nbgrader's own commands, by the clock.
c.Execute.timeout = 600
c.Execute.interrupt_on_timeout = True
