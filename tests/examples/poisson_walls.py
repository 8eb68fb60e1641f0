"""examples/poisson_walls.kas: what smooth sources give is known, and any source what matrices of the waves say."""

import sys

import numpy as np

from example import distances, uniform

random = np.random.default_rng(12)
NX, NY, H = 24, 18, 0.5
x, y = np.arange(NX)[None, :] + 0.5, np.arange(NY)[:, None] + 0.5  # in cells from the wall


def cosines(n):
    return np.cos(np.pi / n * np.arange(n)[None, :] * (np.arange(n)[:, None] + 0.5))


def sines(n):
    return np.sin(np.pi / n * (np.arange(n)[None, :] + 1) * (np.arange(n)[:, None] + 0.5))


def check(walls, b, u, bound):
    distance = distances("poisson_walls", {"b": b}, {"h": H, "y_walls": walls}, {"u": u})["u"]
    print(f"poisson_walls, {walls}: u differs by {distance:.2g} of its largest; at most are {bound:g}")
    return not distance <= bound


def solved(walls, b):
    """Each wave by itself: b = Y a Xᵀ of waves a, u has those over minus their squared wave numbers."""
    along_x, along_y = cosines(NX), sines(NY) if walls == "fixed" else cosines(NY)
    kx, ky = np.pi / (NX * H) * np.arange(NX), np.pi / (NY * H) * (np.arange(NY) + (walls == "fixed"))
    k2 = kx[None, :] ** 2 + ky[:, None] ** 2
    a = np.linalg.inv(along_y) @ b @ np.linalg.inv(along_x).T
    return along_y @ np.where(k2 == 0, 0, -a / np.where(k2 == 0, 1, k2)) @ along_x.T


def mode(walls):
    """One wave, and what it is the Laplacian of."""
    along_y = np.sin(2 * np.pi * y / NY) if walls == "fixed" else np.cos(2 * np.pi * y / NY)
    u = np.cos(3 * np.pi * x / NX) * along_y
    return -((3 * np.pi / (NX * H)) ** 2 + (2 * np.pi / (NY * H)) ** 2) * u, u


faults = 0
for walls in ("fixed", "insulating"):
    b = uniform(random, (NY, NX), -1, 1)
    b -= b.mean()
    b = b.astype(np.float32).astype(float)
    assert np.allclose(solved(walls, mode(walls)[0]), mode(walls)[1])
    # Some roundings of each transform, two there and two back.
    faults += check(walls, b, solved(walls, b), 3e-6)
sys.exit(faults > 0)
