"""An electron that tunnels through a barrier, by split steps"""

import numpy as np

SMALL = {"width": 64, "height": 32, "steps": 60}
LARGE = {"width": 1024, "height": 1024, "steps": 100}
TIMED = {"width": 512, "height": 256, "steps": 40}
DRAWN = {"width": 256, "height": 128, "steps": 170}
PICTURE = "density"
# Phases k0*x reach 51, off by 51 * 6e-8; a transform in float32 is off by some 1e-6 of the largest, 60 times.
BOUNDS = {"density": 2e-4, "behind": 2e-4}


def problem(random, width, height, steps):
    return {}, {"width": width, "height": height, "steps": steps}


def reference(inputs, width, height, steps):
    dt, k0 = 0.5, 0.8
    y, x = np.mgrid[:height, :width]
    potential = np.where((x >= width // 2) & (x < width // 2 + 4), 0.36, 0)
    psi = np.exp(-(((x - 0.3 * width) / (0.06 * width)) ** 2) / 2 - ((y - 0.5 * height) / (0.12 * height)) ** 2 / 2 + 1j * k0 * x)
    square = (2 * np.pi) ** 2 * (np.fft.fftfreq(height)[:, None] ** 2 + np.fft.fftfreq(width) ** 2)
    kinetic, half, behind = np.exp(-0.5j * dt * square), np.exp(-0.5j * dt * potential), []
    for _ in range(steps):
        psi = half * np.fft.ifft2(kinetic * np.fft.fft2(half * psi))
        density = abs(psi) ** 2
        behind.append(density[:, width // 2 + 1 :].sum() / density.sum())
    return {"density": density, "behind": np.array(behind)}


def in_jax(jax, width, height, steps):
    jnp, dt, k0 = jax.numpy, 0.5, 0.8

    def run(inputs):
        y, x = jnp.mgrid[:height, :width]
        potential = jnp.where((x >= width // 2) & (x < width // 2 + 4), 0.36, 0)
        far = ((x - 0.3 * width) / (0.06 * width)) ** 2 + ((y - 0.5 * height) / (0.12 * height)) ** 2
        square = (2 * jnp.pi) ** 2 * (jnp.fft.fftfreq(height)[:, None] ** 2 + jnp.fft.fftfreq(width) ** 2)
        kinetic, half = jnp.exp(-0.5j * dt * square), jnp.exp(-0.5j * dt * potential)

        def step(state, _):
            psi, _ = state
            psi = half * jnp.fft.ifft2(kinetic * jnp.fft.fft2(half * psi))
            density = abs(psi) ** 2
            return (psi, density), density[:, width // 2 + 1 :].sum() / density.sum()

        (_, density), behind = jax.lax.scan(step, (jnp.exp(1j * k0 * x - far / 2), jnp.zeros(x.shape)), length=steps)
        return {"density": density, "behind": behind}

    return run
