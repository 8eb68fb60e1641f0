"""examples/implicit_heat.kas: steps along one axis after the other solve what dense matrices say."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(5)
NX, NY, NZ, ALPHA, DT, H, STEPS = 9, 7, 8, 0.5, 3.0, 1.25, 4
T = uniform(random, (NZ, NY, NX), -1, 1)
r = ALPHA * DT / H**2


def implicit(n):
    return np.linalg.inv((1 + 2 * r) * np.eye(n) - r * (np.eye(n, k=1) + np.eye(n, k=-1)))


after = T.astype(float)
for _ in range(STEPS):
    after = np.einsum("ia,jb,kc,abc->ijk", implicit(NZ), implicit(NY), implicit(NX), after)
# What is left is a thirtieth of what was there, whose rounding it has.
compare("implicit_heat", {"T": T}, {"alpha": ALPHA, "dt": DT, "h": H, "steps": STEPS}, {"T": (after, 4e-6)})
