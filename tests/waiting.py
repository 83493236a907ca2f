"""Wait for another thread."""

import json
import time


def until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not hold in time"
        time.sleep(0.01)


def ended(many):
    """Run a contest or a sweep to its end; return its last view."""
    many.start()
    until(lambda: not many.active)
    return json.loads(many.shown())


def closed(made):
    for each in made:
        each.close()
        if each._thread:
            each._thread.join(20)
