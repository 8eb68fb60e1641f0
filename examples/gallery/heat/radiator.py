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
