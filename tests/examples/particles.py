"""examples/particles.kas: charges by NumPy's add.at, the potential by its transforms, in double precision."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(12)
CELLS, PARTICLES, STEPS, DT = 16, 20_000, 5, 0.1
px, py = (uniform(random, PARTICLES, 0, CELLS) for _ in range(2))
# Most of them in a few cells, so that a cell has hundreds.
px[: PARTICLES // 2] = uniform(random, PARTICLES // 2, 2, 5)
vx, vy = (uniform(random, PARTICLES, -1, 1) for _ in range(2))
inputs = {"px": px.copy(), "py": py.copy(), "vx": vx.copy(), "vy": vy.copy()}

square = (2 * np.pi) ** 2 * (np.fft.fftfreq(CELLS)[:, None] ** 2 + np.fft.rfftfreq(CELLS)[None, :] ** 2)
square[0, 0] = np.inf
energy = []
for _ in range(STEPS):
    i, j = np.floor(px).astype(int), np.floor(py).astype(int)
    a, b = px - i, py - j
    corners = [
        (i, j, (1 - a) * (1 - b)),
        ((i + 1) % CELLS, j, a * (1 - b)),
        (i, (j + 1) % CELLS, (1 - a) * b),
        ((i + 1) % CELLS, (j + 1) % CELLS, a * b),
    ]
    charge = np.zeros((CELLS, CELLS))
    for column, row, share in corners:
        np.add.at(charge, (row, column), share)
    charge = charge * CELLS**2 / PARTICLES - 1
    potential = np.fft.irfft2(np.fft.rfft2(charge) / square, s=(CELLS, CELLS))
    ex = (np.roll(potential, 1, 1) - np.roll(potential, -1, 1)) / 2
    ey = (np.roll(potential, 1, 0) - np.roll(potential, -1, 0)) / 2
    energy.append((ex**2 + ey**2).sum() / 2)
    vx = vx + DT * sum(share * ex[row, column] for column, row, share in corners)
    vy = vy + DT * sum(share * ey[row, column] for column, row, share in corners)
    px, py = (px + DT * vx) % CELLS, (py + DT * vy) % CELLS

count = np.zeros((CELLS, CELLS))
np.add.at(count, (np.floor(py).astype(int), np.floor(px).astype(int)), 1)

# Sums of some hundred shares in float32: 3 * sqrt(400) roundings, 60 * 6e-8, in each step. A particle at the edge of a cell
# may be counted beside it.
bound = STEPS * 4e-6
compare(
    "particles",
    inputs,
    {"side": CELLS, "dt": DT, "steps": STEPS},
    {
        "px": (px, bound),
        "py": (py, bound),
        "vx": (vx, bound),
        "vy": (vy, bound),
        "charge": (charge, bound),
        "energy": (np.array(energy), bound),
        "count": (count, 2.5 / count.max()),
    },
)
