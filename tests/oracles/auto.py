"""Choose sizes as k1="auto" does, in plain Python: the reference for ``prviz/search/auto.py``."""

from __future__ import annotations


def luby(i):
    """Return term i of Luby's sequence 1, 1, 2, 1, 1, 2, 4, …

    To extend the sequence, repeat it, then append twice its last term.
    """
    sequence = [1]
    while len(sequence) < i:
        sequence = [*sequence, *sequence, 2 * sequence[-1]]
    return sequence[i - 1]


class Chooser:
    """Choose a size before each call, and learn from the result of the call."""

    def __init__(self, N):
        self.sizes = [4**i for i in range(32) if 4**i < N] + [N]
        self.improvements = dict.fromkeys(self.sizes, 0.0)
        self.work = dict.fromkeys(self.sizes, 1.0)
        self.restarts = []  # iterations of each restart
        self.restarting = True

    @property
    def size(self):
        return max(self.sizes, key=lambda k: (self.improvements[k] + 1) / self.work[k])

    def learn(self, cost, iterations, best):
        """Record a call; ``best`` is the lowest cost so far."""
        if self.restarting:
            self.restarts.append(iterations)
            self.restarting, self.from_best = False, None
            self.cost, self.idle, self.spent, self.calls = cost, 0, iterations, 0
            return
        k = self.size
        self.work[k] += iterations
        self.idle += iterations
        self.calls += 1
        self.spent += iterations
        if cost < self.cost - 1e-9 * abs(cost):
            for each in self.sizes:
                self.improvements[each] *= 0.95
                self.work[each] *= 0.95
            self.improvements[k] += 1
            self.idle = self.calls = 0
        self.cost = min(self.cost, cost)
        if self.from_best is not None:
            self.from_best -= iterations
            self.restarting = self.from_best <= 0
        else:
            times, mean = luby(len(self.restarts)), sum(self.restarts) / len(self.restarts)
            if self.idle >= times * mean and self.calls >= times * min(self.sizes[-1], 50):
                self.from_best, self.cost = self.spent, best


def replay(trace):
    """Return the expected level, and the size on level 1, of every call of a trace."""
    chooser = Chooser(trace.n_variables)
    found = []
    for cost, iterations, best in zip(trace.cost, trace.iterations, trace.best, strict=True):
        found.append((2 if chooser.restarting else 1, chooser.size))
        chooser.learn(float(cost), int(iterations), float(best))
    return found
