"""Code that a kernel runs before a submission: limits for each cell, and repairs.

A cell that takes too much processor time, or prints too much, ends with an error, and the next
cells still run. A long call of C code does not notice the error: at twice the time, it is ended
together with its kernel. Before and after each cell, whatever an earlier cell replaced in Python's
built-ins, in wpedu, or in the kernel's own code is put back.
"""

import os


def limit_cells(shell, seconds, characters=1_000_000, memory=4 * 2**30, largest=200 * 2**20):
    """Limit each cell that this kernel will run."""
    import signal
    import sys

    try:
        import resource
    except ImportError:  # on Windows; the limit by the clock is the grader's
        return

    class TimedOut(BaseException):
        """Not an Exception, so that no `except Exception` in an answer catches it."""

    class TooMuchOutput(BaseException):
        """As above."""

    def stop(*_):
        raise TimedOut(f"timed out after {seconds} s of processor time")

    def start(_):
        nonlocal left
        left = characters
        used = resource.getrusage(resource.RUSAGE_SELF)
        last = int(used.ru_utime + used.ru_stime) + 2 * seconds
        resource.setrlimit(resource.RLIMIT_CPU, (last, resource.RLIM_INFINITY))
        signal.signal(signal.SIGPROF, stop)
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
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for stream in (sys.stdout, sys.stderr):
        stream.write = limited(stream.write)
    shell.events.register("pre_run_cell", start)
    shell.events.register("post_run_cell", lambda _: signal.setitimer(signal.ITIMER_PROF, 0))


def put_back_before_and_after_cells(shell):
    """Undo, around each cell, what earlier cells replaced."""
    import ast  # noqa: F401
    import hashlib  # noqa: F401
    import sys
    import threading
    import types

    import wpedu.bert
    import wpedu.labs  # noqa: F401

    kinds = (type, types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod)
    kinds += (property,)
    packages = {"builtins", "wpedu", "ast", "hashlib", "math", "collections", "unicodedata"}
    packages |= {"regex", "itertools", "operator", "json", "IPython", "ipykernel"}
    modules = [m for name, m in list(sys.modules.items()) if name.split(".")[0] in packages]
    owners = {id(m): m for m in modules if isinstance(m, types.ModuleType)}
    for module in list(owners.values()):
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__.split(".")[0] in packages - {
                "builtins"
            }:
                owners[id(value)] = value
    skipped = {"input", "getpass", "_", "__class__", "__dict__"}  # the kernel changes these itself
    kept = [
        (
            owner,
            [(n, v) for n, v in vars(owner).items() if isinstance(v, kinds) and n not in skipped],
        )
        for owner in owners.values()
    ]
    held = [  # such as the table of scores
        (value, type(value)(value))
        for module in modules
        if module.__name__.split(".")[0] == "wpedu"
        for name, value in vars(module).items()
        if type(value) in (dict, list, set) and not name.startswith("__") and len(value) < 1_000
    ]
    objects = [shell, shell.kernel, shell.displayhook, shell.display_pub, sys.stdout, sys.stderr]
    manager = shell.input_transformer_manager
    objects.append(manager)
    shadows = [(one, {n for n, v in vars(one).items() if callable(v)}) for one in objects]
    places = [(shell, "input_transformers_post"), (shell, "ast_transformers")]
    places += [(manager, "cleanup_transforms"), (manager, "line_transforms")]
    places += [(manager, "token_transformers")]
    lists = [
        (owner, name, getattr(owner, name), list(getattr(owner, name))) for owner, name in places
    ]
    streams = sys.stdout, sys.stderr
    # Bound here, because the names in builtins may be replaced.
    set_plain, set_type, is_type, get_all = setattr, type.__setattr__, isinstance, vars

    def put_back(_=None):
        sys.settrace(None)
        sys.setprofile(None)
        threading.settrace(None)
        sys.stdout, sys.stderr = streams
        for owner, attributes in kept:
            now = get_all(owner)
            for name, value in attributes:
                if now.get(name) is not value:
                    (set_type if is_type(owner, type) else set_plain)(owner, name, value)
        for value, content in held:
            if value != content:
                value.clear()
                (value.extend if type(value) is list else value.update)(content)
        for one, known in shadows:
            for name in [*get_all(one)]:
                if name not in known and callable(getattr(type(one), name, None)):
                    del get_all(one)[name]
        shell.input_transformer_manager = manager
        for owner, name, value, content in lists:
            value[:] = content
            set_plain(owner, name, value)
        callbacks = shell.events.callbacks
        for event, functions in events.items():
            callbacks[event] = [*functions]

    shell.events.register("pre_run_cell", put_back)
    shell.events.register("post_run_cell", put_back)
    events = {event: [*functions] for event, functions in shell.events.callbacks.items()}
    return put_back


def import_nothing_from_here():
    """Keep the student's files from being imported in place of modules."""
    import os
    import sys

    sys.path[:] = [path for path in sys.path if path not in ("", os.getcwd())]


import_nothing_from_here()
limit_cells(get_ipython(), int(os.environ["WPEDU_SECONDS"]))  # noqa: F821
put_back_before_and_after_cells(get_ipython())  # noqa: F821
del limit_cells, put_back_before_and_after_cells, import_nothing_from_here, os
