"""Two streams of electrons become entangled: particles in cells"""

import numpy as np
from gallery import uniform

SMALL = {"particles": 4000, "cells": 64, "steps": 30}
LARGE = {"particles": 1 << 24, "cells": 4096, "steps": 20}
TIMED = {"particles": 1000000, "cells": 1024, "steps": 10}
DRAWN = {"particles": 60000, "cells": 128, "steps": 260}
PICTURE = "phase"
# Places up to 64 are off by 4e-6 a step, shares as much, and what they add up to grows by the instability: 30 steps.
BOUNDS = {"px": 2e-5, "v": 2e-5, "energy": 5e-3}


def problem(random, particles, cells, steps):
    px = uniform(random, particles, 0, cells)
    v = np.where(np.arange(particles) % 2, 0.25, -0.25) + uniform(random, particles, -0.01, 0.01)
    v += 0.02 * np.sin(2 * np.pi * px / cells)
    return {"px": px, "v": v}, {"cells": cells, "steps": steps}


def reference(inputs, cells, steps):
    px, v, energy = inputs["px"], inputs["v"], []
    for _ in range(steps):
        i, a = np.floor(px).astype(int), px - np.floor(px)
        after = (i + 1) % cells
        charge = 1 - (np.bincount(i, 1 - a, cells) + np.bincount(after, a, cells)) * cells / len(px)
        field = np.concatenate([[0], np.cumsum((charge[1:] + charge[:-1]) / 2)])
        field = 0.02 * (field - field.mean())
        energy.append((field**2).sum() / 2)
        v = v - ((1 - a) * field[i] + a * field[after])
        px = (px + v) % cells
    return {"px": px, "v": v, "energy": np.array(energy)}


def in_jax(jax, cells, steps):
    jnp = jax.numpy

    def step(state, _):
        px, v = state
        i = px.astype(int)
        a, after = px - i, (i + 1) % cells
        charge = 1 - jnp.zeros(cells).at[i].add(1 - a).at[after].add(a) * (cells / len(px))
        field = jnp.pad(jnp.cumsum((charge[1:] + charge[:-1]) / 2), (1, 0))
        field = 0.02 * (field - field.mean())
        v = v - ((1 - a) * field[i] + a * field[after])
        px = (px + v) % cells
        return (jnp.where(px < cells, px, 0), v), (field**2).sum() / 2  # a little below 0 is rounded to cells

    def run(inputs):
        (px, v), energy = jax.lax.scan(step, (inputs["px"], inputs["v"]), length=steps)
        return {"px": px, "v": v, "energy": energy}

    return run
