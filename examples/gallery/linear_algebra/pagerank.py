"""Which page of the web counts most: power iteration on a list of links"""

import numpy as np

SMALL = {"pages": 300, "links": 3000}
LARGE = {"pages": 1 << 20, "links": 1 << 24}
TIMED = {"pages": 100000, "links": 2000000}
DRAWN = {"pages": 40, "links": 200, "most": 20}
PICTURE = "course"
# Both end when ranks change by less than 1e-6 of all of them together: of the largest, a hundredth of all, 1e-4 at most.
BOUNDS = {"rank": 1e-4}


def problem(random, pages, links, most=60):
    to = (pages * random.random(links) ** 3).astype(np.int32)  # some are known to many
    return {"from": random.integers(0, pages, links).astype(np.int32), "to": to}, {"pages": pages, "most": most}


def reference(inputs, pages, most):
    count = np.bincount(inputs["from"], minlength=pages)
    rank, change = np.full(pages, 1 / pages), 1
    while change > 1e-6:
        shared = np.where(count > 0, rank / np.maximum(count, 1), 0)
        former, rank = rank, (0.15 + 0.85 * rank[count == 0].sum()) / pages + 0.85 * np.bincount(
            inputs["to"], shared[inputs["from"]], pages
        )
        change = abs(rank - former).sum()
    return {"rank": rank}


def in_jax(jax, pages, most):
    jnp = jax.numpy

    def run(inputs):
        count = jnp.zeros(pages, int).at[inputs["from"]].add(1)

        def step(state):
            rank, _, n = state
            shared = jnp.where(count > 0, rank / jnp.maximum(count, 1), 0)
            led = jnp.zeros(pages).at[inputs["to"]].add(shared[inputs["from"]])
            after = (0.15 + 0.85 * jnp.where(count > 0, 0, rank).sum()) / pages + 0.85 * led
            return after, abs(after - rank).sum(), n + 1

        start = jnp.full(pages, 1 / pages), jnp.float32(1), 0
        return {"rank": jax.lax.while_loop(lambda state: (state[1] > 1e-6) & (state[2] < most), step, start)[0]}

    return run
