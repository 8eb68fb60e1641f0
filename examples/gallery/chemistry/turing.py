"""Spots like a leopard's: patterns of two substances that react and spread"""

import numpy as np
from gallery import laplace_periodic, uniform

SMALL = {"side": 48, "steps": 200}
LARGE = {"side": 2048, "steps": 400}
TIMED = {"side": 512, "steps": 200}
DRAWN = {"side": 44, "steps": 8000}
PICTURE = "v --range 0.12:0.3"
# 200 steps of some ten roundings; where a spot grows, it grows by some percent a step for tens of them.
BOUNDS = {"u": 2e-4, "v": 2e-4}


def problem(random, side, steps):
    v = np.zeros((side, side))
    for x, y in random.integers(4, side - 4, (max(3, side // 12), 2)):
        v[y - 3 : y + 3, x - 3 : x + 3] = 0.5
    return {"u": 1 - v + uniform(random, v.shape, 0, 0.01), "v": v}, {"steps": steps}


def reference(inputs, steps):
    u, v, feed, kill = inputs["u"], inputs["v"], 0.035, 0.062
    for _ in range(steps):
        u = u + 0.16 * laplace_periodic(u) - u * v * v + feed * (1 - u)
        v = v + 0.08 * laplace_periodic(v) + u * v * v - (feed + kill) * v
    return {"u": u, "v": v}


def in_jax(jax, steps):
    feed, kill = 0.035, 0.062

    def laplace(u):
        return sum(jax.numpy.roll(u, by, axis) for axis in (0, 1) for by in (1, -1)) - 4 * u

    def step(_, state):
        u, v = state
        u = u + 0.16 * laplace(u) - u * v * v + feed * (1 - u)
        return u, v + 0.08 * laplace(v) + u * v * v - (feed + kill) * v

    def run(inputs):
        u, v = jax.lax.fori_loop(0, steps, step, (inputs["u"], inputs["v"]))
        return {"u": u, "v": v}

    return run
