"""examples/advection.kas: cells gather from where a flow brings their matter, interpolated between four cells."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(8)
NX, NY, STEPS, DT = 40, 30, 6, 0.25
dye = uniform(random, (NY, NX), 0, 1)
# Up to eight cells a step: at the edges the matter comes from beyond the grid, where it is as at the nearest cell.
u, v = uniform(random, (NY, NX), -32, 32), uniform(random, (NY, NX), -32, 32)

y, x = np.mgrid[:NY, :NX]
expected = dye
for _ in range(STEPS):
    p, q = x - DT * u, y - DT * v
    column, row = np.floor(p).astype(int), np.floor(q).astype(int)

    def at(i, j):
        return expected[np.clip(j, 0, NY - 1), np.clip(i, 0, NX - 1)]

    def along_x(j):
        return at(column, j) + (p - column) * (at(column + 1, j) - at(column, j))

    expected = along_x(row) + (q - row) * (along_x(row + 1) - along_x(row))

# A fraction of a cell is off by the rounding of a place, 40 * 6e-8, and grows by no interpolation.
compare("advection", {"dye": dye, "u": u, "v": v}, {"dt": DT, "steps": STEPS}, {"dye": (expected, STEPS * 5e-6)})
