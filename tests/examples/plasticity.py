"""examples/plasticity.kas: the radial return, point by point and load by load, with its branch."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(5)
POINTS, BULK, SHEAR, YIELD, HARDENING = 200, 160e3, 80e3, 250.0, 2000.0  # MPa
load = np.array([0.125, 0.5, 1, 0, -1, 0.25])
strain = uniform(random, (POINTS, 3, 3), -4e-3, 4e-3)
strain = np.triu(strain) + np.swapaxes(np.triu(strain, 1), 1, 2)
strain[0] = 0  # one that nobody bends

stress, plastic, hardened = np.zeros((POINTS, 3, 3)), np.zeros((POINTS, 3, 3)), np.zeros(POINTS)
for point in range(POINTS):
    for part in load:
        elastic = part * strain[point] - plastic[point]
        deviator = 2 * SHEAR * (elastic - np.trace(elastic) / 3 * np.eye(3))
        size = np.linalg.norm(deviator)
        beyond = size - np.sqrt(2 / 3) * (YIELD + HARDENING * hardened[point])
        if beyond > 0:
            slip = beyond / (2 * SHEAR + 2 / 3 * HARDENING)
            plastic[point] += slip * deviator / size
            deviator *= 1 - 2 * SHEAR * slip / size
            hardened[point] += np.sqrt(2 / 3) * slip
        stress[point] = deviator + BULK * part * np.trace(strain[point]) * np.eye(3)
assert POINTS / 2 < (hardened > 0).sum() < POINTS, "the case has points of both kinds"

inputs = {"strain": strain, "plastic": 0 * plastic, "hardened": 0 * hardened, "load": load}
settings = {"bulk": BULK, "shear": SHEAR, "yield": YIELD, "hardening": HARDENING}
# A trial stress is some ten roundings of 640 MPa off, 2 SHEAR times the strains; plastic strains are a tenth of those.
expected = {"stress": (stress, 2e-6), "plastic": (plastic, 1e-5), "hardened": (hardened, 2e-6)}
compare("plasticity", inputs, settings, expected)
