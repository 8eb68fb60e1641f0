"""A spike runs along a nerve fibre: Hodgkin and Huxley"""

import numpy as np

SMALL = {"length": 40, "steps": 300}
LARGE = {"length": 1 << 22, "steps": 100}
TIMED = {"length": 100000, "steps": 100}
DRAWN = {"length": 240, "steps": 2400}
PICTURE = "spike"
# A spike rises by e in 0.1 ms, so that a rounding of V grows with it; 300 steps.
BOUNDS = {"V": 1e-4, "spike": 1e-4}


def problem(random, length, steps):
    return {}, {"length": length, "steps": steps}


def reference(inputs, length, steps):
    V, m, h, n = (np.full(length, value) for value in (-65.0, 0.0529, 0.5961, 0.3177))
    dt, spike, x = 0.01, [], np.arange(length)

    def rate(a, b):
        return np.where(abs(a) < 1e-4, b, a / (1 - np.exp(-np.where(abs(a) < 1e-4, 1, a) / b)))

    def gate(g, opening, closing):
        return opening / (opening + closing) + (g - opening / (opening + closing)) * np.exp(-dt * (opening + closing))

    for k in range(steps):
        m = gate(m, 0.1 * rate(V + 40, 10), 4 * np.exp(-(V + 65) / 18))
        h = gate(h, 0.07 * np.exp(-(V + 65) / 20), 1 / (1 + np.exp(-(V + 35) / 10)))
        n = gate(n, 0.01 * rate(V + 55, 10), 0.125 * np.exp(-(V + 65) / 80))
        p = np.pad(V, 1, "edge")
        V = V + dt * (
            2 * (p[:-2] - 2 * V + p[2:])
            - 120 * m**3 * h * (V - 50)
            - 36 * n**4 * (V + 77)
            - 0.3 * (V + 54.4)
            + np.where((x < 5) & (k < 100), 60, 0)
        )
        if k % 10 == 9:
            spike.append(V)
    return {"V": V, "spike": np.array(spike)}


def in_jax(jax, length, steps):
    jnp, dt = jax.numpy, 0.01

    def rate(a, b):
        return jnp.where(abs(a) < 1e-4, b, a / (1 - jnp.exp(-jnp.where(abs(a) < 1e-4, 1, a) / b)))

    def gate(g, opening, closing):
        return opening / (opening + closing) + (g - opening / (opening + closing)) * jnp.exp(-dt * (opening + closing))

    def step(state, k):
        V, m, h, n = state
        m = gate(m, 0.1 * rate(V + 40, 10), 4 * jnp.exp(-(V + 65) / 18))
        h = gate(h, 0.07 * jnp.exp(-(V + 65) / 20), 1 / (1 + jnp.exp(-(V + 35) / 10)))
        n = gate(n, 0.01 * rate(V + 55, 10), 0.125 * jnp.exp(-(V + 65) / 80))
        p = jnp.pad(V, 1, "edge")
        V = V + dt * (
            2 * (p[:-2] - 2 * V + p[2:])
            - 120 * m**3 * h * (V - 50)
            - 36 * n**4 * (V + 77)
            - 0.3 * (V + 54.4)
            + jnp.where((jnp.arange(length) < 5) & (k < 100), 60, 0)
        )
        return (V, m, h, n), None

    def ten(state, ks):
        state, _ = jax.lax.scan(step, state, ks)
        return state, state[0]

    def run(inputs):
        start = tuple(jnp.full(length, value) for value in (-65.0, 0.0529, 0.5961, 0.3177))
        (V, *_), spike = jax.lax.scan(ten, start, jnp.arange(steps).reshape(-1, 10))
        return {"V": V, "spike": spike}

    return run
