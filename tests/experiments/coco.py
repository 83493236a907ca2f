"""What COCO's own implementation makes of the ERT of 1000 samples, to compare with.

    pip install cocopp==2.9.1 six && python tests/experiments/coco.py

writes ``coco.json`` anew. It is kept, since the package needs Matplotlib and, when it is imported,
looks for its archives in the network.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

VALUES = Path(__file__).with_name("coco.json")


def samples() -> list[tuple[list[float], list[float]]]:
    """T_i (infinite if censored) and C_i of 1 to 40 runs, a thousand times, alike everywhere."""
    chance = random.Random(1605_03560).random  # the one method that never changes
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
