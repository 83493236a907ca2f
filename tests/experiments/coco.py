"""Compute the ERT of 1000 samples with COCO's own implementation.

    pip install cocopp==2.9.1 six && python tests/experiments/coco.py

writes ``coco.json``. The file is committed, because the package needs Matplotlib and downloads a
list of its archives when it is imported.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

VALUES = Path(__file__).with_name("coco.json")


def samples() -> list[tuple[list[float], list[float]]]:
    """Return 1000 samples of 1 to 40 runs: times to the target (infinite if never), and ends."""
    chance = random.Random(1605_03560).random  # equal in all Python versions
    made = []
    for _ in range(1000):
        n, rate = 1 + int(40 * chance()), 2 * chance() - 0.2
        ends = [1.0 + int(1000 * chance()) if chance() < 0.5 else 500 * chance() for _ in range(n)]
        times = [end * chance() if chance() < rate else float("inf") for end in ends]
        made.append((times, ends))
    return made


def main() -> None:
    from cocopp.toolsstats import sp

    def by_coco(times, ends):
        hit = [time < float("inf") for time in times]
        return float(sp([min(pair) for pair in zip(times, ends, strict=True)], issuccessful=hit)[0])

    VALUES.write_text(json.dumps([by_coco(*sample) for sample in samples()], indent=0) + "\n")


if __name__ == "__main__":
    main()
