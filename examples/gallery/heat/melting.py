"""Ice melts from below: heat with a change of phase"""

import numpy as np
from gallery import uniform

SMALL = {"nx": 24, "nz": 32, "steps": 400}
LARGE = {"nx": 2048, "nz": 2048, "steps": 400}
TIMED = {"nx": 512, "nz": 512, "steps": 200}
DRAWN = {"nx": 200, "nz": 100, "steps": 6000}
PICTURE = "T"
# 400 additions to enthalpies near 80, each off by 4e-6. A front is a whole number of cells; none is so near the middle.
BOUNDS = {"H": 2e-5, "T": 1e-4, "melted": 1e-5, "front": 0}


def problem(random, nx, nz, steps):
    z = np.arange(nz)[:, None]
    thin = nz / 8 + nz / 16 * np.cos(4 * np.pi * np.arange(nx) / nx)
    return {"H": np.where(z < thin, 90.0, -4.0) + uniform(random, (nz, nx), -1, 1)}, {"steps": steps}


def reference(inputs, steps):
    H, latent, melted = inputs["H"], 80, []

    def temperature(H):
        return np.where(H < 0, H, np.where(H < latent, 0, H - latent))

    for n in range(steps):
        if n % 100 == 0:
            melted.append(np.clip(H / latent, 0, 1).mean())
        T = temperature(H)
        p = np.pad(np.pad(T, ((0, 1), (1, 1)), "edge"), ((1, 0), (0, 0)), constant_values=20)
        H = H + 0.2 * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * T)
    melted += [0] * (steps // 100 + 1 - len(melted))
    return {"H": H, "T": temperature(H), "front": (H > latent / 2).sum(0), "melted": np.array(melted)}


def in_jax(jax, steps):
    jnp, latent = jax.numpy, 80

    def temperature(H):
        return jnp.where(H < 0, H, jnp.where(H < latent, 0, H - latent))

    def step(_, H):
        T = temperature(H)
        p = jnp.pad(jnp.pad(T, ((0, 1), (1, 1)), "edge"), ((1, 0), (0, 0)), constant_values=20)
        return H + 0.2 * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * T)

    def hundred(H, _):
        return jax.lax.fori_loop(0, 100, step, H), jnp.clip(H / latent, 0, 1).mean()

    def run(inputs):
        H, melted = jax.lax.scan(hundred, inputs["H"], length=steps // 100)
        H = jax.lax.fori_loop(0, steps % 100, step, H)
        return {"H": H, "T": temperature(H), "front": (H > latent / 2).sum(0), "melted": jnp.append(melted, 0)}

    return run
