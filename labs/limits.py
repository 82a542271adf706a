"""What a kernel runs first when a submission is graded: limits to time, output and memory.

A cell that takes more processor time, or prints more, ends with an error, and the next ones are
run. What does not even notice (one long call of C) is ended with its kernel, at twice the time.
"""

import os


def limit_cells(seconds: int, characters: int = 1_000_000, memory: int = 4 * 2**30) -> None:
    """Limit each cell that this kernel will run."""
    import signal
    import sys
    from pathlib import Path

    try:
        import resource
    except ImportError:  # on Windows; the limit by the clock is nbgrader's
        return

    class TimedOut(BaseException):
        """Not an Exception, so that no `except Exception` of an answer takes it for its own."""

    class TooMuchOutput(BaseException):
        """As above."""

    def stop(*_):
        raise TimedOut(f"timed out after {seconds} s of processor time")

    def start(info):
        nonlocal left
        left = characters
        Path(os.environ["WPEDU_CELL"]).write_text(info.raw_cell, "utf-8", "backslashreplace")
        used = resource.getrusage(resource.RUSAGE_SELF)
        last = int(used.ru_utime + used.ru_stime) + 2 * seconds
        resource.setrlimit(resource.RLIMIT_CPU, (last, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, seconds, 1)

    def limited(write):
        def count(text):
            nonlocal left
            left -= len(text)
            if left < 0:
                raise TooMuchOutput(f"more than {characters:,} characters of output")
            return write(text)

        return count

    left = characters
    signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))
    for stream in (sys.stdout, sys.stderr):
        stream.write = limited(stream.write)
    events = get_ipython().events  # noqa: F821
    events.register("pre_run_cell", start)
    events.register("post_run_cell", lambda _: signal.setitimer(signal.ITIMER_PROF, 0))


limit_cells(int(os.environ["WPEDU_SECONDS"]))
