"""examples/lattice.kas: nineteen populations in space (D3Q19)."""

import itertools

import numpy as np

from boltzmann import step
from example import compare, uniform

random = np.random.default_rng(3)
STEPS, OMEGA = 20, 1.25


def shell(c):
    return sum(map(abs, c))


# The program's order: at rest, to the faces, to the edges, each as numbers are ordered.
velocities = np.array(sorted((c for c in itertools.product((-1, 0, 1), repeat=3) if shell(c) < 3), key=shell))
weights = np.array([(1 / 3, 1 / 18, 1 / 36)[shell(c)] for c in velocities])
start = (weights * uniform(random, (4, 5, 6, 19), 0.9, 1.1)).astype(np.float32).astype(np.float64)

f = start
for _ in range(STEPS):
    f = step(f, velocities, weights, OMEGA)[1]

# A step forgets most of the rounding errors before it, and makes ten of the sizes of the largest population, 0.4.
compare("lattice", {"f": start}, {"steps": STEPS, "omega": OMEGA}, {"f": (f, 2e-6)})
