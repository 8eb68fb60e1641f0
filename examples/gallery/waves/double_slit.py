"""Light through two slits, and the fringes that a screen sees"""

import numpy as np

SMALL = {"width": 96, "height": 64, "steps": 220, "gap": 10}
LARGE = {"width": 2048, "height": 2048, "steps": 400, "gap": 60}
TIMED = {"width": 512, "height": 512, "steps": 200, "gap": 40}
DRAWN = {"width": 110, "height": 60, "steps": 420, "gap": 12}
PICTURE = "u --range -0.6:0.6"
# Sums of 220 steps of some ten roundings each; waves add up over both ways, so 220 * 10 * 6e-8 of the largest.
BOUNDS = {"u": 1e-4, "intensity": 1e-4, "screen": 1e-4}


def problem(random, width, height, steps, gap=20):
    return {}, {"width": width, "height": height, "steps": steps, "gap": gap}


def reference(inputs, width, height, steps, gap):
    c, wavelength = 0.5, 8
    y, x = np.mgrid[:height, :width]
    edge = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y))
    medium = np.where(edge < 20, 1 - 0.0004 * (20 - edge) ** 2, 1)
    medium[(x >= 60) & (x < 63) & ~(abs(abs(y - height // 2) - gap) < 3)] = 0
    u = np.zeros((height, width))
    before, intensity = u.copy(), u.copy()
    for n in range(steps):
        p = np.pad(u, 1)
        laplacian = p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * u
        u, before = medium * (2 * u - medium * before + c * c * laplacian), u
        u[:, 20] = np.sin(6.2831853 * c / wavelength * n) * medium[:, 20]
        if n >= steps // 2:
            intensity += u * u
    return {"u": u, "intensity": intensity, "screen": intensity[:, width - 25]}


def in_jax(jax, width, height, steps, gap):
    jnp, c, wavelength = jax.numpy, 0.5, 8

    def run(inputs):
        y, x = jnp.mgrid[:height, :width]
        edge = jnp.minimum(jnp.minimum(x, width - 1 - x), jnp.minimum(y, height - 1 - y))
        medium = jnp.where(edge < 20, 1 - 0.0004 * (20 - edge) ** 2, 1)
        medium = jnp.where((x >= 60) & (x < 63) & ~(abs(abs(y - height // 2) - gap) < 3), 0, medium)

        def step(n, state):
            u, before, intensity = state
            p = jnp.pad(u, 1)
            laplacian = p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * u
            u, before = medium * (2 * u - medium * before + c * c * laplacian), u
            u = u.at[:, 20].set(jnp.sin(6.2831853 * c / wavelength * n) * medium[:, 20])
            return u, before, intensity + jnp.where(n >= steps // 2, u * u, 0)

        u, _, intensity = jax.lax.fori_loop(0, steps, step, (jnp.zeros((height, width)),) * 3)
        return {"u": u, "intensity": intensity, "screen": intensity[:, width - 25]}

    return run
