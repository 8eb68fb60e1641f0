"""A slice of a body from its shadows: filtered back-projection"""

import numpy as np

SMALL = {"side": 48, "angles": 60}
LARGE = {"side": 1024, "angles": 720}
TIMED = {"side": 384, "angles": 180}
DRAWN = {"side": 160, "angles": 240}
PICTURE = "picture --colours grey --range 0:1"
# Places up to 70 are off by 70 * 6e-8, times the steepness of a filtered shadow, of its largest value; 60 angles.
BOUNDS = {"picture": 1e-4}


def problem(random, side, angles):
    """Ellipses: centre, half axes, tilt, density. Their shadows are known in closed form."""
    ellipses = [
        (0, 0, 0.8, 0.9, 0, 1),
        (0, 0.02, 0.72, 0.82, 0, -0.7),
        (-0.25, 0.1, 0.12, 0.35, 0.3, 0.3),
        (0.28, 0.1, 0.2, 0.3, -0.35, -0.2),
        (0, -0.5, 0.18, 0.1, 0, 0.3),
    ]
    detector = 3 * side // 2 // 2 * 2
    r = (np.arange(detector) - (detector - 1) / 2) * 2 / side
    shadow = np.zeros((angles, detector))
    for cx, cy, a, b, tilt, density in ellipses:
        theta = np.pi * (np.arange(angles)[:, None] + 0.5) / angles
        width = a * a * np.cos(theta - tilt) ** 2 + b * b * np.sin(theta - tilt) ** 2
        place = r - cx * np.cos(theta) - cy * np.sin(theta)
        shadow += density * a * b * np.sqrt(np.maximum(width - place**2, 0)) / width * side
    return {"shadow": shadow.astype(np.float32).astype(float)}, {"side": side}


def reference(inputs, side):
    shadow = inputs["shadow"]
    angles, detector = shadow.shape
    filtered = np.fft.irfft(np.fft.rfft(shadow) * np.arange(detector // 2 + 1) * 2 / detector, detector)
    picture = np.zeros((side, side))
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    for row, theta in zip(filtered, np.pi * (np.arange(angles) + 0.5) / angles):
        place = x * np.cos(theta) + y * np.sin(theta) + (detector - 1) / 2
        picture += np.interp(place, np.arange(detector), row) * np.pi / angles / 2
    return {"picture": picture}


def in_jax(jax, side):
    jnp = jax.numpy

    def run(inputs):
        shadow = inputs["shadow"]
        angles, detector = shadow.shape
        filtered = jnp.fft.irfft(jnp.fft.rfft(shadow) * jnp.arange(detector // 2 + 1) * 2 / detector, detector)
        y, x = jnp.mgrid[:side, :side] - (side - 1) / 2

        def smear(row, theta):
            place = x * jnp.cos(theta) + y * jnp.sin(theta) + (detector - 1) / 2
            i = place.astype(int)
            return row[i] + (place - i) * (row[i + 1] - row[i])

        return {"picture": jax.vmap(smear)(filtered, jnp.pi * (jnp.arange(angles) + 0.5) / angles).sum(0) * jnp.pi / angles / 2}

    return run
