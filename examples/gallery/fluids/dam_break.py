"""A dam bursts: shallow water runs round a pillar, and none is lost"""

import numpy as np

SMALL = {"nx": 60, "ny": 40, "steps": 100}
LARGE = {"nx": 2048, "ny": 1024, "steps": 300}
TIMED = {"nx": 512, "ny": 512, "steps": 100}
DRAWN = {"nx": 200, "ny": 120, "steps": 2200}
PICTURE = "h"
# Some twenty roundings a step of depths near 2, 100 steps, of velocities that gravity drives: 100 * 20 * 6e-8.
BOUNDS = {"h": 1.5e-4, "highest": 1.5e-4, "water": 1e-6}


def problem(random, nx, ny, steps):
    y, x = np.mgrid[:ny, :nx]
    ground = 1 - ((x - 0.6 * nx) ** 2 + (y - 0.45 * ny) ** 2 < (0.1 * ny) ** 2).astype(np.uint8)
    h = np.where(x < 0.3 * nx, 2.0, 1.0) * ground
    return {"ground": ground.astype(np.uint8), "h": h}, {"steps": steps}


def reference(inputs, steps):
    g, dt = 9.81, 0.02
    ground, h = inputs["ground"] > 0, inputs["h"].astype(float)
    east, north = np.zeros_like(ground), np.zeros_like(ground)
    east[:, :-1] = ground[:, :-1] & ground[:, 1:]
    north[:-1] = ground[:-1] & ground[1:]
    u, v, highest, water = np.zeros_like(h), np.zeros_like(h), h, []
    for _ in range(steps):
        next_x, next_y = np.pad(h, ((0, 0), (0, 1)), "edge")[:, 1:], np.pad(h, ((0, 1), (0, 0)), "edge")[1:]
        u = np.where(east, u - dt * g * (next_x - h), 0)
        v = np.where(north, v - dt * g * (next_y - h), 0)
        fx, fy = np.where(u > 0, h, next_x) * u, np.where(v > 0, h, next_y) * v
        h = h - dt * (fx - np.pad(fx, ((0, 0), (1, 0)))[:, :-1] + fy - np.pad(fy, ((1, 0), (0, 0)))[:-1])
        highest = np.maximum(highest, h)
        water.append(h.sum())
    return {"h": h, "highest": highest, "water": np.array(water)}


def in_jax(jax, steps):
    jnp, g, dt = jax.numpy, 9.81, 0.02

    def run(inputs):
        ground, h = inputs["ground"] > 0, inputs["h"]
        east = jnp.pad(ground[:, :-1] & ground[:, 1:], ((0, 0), (0, 1)))
        north = jnp.pad(ground[:-1] & ground[1:], ((0, 1), (0, 0)))

        def step(state, _):
            h, u, v, highest = state
            next_x, next_y = jnp.pad(h, ((0, 0), (0, 1)), "edge")[:, 1:], jnp.pad(h, ((0, 1), (0, 0)), "edge")[1:]
            u = jnp.where(east, u - dt * g * (next_x - h), 0)
            v = jnp.where(north, v - dt * g * (next_y - h), 0)
            fx, fy = jnp.where(u > 0, h, next_x) * u, jnp.where(v > 0, h, next_y) * v
            h = h - dt * (fx - jnp.pad(fx, ((0, 0), (1, 0)))[:, :-1] + fy - jnp.pad(fy, ((1, 0), (0, 0)))[:-1])
            return (h, u, v, jnp.maximum(highest, h)), h.sum()

        (h, _, _, highest), water = jax.lax.scan(step, (h, jnp.zeros_like(h), jnp.zeros_like(h), h), length=steps)
        return {"h": h, "highest": highest, "water": water}

    return run
