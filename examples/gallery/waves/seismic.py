"""A shot above layers of rock, recorded by geophones along the surface"""

import numpy as np

SMALL = {"nx": 80, "nz": 60, "steps": 200}
LARGE = {"nx": 2048, "nz": 1024, "steps": 400}
TIMED = {"nx": 512, "nz": 512, "steps": 200}
DRAWN = {"nx": 240, "nz": 140, "steps": 420}
PICTURE = "p"
# 200 steps, some ten roundings of 6e-8 each, of values that the shot makes and that spread.
BOUNDS = {"p": 1e-4, "trace": 1e-4}


def problem(random, nx, nz, steps):
    x, depth = np.arange(nx), np.arange(nz)[:, None]
    bend = nz / 12 * np.sin(2 * np.pi * x / nx)
    rock = (depth > nz / 3 + bend).astype(np.uint8) + (depth > 2 * nz / 3 - bend)
    time = 0.001 * np.arange(steps) - 0.04
    a = (np.pi * 25 * time) ** 2  # a Ricker wavelet of 25 Hz
    inputs = {
        "rock": rock,
        "speed": np.array([1800.0, 2600, 3800]),
        "wavelet": (1 - 2 * a) * np.exp(-a),
        "gx": np.arange(2, nx - 2, 2).astype(np.int32),
        "gz": np.full(len(range(2, nx - 2, 2)), 3, np.int32),
    }
    return inputs, {"sx": nx // 2}


def reference(inputs, sx):
    c = (inputs["speed"] * 0.001 / 10)[inputs["rock"]]
    p = np.zeros(c.shape)
    before, traces = p.copy(), []
    for pressure in inputs["wavelet"]:
        wide = np.pad(p, ((0, 1), (1, 1)), "edge")
        wide = np.pad(wide, ((1, 0), (0, 0)))
        laplacian = wide[1:-1, :-2] + wide[1:-1, 2:] + wide[:-2, 1:-1] + wide[2:, 1:-1] - 4 * p
        p, before = 2 * p - before + c * c * laplacian, p
        p[2, sx] += pressure
        traces.append(p[inputs["gz"], inputs["gx"]])
    return {"p": p, "trace": np.array(traces)}


def in_jax(jax, sx):
    jnp = jax.numpy

    def run(inputs):
        c = (inputs["speed"] * 0.001 / 10)[inputs["rock"]]

        def step(state, pressure):
            p, before = state
            wide = jnp.pad(jnp.pad(p, ((0, 1), (1, 1)), "edge"), ((1, 0), (0, 0)))
            laplacian = wide[1:-1, :-2] + wide[1:-1, 2:] + wide[:-2, 1:-1] + wide[2:, 1:-1] - 4 * p
            p, before = (2 * p - before + c * c * laplacian).at[2, sx].add(pressure), p
            return (p, before), p[inputs["gz"], inputs["gx"]]

        (p, _), trace = jax.lax.scan(step, (jnp.zeros(c.shape), jnp.zeros(c.shape)), inputs["wavelet"])
        return {"p": p, "trace": trace}

    return run
