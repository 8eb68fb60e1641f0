"""Neurons that fire when enough reaches them, joined by a list of synapses"""

import numpy as np
from gallery import uniform

SMALL = {"neurons": 200, "synapses": 4000, "steps": 120}
LARGE = {"neurons": 1 << 18, "synapses": 1 << 24, "steps": 50}
TIMED = {"neurons": 20000, "synapses": 1000000, "steps": 50}
DRAWN = {"neurons": 160, "synapses": 3200, "steps": 160}
PICTURE = "raster"
# A potential within a rounding of its threshold fires a step earlier or later; here none does. V: 120 roundings near 20.
BOUNDS = {"V": 1e-4, "raster": 0, "rate": 1e-6}


def problem(random, neurons, synapses, steps):
    source = random.integers(0, neurons, synapses).astype(np.int32)
    weight = np.where(source < 0.8 * neurons, 1.0, -5.0) * uniform(random, synapses, 2, 6) * (20 * neurons / synapses)
    return {
        "from": source,
        "to": random.integers(0, neurons, synapses).astype(np.int32),
        "weight": weight.astype(np.float32).astype(float),
        "drive": uniform(random, neurons, 18, 26),
    }, {"steps": steps}


def reference(inputs, steps):
    drive, weight, source, to = (inputs[name] for name in ("drive", "weight", "from", "to"))
    size = len(drive)
    V, current, fired, rest = np.arange(size) % 17 - 8.0, np.zeros(size), np.zeros(size), np.zeros(size, int)
    raster = []
    for _ in range(steps):
        current = current - 0.5 / 5 * current
        current = current + np.bincount(to, weight * fired[source], size)
        V = np.where(rest > 0, 0, V + 0.5 * (drive + current - V) / 20)
        fired = (V > 20).astype(float)
        rest = np.where(V > 20, 8, np.maximum(rest - 1, 0))
        V = np.where(V > 20, 0, V)
        raster.append(fired)
    return {"V": V, "raster": np.array(raster), "rate": np.mean(raster, 1)}


def in_jax(jax, steps):
    jnp = jax.numpy

    def run(inputs):
        drive, weight, source, to = (inputs[name] for name in ("drive", "weight", "from", "to"))
        size = len(drive)

        def step(state, _):
            V, current, fired, rest = state
            current = (current - 0.5 / 5 * current).at[to].add(weight * fired[source])
            V = jnp.where(rest > 0, 0, V + 0.5 * (drive + current - V) / 20)
            fired = (V > 20).astype(jnp.float32)
            rest = jnp.where(V > 20, 8, jnp.maximum(rest - 1, 0))
            return (jnp.where(V > 20, 0, V), current, fired, rest), fired

        start = jnp.arange(size) % 17 - 8.0, jnp.zeros(size), jnp.zeros(size), jnp.zeros(size, int)
        (V, *_), raster = jax.lax.scan(step, start, length=steps)
        return {"V": V, "raster": raster, "rate": raster.mean(1)}

    return run
