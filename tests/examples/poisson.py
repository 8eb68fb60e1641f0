"""examples/poisson.kas: conjugate gradients end where the residual is small, and u solves what a dense matrix says."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(11)
NX, NY, NZ, H, TOLERANCE = 9, 8, 7, 0.5, 1e-5
b = uniform(random, (NZ, NY, NX), -1, 1)


def second_difference(n):
    return (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)) / H**2


def along(a, before, behind):
    return np.kron(np.kron(np.eye(before), a), np.eye(behind))


matrix = along(second_difference(NZ), 1, NY * NX) + along(second_difference(NY), NZ, NX) + along(second_difference(NX), NZ * NY, 1)
assert np.allclose(matrix, matrix.T)
solution = np.linalg.solve(matrix, b.astype(float).ravel()).reshape(b.shape)

# The same iterations in double: how many there are may differ where the residual meets its bound, by one or two.
u, r = np.zeros(b.size), b.astype(float).ravel()
p, rr, iterations, history = r, r @ r, 0, []
enough = TOLERANCE**2 * rr
while rr > enough:
    if iterations % 10 == 0:
        history.append(np.sqrt(rr))
    q = matrix @ p
    alpha = rr / (p @ q)
    u, r = u + alpha * p, r - alpha * q
    rr, former = r @ r, rr
    p = r + rr / former * p
    iterations += 1

# An error of the residual by 1e-5 is one of u by at most that times the matrix' condition, 56. What float rounds is far below.
assert np.linalg.cond(matrix) < 56
compare(
    "poisson",
    {"b": b},
    {"h": H, "tolerance": TOLERANCE, "most": 200},
    {
        "u": (solution, 56 * TOLERANCE),
        "iterations": (np.array(iterations), 2 / iterations),
        "history": (np.array(history + [0] * (21 - len(history))), 1e-4),
    },
)
