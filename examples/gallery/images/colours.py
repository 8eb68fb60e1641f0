"""A picture in six colours: k-means"""

import numpy as np
from gallery import uniform

SMALL = {"side": 40}
LARGE = {"side": 2048}
TIMED = {"side": 512}
DRAWN = {"side": 160}
PICTURE = "painted_x"
# Sums of hundreds of cells near 1 in float32, in chunks; no cell lies so near the middle between two colours.
BOUNDS = {"painted": 1e-5, "colour": 1e-5, "cells": 0}


def problem(random, side):
    y, x = np.mgrid[:side, :side] / side
    picture = np.stack([0.5 + 0.4 * np.sin(5 * x + 3 * y), 0.5 + 0.4 * np.cos(7 * y - 2 * x), x * y], -1)
    picture += uniform(random, picture.shape, -0.05, 0.05)
    return {"picture": picture, "colour": uniform(random, (6, 3), 0, 1)}, {}


def reference(inputs):
    picture, colour = inputs["picture"], inputs["colour"]
    for _ in range(10):
        label = ((picture[:, :, None] - colour) ** 2).sum(-1).argmin(-1)
        cells = np.bincount(label.ravel(), minlength=len(colour))
        total = np.stack([np.bincount(label.ravel(), picture[..., i].ravel(), len(colour)) for i in range(3)], -1)
        colour = np.where(cells[:, None] > 0, total / np.maximum(cells, 1)[:, None], colour)
    return {"painted": colour[label], "colour": colour, "cells": cells.astype(float)}


def in_jax(jax):
    jnp = jax.numpy

    def run(inputs):
        picture = inputs["picture"]

        def step(_, state):
            colour, _, _ = state
            label = ((picture[:, :, None] - colour) ** 2).sum(-1).argmin(-1)
            mine = label[:, :, None] == jnp.arange(len(colour))
            cells, total = mine.sum((0, 1)), jnp.where(mine[..., None], picture[:, :, None], 0).sum((0, 1))
            return jnp.where(cells[:, None] > 0, total / jnp.maximum(cells, 1)[:, None], colour), label, cells

        start = inputs["colour"], jnp.zeros(picture.shape[:2], int), jnp.zeros(len(inputs["colour"]), int)
        colour, label, cells = jax.lax.fori_loop(0, 10, step, start)
        return {"painted": colour[label], "colour": colour, "cells": cells}

    return run
