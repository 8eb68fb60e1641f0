"""examples/pores.kas: nine populations in the plane (D2Q9), pushed along x, that turn round in solids."""

import numpy as np

from boltzmann import moments, step
from example import compare, uniform

random = np.random.default_rng(4)
STEPS, OMEGA, PUSH = 30, 1.25, 2.0**-10
velocities = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)])
weights = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36])
back = [int(np.flatnonzero((velocities == -c).all(1))[0]) for c in velocities]
start = (weights * uniform(random, (7, 9, 9), 0.9, 1.1)).astype(np.float32).astype(np.float64)
solid = (random.random((7, 9)) < 0.2).astype(np.uint8)

f = start
for _ in range(STEPS):
    arrived, relaxed = step(f, velocities, weights, OMEGA)
    f = np.where(solid[..., None] > 0, arrived[..., back], relaxed + 3 * PUSH * weights * velocities[:, 0])
rho, u = moments(f, velocities)

# As in lattice.py, but solids forget nothing. A velocity is a difference of populations that are twenty times as large.
settings = {"steps": STEPS, "omega": OMEGA, "push": PUSH}
compare("pores", {"f": start, "solid": solid}, settings, {"f": (f, 4e-6), "rho": (rho, 4e-6), "u": (u, 1e-4)})
