"""Spirals of the Belousov-Zhabotinsky reaction"""

import numpy as np

SMALL = {"side": 40, "steps": 60}
LARGE = {"side": 2048, "steps": 100}
TIMED = {"side": 512, "steps": 50}
DRAWN = {"side": 120, "steps": 4000}
PICTURE = "v --spacing x=0.2,y=0.2"  # no metres
# A front of u is steep: 1/epsilon makes of a rounding in 60 steps e^(60*0.004/0.04) = 400 times as much, at most.
BOUNDS = {"u": 1e-3, "v": 2e-4}


def problem(random, side, steps):
    return {}, {"side": side, "steps": steps}


def reference(inputs, side, steps):
    dt, f, q, epsilon, parts = 0.004, 1.4, 0.002, 0.01, 4
    y, x = np.mgrid[:side, :side]
    angle, rest = np.pi + np.arctan2(y - side // 2 + 0.5, x - side // 2 + 0.5), q * (f + 1) / (f - 1)
    u, v = np.where(angle < 0.5, 0.8, rest), rest + angle / (8 * np.pi * f)

    def laplace(a):
        p = np.pad(a, 1, "edge")
        return (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * a) / 0.2**2

    for _ in range(steps):
        for _ in range(parts):
            rise = (u - u * u - f * v * (u - q) / (u + q)) / epsilon
            v = v + dt / parts * (u - v)
            u = np.maximum(u + dt / parts * rise, q)
        u, v = u + dt * laplace(u), v + 0.6 * dt * laplace(v)
    return {"u": u, "v": v}


def in_jax(jax, side, steps):
    jnp, dt, f, q, epsilon, parts = jax.numpy, 0.004, 1.4, 0.002, 0.01, 4

    def laplace(a):
        p = jnp.pad(a, 1, "edge")
        return (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * a) / 0.2**2

    def step(_, state):
        u, v = state
        for _ in range(parts):
            rise = (u - u * u - f * v * (u - q) / (u + q)) / epsilon
            v = v + dt / parts * (u - v)
            u = jnp.maximum(u + dt / parts * rise, q)
        return u + dt * laplace(u), v + 0.6 * dt * laplace(v)

    def run(inputs):
        y, x = jnp.mgrid[:side, :side]
        angle, rest = jnp.pi + jnp.arctan2(y - side // 2 + 0.5, x - side // 2 + 0.5), q * (f + 1) / (f - 1)
        u, v = jax.lax.fori_loop(0, steps, step, (jnp.where(angle < 0.5, 0.8, rest), rest + angle / (8 * jnp.pi * f)))
        return {"u": u, "v": v}

    return run
