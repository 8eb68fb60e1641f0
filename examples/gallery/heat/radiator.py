"""The steady temperature of a radiator, by sweeps until nothing moves"""

import numpy as np

SMALL = {"side": 32}
LARGE = {"side": 2048}
TIMED = {"side": 128}
DRAWN = {"side": 80}
PICTURE = "T"
# Both end their sweeps when a sweep changes little; what is left is as many times more as errors last sweeps, some hundred times 2e-6.
BOUNDS = {"T": 1e-3}


def problem(random, side):
    return {}, {"side": side}


def reference(inputs, side):
    y, x = np.mgrid[:side, :side]
    metal = (x % 16 < 5) | (y < side // 8)
    T, change = np.zeros((side, side)), 1
    red = (x + y) % 2 == 0

    def around(a, below):
        p = np.pad(np.pad(a, ((0, 1), (1, 1)), "edge"), ((1, 0), (0, 0)), constant_values=below)
        return np.array([p[1:-1, :-2], p[1:-1, 2:], p[:-2, 1:-1], p[2:, 1:-1]])

    beside = around(metal.astype(float), 1)
    while change > 1e-7:
        before = T
        for colour in (red, ~red):
            flow = (beside * (around(T, 1) - T)).sum(0)
            T = np.where(colour & metal, T + 1.85 * (flow - 0.001 * T) / (beside.sum(0) + 0.001), T)
        change = abs(T - before).max()
    return {"T": T}


def in_jax(jax, side):
    jnp = jax.numpy

    def around(a, below):
        p = jnp.pad(jnp.pad(a, ((0, 1), (1, 1)), "edge"), ((1, 0), (0, 0)), constant_values=below)
        return p[1:-1, :-2], p[1:-1, 2:], p[:-2, 1:-1], p[2:, 1:-1]

    def run(inputs):
        y, x = jnp.mgrid[:side, :side]
        metal, red = (x % 16 < 5) | (y < side // 8), (x + y) % 2 == 0
        beside = around(metal.astype(jnp.float32), 1)

        def sweep(state):
            before, _ = state
            T = before
            for colour in (red, ~red):
                flow = sum(m * (a - T) for m, a in zip(beside, around(T, 1)))
                T = jnp.where(colour & metal, T + 1.85 * (flow - 0.001 * T) / (sum(beside) + 0.001), T)
            return T, abs(T - before).max()

        T, _ = jax.lax.while_loop(lambda state: state[1] > 2e-6, sweep, (jnp.zeros((side, side)), jnp.float32(1)))
        return {"T": T}

    return run
