"""The settings of nbgrader for this folder; `grade.py` and `make_release.py` use them as well."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "wpedu"
# A cell that runs for a minute is interrupted, and the ones after it are run.
c.Execute.timeout = 60
c.Execute.interrupt_on_timeout = True
