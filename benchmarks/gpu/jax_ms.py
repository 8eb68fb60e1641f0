"""JAX beside kasc: a jitted function of arrays by name, timed with the host's clock around launches in a row."""
import time

from emitted import median_and_spread


def jax_ms(function, state):
    """Milliseconds: median and spread. `function` of JAX, `state`: torch's arrays by name, copied."""
    import jax
    import jax.numpy as jnp

    arrays = {k: jnp.asarray(a.cpu().numpy()) for k, a in state.items()}
    compiled = jax.jit(function)
    taken = []
    for _ in range(18):
        begin = time.perf_counter()
        for _ in range(3):
            result = compiled(arrays)
        jax.block_until_ready(result)
        taken.append((time.perf_counter() - begin) / 3 * 1e3)
    return median_and_spread(taken[3:])
