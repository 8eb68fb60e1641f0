"""examples/finite_strain.kas: element by element by shape functions, forces added up at the nodes."""

import itertools

import numpy as np

from example import compare, uniform

random = np.random.default_rng(7)
SHAPE, STEPS, DT, H, DENSITY, STIFFNESS = (5, 4, 6), 12, 2.0**-12, 0.125, 1024.0, 0.0625  # nodes along z, y, x
mu, stiff = uniform(random, SHAPE, 1e5, 2e5), uniform(random, SHAPE, 2e5, 4e5)
mu[-1], mu[:, -1], mu[:, :, -1] = 0, 0, 0  # no cell lies behind the last nodes
mu[1, 1, 2] = 0  # a hole
start = uniform(random, SHAPE + (3,), -0.04, 0.04)
throw = uniform(random, SHAPE + (3,), -5, 5)
start[:, :, 0], throw[:, :, 0] = 0, 0

corners = np.array(list(itertools.product((-1, 1), repeat=3)))  # along z, y, x, from the middle
gradients = corners[:, ::-1] / (4 * H)  # of the trilinear shape functions there, along x, y, z
z, y, x = corners.T
unseen = np.stack([y * z, z * x, x * y, x * y * z])  # what neither a motion nor a gradient of displacements is
elements = [(cell, [tuple(np.add(cell, (corner + 1) // 2)) for corner in corners]) for cell in np.argwhere(mu > 0)]
elements = [(tuple(cell), tuple(np.transpose(nodes))) for cell, nodes in elements]

mass = np.zeros(SHAPE)
for cell, nodes in elements:
    np.add.at(mass, nodes, DENSITY * H**3 / 8)
u, v = start.copy(), throw.copy()
stretch = 0
for _ in range(STEPS):
    force = np.zeros(SHAPE + (3,))
    for cell, nodes in elements:
        F = np.eye(3) + u[nodes].T @ gradients
        stretch = max(stretch, np.abs(F - np.eye(3)).max())
        inverse = np.linalg.inv(F).T
        P = mu[cell] * (F - inverse) + stiff[cell] * np.log(np.linalg.det(F)) * inverse
        springs = STIFFNESS * mu[cell] * H / 2 * unseen.T @ (unseen @ u[nodes])
        np.add.at(force, nodes, -(H**3) * gradients @ P.T - springs)
    moving = (mass > 0) & (np.arange(SHAPE[2]) > 0)
    v = np.where(moving[..., None], v + DT * force / np.where(mass > 0, mass, 1)[..., None], 0)
    u = u + DT * v
assert stretch > 0.2, "strains are finite"

settings = {"dt": DT, "h": H, "density": DENSITY, "stiffness": STIFFNESS, "steps": STEPS}
inputs = {"u": start, "v": throw, "mu": mu, "lambda": stiff}
# Stresses are differences of F and its inverse, both near 1, and so are off by some ten roundings of the modulus,
# 6e-8; what they push in 12 steps is less than the first velocities.
compare("finite_strain", inputs, settings, {"u": (u, 2e-6), "v": (v, 2e-6)})
