"""A slice of a body from few shadows, asking again and again what picture has them"""

import importlib.util
import pathlib

import numpy as np

SMALL = {"side": 32, "angles": 12, "rounds": 6}
LARGE = {"side": 512, "angles": 90, "rounds": 20}
TIMED = {"side": 128, "angles": 30, "rounds": 5}
DRAWN = {"side": 56, "angles": 24, "rounds": 60}
PICTURE = "picture --colours grey --range 0:1"
# As back-projection, six times.
BOUNDS = {"picture": 1e-3, "left": 1e-3}


def problem(random, side, angles, rounds):
    path = pathlib.Path(__file__).with_name("backprojection.py")
    spec = importlib.util.spec_from_file_location("backprojection", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {"seen": module.problem(random, side, angles)[0]["shadow"]}, {"side": side, "rounds": rounds}


def reference(inputs, side, rounds):
    seen = inputs["seen"]
    angles, detector = seen.shape
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    s, r = np.mgrid[:detector, :detector] - (detector - 1) / 2
    picture, left = np.zeros((side, side)), []
    for _ in range(rounds):
        missing = np.empty_like(seen)
        for k, theta in enumerate(np.pi * (np.arange(angles) + 0.5) / angles):
            a = r * np.cos(theta) - s * np.sin(theta) + (side - 1) / 2
            b = r * np.sin(theta) + s * np.cos(theta) + (side - 1) / 2
            inside = (a >= 0) & (b >= 0) & (a < side - 1) & (b < side - 1)
            a, b = np.where(inside, a, 0), np.where(inside, b, 0)
            i, j = a.astype(int), b.astype(int)
            a, b = a - i, b - j
            value = (1 - a) * ((1 - b) * picture[j, i] + b * picture[j + 1, i]) + a * (
                (1 - b) * picture[j, i + 1] + b * picture[j + 1, i + 1]
            )
            missing[k] = (seen[k] - np.where(inside, value, 0).sum(0)) / side
        left.append(np.sqrt((missing**2).sum()))
        more = np.zeros_like(picture)
        for row, theta in zip(missing, np.pi * (np.arange(angles) + 0.5) / angles):
            more += np.interp(x * np.cos(theta) + y * np.sin(theta) + (detector - 1) / 2, np.arange(detector), row) / angles
        picture = np.maximum(picture + more, 0)
    return {"picture": picture, "left": np.array(left)}


def in_jax(jax, side, rounds):
    from jax.scipy.ndimage import map_coordinates

    jnp = jax.numpy

    def run(inputs):
        seen = inputs["seen"]
        angles, detector = seen.shape
        y, x = jnp.mgrid[:side, :side] - (side - 1) / 2
        s, r = jnp.mgrid[:detector, :detector] - (detector - 1) / 2
        turn = jnp.pi * (jnp.arange(angles) + 0.5) / angles

        def step(picture, _):
            def cast(theta):
                a = r * jnp.cos(theta) - s * jnp.sin(theta) + (side - 1) / 2
                b = r * jnp.sin(theta) + s * jnp.cos(theta) + (side - 1) / 2
                inside = (a >= 0) & (b >= 0) & (a < side - 1) & (b < side - 1)
                return jnp.where(inside, map_coordinates(picture, (b, a), order=1, mode="nearest"), 0).sum(0)

            def smear(row, theta):
                place = x * jnp.cos(theta) + y * jnp.sin(theta) + (detector - 1) / 2
                i = place.astype(int)
                return row[i] + (place - i) * (row[i + 1] - row[i])

            missing = (seen - jax.vmap(cast)(turn)) / side
            picture = jnp.maximum(picture + jax.vmap(smear)(missing, turn).sum(0) / angles, 0)
            return picture, jnp.sqrt((missing**2).sum())

        picture, left = jax.lax.scan(step, jnp.zeros((side, side)), length=rounds)
        return {"picture": picture, "left": left}

    return run
