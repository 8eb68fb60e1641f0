"""An option on the mean price of a year: ten thousand random years"""

import math

import numpy as np

SMALL = {"paths": 5000, "days": 32}
LARGE = {"paths": 1 << 22, "days": 64}
TIMED = {"paths": 500000, "days": 32}
DRAWN = {"paths": 200000, "days": 64}
PICTURE = "seen"
# exp of 32 shocks in turn, some roundings each; cos of float32 near its zero counts for little. 32 * 10 * 6e-8.
BOUNDS = {"value": 2e-5, "error": 2e-5, "share": 5e-5}


def problem(random, paths, days):
    return {}, {"paths": paths, "days": days}


def reference(inputs, paths, days):
    def mixed(s):
        s = (s ^ (s >> 16)) * np.int32(73244475)
        return s ^ (s >> 15)

    def chance(s):
        return ((s >> 8 & 8388607) + 0.5) / 8388608

    state, share, total = mixed(np.arange(1, paths + 1, dtype=np.int32)), 100.0, 0
    for _ in range(days):
        a, b = mixed(state), mixed(state + np.int32(362437))
        shock = np.sqrt(-2 * np.log(chance(a))) * np.cos(2 * np.pi * chance(b))
        state = mixed(state + np.int32(1640531527))
        share = share * np.exp((0.04 - 0.3**2 / 2) / days + 0.3 * np.sqrt(1 / days) * shock)
        total = total + share
    gain = np.exp(-0.04) * np.maximum(total / days - 100, 0)
    value = gain.mean()
    return {"value": np.array(value), "error": np.sqrt(((gain**2).mean() - value**2) / paths), "share": share}


def in_jax(jax, paths, days):
    jnp = jax.numpy

    def mixed(s):
        s = (s ^ (s >> 16)) * 73244475
        return s ^ (s >> 15)

    def chance(s):
        return ((s >> 8 & 8388607) + 0.5) / 8388608

    def step(_, carried):
        state, share, total = carried
        a, b = mixed(state), mixed(state + 362437)
        shock = jnp.sqrt(-2 * jnp.log(chance(a))) * jnp.cos(2 * jnp.pi * chance(b))
        share = share * jnp.exp((0.04 - 0.3**2 / 2) / days + 0.3 * math.sqrt(1 / days) * shock)
        return mixed(state + 1640531527), share, total + share

    def run(inputs):
        start = mixed(jnp.arange(1, paths + 1)), jnp.full(paths, 100.0), jnp.zeros(paths)
        _, share, total = jax.lax.fori_loop(0, days, step, start)
        gain = jnp.exp(-0.04) * jnp.maximum(total / days - 100, 0)
        value = gain.mean()
        return {"value": value, "error": jnp.sqrt(((gain**2).mean() - value**2) / paths), "share": share}

    return run
