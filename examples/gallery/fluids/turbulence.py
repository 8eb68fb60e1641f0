"""Vortices in two dimensions merge: turbulence by transforms"""

import numpy as np
from gallery import uniform

SMALL = {"side": 32, "steps": 20}
LARGE = {"side": 1024, "steps": 50, "dt": 0.001}
TIMED = {"side": 256, "steps": 20}
DRAWN = {"side": 64, "steps": 3000}
PICTURE = "w --range -4:4"
# Twelve transforms a step, each off by some 1e-6 of the largest, of which dt counts: 20 * 12 * 0.005 * 1e-6, and waves grow.
BOUNDS = {"w": 5e-5, "enstrophy": 5e-5}


def problem(random, side, steps, dt=0.005):
    spectrum = np.fft.rfft2(uniform(random, (side, side), -1, 1))
    k = np.hypot(np.fft.fftfreq(side, 1 / side)[:, None], np.fft.rfftfreq(side, 1 / side))
    w = np.fft.irfft2(spectrum * np.exp(-(((k - 6) / 2) ** 2)) * (k > 0), s=(side, side))
    return {"w": w / w.std() * 3}, {"steps": steps, "dt": dt}


def reference(inputs, steps, dt):
    w, viscosity = inputs["w"], 0.0005
    n = w.shape[0]
    ky, kx = np.fft.fftfreq(n, 1 / n)[:, None], np.fft.rfftfreq(n, 1 / n)
    square = kx * kx + ky * ky
    kept = (3 * kx < n) & (3 * abs(ky) < n)

    def back(f):
        return np.fft.irfft2(f, s=(n, n))

    def change(s):
        stream = s / np.where(square > 0, square, np.inf)
        slope = back(1j * kx * stream) * back(1j * ky * s) - back(1j * ky * stream) * back(1j * kx * s)
        return kept * (np.fft.rfft2(slope) - viscosity * square * s)

    s, enstrophy = np.fft.rfft2(w) * kept, []
    for _ in range(steps):
        s = s + dt * change(s + dt / 2 * change(s))
        w = back(s)
        enstrophy.append((w * w).mean())
    return {"w": w, "enstrophy": np.array(enstrophy)}


def in_jax(jax, steps, dt):
    jnp, viscosity = jax.numpy, 0.0005

    def run(inputs):
        n = inputs["w"].shape[0]
        ky, kx = jnp.fft.fftfreq(n, 1 / n)[:, None], jnp.fft.rfftfreq(n, 1 / n)
        square = kx * kx + ky * ky
        inverse = 1 / jnp.where(square > 0, square, jnp.inf)
        kept = (3 * kx < n) & (3 * abs(ky) < n)

        def back(f):
            return jnp.fft.irfft2(f, s=(n, n))

        def change(s):
            slope = back(1j * kx * inverse * s) * back(1j * ky * s) - back(1j * ky * inverse * s) * back(1j * kx * s)
            return kept * (jnp.fft.rfft2(slope) - viscosity * square * s)

        def step(state, _):
            s, _ = state
            s = s + dt * change(s + dt / 2 * change(s))
            w = back(s)
            return (s, w), (w * w).mean()

        (_, w), enstrophy = jax.lax.scan(step, (jnp.fft.rfft2(inputs["w"]) * kept, inputs["w"]), length=steps)
        return {"w": w, "enstrophy": enstrophy}

    return run
