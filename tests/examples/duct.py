"""examples/duct.kas: acoustic waves on a staggered grid, by slices of arrays with a face more than cells."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(4)
NX, NY, STEPS, COURANT, MX, MY = 40, 23, 30, 0.5, 31, 7
p = uniform(random, (NY, NX), -1, 1)
sigma = np.where(np.arange(NY)[:, None] < 5, uniform(random, (NY, NX), 0, 2), 0)
piston = uniform(random, (STEPS,), -1, 1)

u, v = np.zeros((NY, NX + 1)), np.zeros((NY + 1, NX))
pressure, heard, energy = p, [], []
wide = np.pad(sigma, 1, "edge")
loss_u = 0.5 * (wide[1:-1, 1:] + wide[1:-1, :-1])
loss_v = 0.5 * (wide[1:, 1:-1] + wide[:-1, 1:-1])
for n in range(STEPS):
    # At the open end the pressure is the opposite beyond the face, so that it is zero on it.
    beyond = np.concatenate([pressure[:, :1], pressure, -pressure[:, -1:]], axis=1)
    u = (u - COURANT * np.diff(beyond, axis=1)) / (1 + COURANT * loss_u)
    u[:, 0] = piston[n]
    beyond = np.pad(pressure, ((1, 1), (0, 0)), "edge")
    v = (v - COURANT * np.diff(beyond, axis=0)) / (1 + COURANT * loss_v)
    v[[0, -1]] = 0
    pressure = pressure - COURANT * (np.diff(u, axis=1) + np.diff(v, axis=0))
    heard.append(pressure[MY, MX])
    energy.append(0.5 * (pressure**2).sum())

# Some ten roundings a step, of numbers of the size of the largest.
bound = STEPS * 1e-6
compare(
    "duct",
    {"p": p, "sigma": sigma, "piston": piston},
    {"courant": COURANT, "steps": STEPS, "mx": MX, "my": MY},
    {
        "p": (pressure, bound),
        "u": (u, bound),
        "v": (v, bound),
        "heard": (np.array(heard), bound),
        "energy": (np.array(energy), bound),
    },
)
