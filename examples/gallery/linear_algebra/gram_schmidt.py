"""Least squares by the Gram-Schmidt process"""

import numpy as np
from gallery import uniform

SMALL = {"rows": 60, "columns": 12}
LARGE = {"rows": 65536, "columns": 128}
TIMED = {"rows": 4096, "columns": 64}
DRAWN = {"rows": 60, "columns": 30}
PICTURE = "R"
# Roundings of 6e-8 times the condition of A, about 3, for twelve columns in turn.
BOUNDS = {"Q": 1e-5, "R": 1e-5, "x": 2e-5, "residual": 1e-5}


def problem(random, rows, columns):
    return {"A": uniform(random, (columns, rows), -1, 1), "b": uniform(random, rows, -1, 1)}, {}


def reference(inputs):
    A, b = inputs["A"].T, inputs["b"]
    Q, R = np.linalg.qr(A)
    sign = np.sign(np.diag(R))
    x = np.linalg.lstsq(A, b, rcond=None)[0]
    return {"Q": (Q * sign).T, "R": (R.T * sign).T, "x": x, "residual": np.array(np.linalg.norm(b - A @ x))}


def in_jax(jax):
    from jax.scipy.linalg import solve_triangular

    jnp = jax.numpy

    def run(inputs):
        A, b = inputs["A"].T, inputs["b"]
        with jax.default_matmul_precision("highest"):
            Q, R = jnp.linalg.qr(A)
            sign = jnp.sign(jnp.diag(R))
            x = solve_triangular(R, Q.T @ b)
            return {"Q": (Q * sign).T, "R": (R.T * sign).T, "x": x, "residual": jnp.linalg.norm(b - A @ x)}

    return run
