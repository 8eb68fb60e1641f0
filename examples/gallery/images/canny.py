"""Edges of a picture, weak ones where they hang together with strong ones"""

import numpy as np
from gallery import uniform

SMALL = {"side": 48}
LARGE = {"side": 4096}
TIMED = {"side": 1024}
DRAWN = {"side": 160}
PICTURE = "edge"
# A slope within a rounding of a threshold, or of its neighbour's, may fall on either side: of 2304 cells not one does here.
BOUNDS = {"edge": 0, "grown": 0}


def problem(random, side):
    y, x = np.mgrid[:side, :side] / side
    picture = 0.3 + 0.4 * (np.hypot(x - 0.4, y - 0.45) < 0.27) - 0.5 * (np.hypot(x - 0.5, y - 0.4) < 0.11)
    picture += 0.25 * (abs(x - 0.75) + abs(y - 0.7) < 0.2) + 0.1 * np.sin(9 * x) * (y > 0.8)
    return {"picture": picture + uniform(random, picture.shape, -0.03, 0.03)}, {}


def reference(inputs):
    smooth = inputs["picture"]
    for axis in (1, 0):
        p = np.pad(smooth, [(2, 2) if axis == a else (0, 0) for a in range(2)], "symmetric")
        n = smooth.shape[axis]
        smooth = sum(w * np.take(p, range(k, k + n), axis) for k, w in enumerate((1, 4, 6, 4, 1))) / 16
    p = np.pad(smooth, 1, "edge")
    gx, gy = (p[1:-1, 2:] - p[1:-1, :-2]) / 2, (p[2:, 1:-1] - p[:-2, 1:-1]) / 2
    slope = np.hypot(gx, gy)

    def at(u, i, j):
        return np.roll(np.pad(u, 1), (-j, -i), (0, 1))[1:-1, 1:-1]

    def higher(i, j):
        return (slope >= at(slope, -i, -j)) & (slope > at(slope, i, j))

    flat, steep = abs(gy) <= 0.4142 * abs(gx), abs(gx) <= 0.4142 * abs(gy)
    ridge = slope * np.where(flat, higher(1, 0), np.where(steep, higher(0, 1), np.where(gx * gy > 0, higher(1, 1), higher(1, -1))))
    edge, before = ridge > 0.06, 0
    while edge.sum() > before:
        before = edge.sum()
        edge = edge | (ridge > 0.03) & (sum(at(edge, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j) > 0)
    return {"edge": edge.astype(float), "grown": np.array(float(edge.sum()))}


def in_jax(jax):
    jnp = jax.numpy

    def at(u, i, j):
        return jnp.roll(jnp.pad(u, 1), (-j, -i), (0, 1))[1:-1, 1:-1]

    def run(inputs):
        smooth = inputs["picture"]
        for _ in range(2):
            p, n = jnp.pad(smooth, ((0, 0), (2, 2)), "symmetric"), smooth.shape[1]
            smooth = sum(w * p[:, k : k + n] for k, w in enumerate((1, 4, 6, 4, 1))).T / 16
        p = jnp.pad(smooth, 1, "edge")
        gx, gy = (p[1:-1, 2:] - p[1:-1, :-2]) / 2, (p[2:, 1:-1] - p[:-2, 1:-1]) / 2
        slope = jnp.hypot(gx, gy)

        def higher(i, j):
            return (slope >= at(slope, -i, -j)) & (slope > at(slope, i, j))

        flat, steep = abs(gy) <= 0.4142 * abs(gx), abs(gx) <= 0.4142 * abs(gy)
        oblique = jnp.where(gx * gy > 0, higher(1, 1), higher(1, -1))
        ridge = slope * jnp.where(flat, higher(1, 0), jnp.where(steep, higher(0, 1), oblique))

        def grow(state):
            edge, grown, _ = state
            edge |= (ridge > 0.03) & (sum(at(edge, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j) > 0)
            return edge, edge.sum(), grown

        edge = ridge > 0.06
        edge, grown, _ = jax.lax.while_loop(lambda state: state[1] > state[2], grow, (edge, edge.sum(), 0))
        return {"edge": edge, "grown": grown}

    return run
