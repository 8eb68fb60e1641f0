"""A step of the lattice Boltzmann method, for any set of velocities, in double: populations stream and relax (BGK)."""

import numpy as np


def moments(f, velocities):
    """Density and velocity."""
    rho = f.sum(-1)
    return rho, f @ velocities / rho[..., None]


def step(f, velocities, weights, omega):
    """f[…, k] flies along velocities[k], x first where the array has it last: what arrived, and relaxed."""
    axes = tuple(range(velocities.shape[1]))
    arrived = np.stack([np.roll(f[..., k], tuple(c[::-1]), axes) for k, c in enumerate(velocities)], -1)
    rho, u = moments(arrived, velocities)
    along = u @ velocities.T
    square = (u**2).sum(-1, keepdims=True)
    equilibrium = weights * rho[..., None] * (1 + 3 * along + 4.5 * along**2 - 1.5 * square)
    return arrived, arrived + omega * (equilibrium - arrived)
