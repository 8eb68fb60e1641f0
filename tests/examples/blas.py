"""examples/blas: sequences of products and sums of vectors and matrices, and what rows of matrices are scaled by."""

import sys

import numpy as np

from example import distances, uniform

random = np.random.default_rng(5)
ROWS, COLUMNS, CELLS = 61, 150, 100_003
A, B = (uniform(random, (ROWS, COLUMNS), -1, 1) for _ in range(2))
rows = [uniform(random, ROWS, -1, 1) for _ in range(3)]
columns = [uniform(random, COLUMNS, -1, 1) for _ in range(3)]
w, v, u = (uniform(random, CELLS, -1, 1) for _ in range(3))
alpha, beta = float(np.float32(1.5)), float(np.float32(1.2))

changed = A + np.outer(rows[0], columns[0]) + np.outer(rows[1], columns[1])
x = beta * changed.T @ rows[2] + columns[2]
shares = np.exp(A - A.max(axis=1, keepdims=True))
middle, variance = A.mean(axis=1, keepdims=True), A.var(axis=1, keepdims=True)


def laplace(p):
    around = np.pad(p, 1)
    sides = sum(np.roll(around, s, a)[1:-1, 1:-1, 1:-1] for a in range(3) for s in (-1, 1))
    return 6 * p - sides


def conjugate_gradients(b, steps):
    x, r, p, residual = np.zeros_like(b), b.copy(), b.copy(), np.zeros(steps)
    for n in range(steps):
        q, rr = laplace(p), np.vdot(r, r)
        step = rr / np.vdot(p, q)
        x, r = x + step * p, r - step * q
        p = r + np.vdot(r, r) / rr * p
        residual[n] = np.linalg.norm(r)
    return x, residual


b = uniform(random, (9, 11, 13), -1, 1)
solution, residual = conjugate_gradients(b, 12)
assert residual[-1] < residual[0] / 20, "the method finds its solution"

# Sums are of doubles; what is left are some roundings of float32, 6e-8 each, and of gradients those of twelve steps.
programs = {
    "bicgk": ({"A": A, "p": columns[0], "r": rows[0]}, {"q": A @ columns[0], "s": A.T @ rows[0]}),
    "atax": ({"A": A, "x": columns[0]}, {"y": A.T @ (A @ columns[0])}),
    "gemver": (
        {"A": A, "u1": rows[0], "v1": columns[0], "u2": rows[1], "v2": columns[1], "y": rows[2], "z": columns[2]},
        {"B": changed, "x": x, "w": alpha * changed @ x},
    ),
    "gesummv": ({"A": A, "B": B, "x": columns[0]}, {"y": alpha * A @ columns[0] + beta * B @ columns[0]}),
    "axpydot": ({"w": w, "v": v, "u": u}, {"z": w - 0.5 * v, "r": np.array((w - 0.5 * v) @ u)}),
    "vectors": (
        {"x": w, "y": v},
        {
            "w": alpha * w + beta * v,
            "total": np.array(w.sum()),
            "largest": np.array(np.abs(w).max()),
            "norm": np.array(np.linalg.norm(w)),
        },
    ),
    "matrices": ({"A": A, "B": B}, {"C": A + B, "rows": (A + B).sum(axis=1), "columns": (A + B).sum(axis=0)}),
    "softmax": ({"a": A}, {"b": shares / shares.sum(axis=1, keepdims=True)}),
    "layer_norm": (
        {"a": A, "scale": columns[0], "shift": columns[1]},
        {"b": (A - middle) / np.sqrt(variance + 1e-5) * columns[0] + columns[1]},
    ),
    "conjugate_gradients": ({"b": b}, {"x": solution, "residual": residual}),
}
settings = {"conjugate_gradients": {"steps": 12}}
bounds = {"conjugate_gradients": 2e-6, "axpydot": 2e-6}
faults = []
for program, (inputs, expected) in programs.items():
    found = distances(f"blas/{program}", inputs, settings.get(program, {}), expected)
    print(program, "differs by", ", ".join(f"{name} {distance:.2g}" for name, distance in found.items()))
    if not all(distance <= bounds.get(program, 5e-7) for distance in found.values()):  # NaN is none
        faults.append(program)
sys.exit(f"too far from NumPy: {', '.join(faults)}" if faults else 0)
