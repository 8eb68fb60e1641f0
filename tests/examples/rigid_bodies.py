"""examples/rigid_bodies.kas: chain by chain and joint by joint, with matrices for rotations."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(8)
CHAINS, BODIES, STEPS, DT, GRAVITY, NEWTON, SWEEPS = 3, 5, 12, 2.0**-7, 9.8125, 2, 20


def product(p, q):
    """Of quaternions, the real part first."""
    return np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))


def matrix(q):
    """The rotation by a unit quaternion (Rodrigues)."""
    a, u = q[0], q[1:]
    return (2 * a * a - 1) * np.eye(3) + 2 * np.outer(u, u) + 2 * a * across(u)


def across(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turned(q, by):
    q = q + product(np.append(0, by), q) / 2
    return q / np.linalg.norm(q)


def rounded(value):
    return np.asarray(value).astype(np.float32).astype(np.float64)


shape = (BODIES, CHAINS)
inertia, lightness = uniform(random, shape + (3,), 0.5, 2), uniform(random, shape, 0.5, 2)
upper = rounded(uniform(random, shape + (3,), -0.125, 0.125) + [0, 0, 0.5])
lower = rounded(uniform(random, shape + (3,), -0.125, 0.125) - [0, 0, 0.5])
q = uniform(random, shape + (4,), -1, 1)
q = rounded(q / np.linalg.norm(q, axis=-1, keepdims=True))
v, w = uniform(random, shape + (3,), -1, 1), uniform(random, shape + (3,), -5, 5)
place = np.zeros(shape + (3,))
for i, chain in np.ndindex(shape):
    R = matrix(q[i, chain])
    hung = place[i - 1, chain] + matrix(q[i - 1, chain]) @ lower[i - 1, chain] if i else np.zeros(3)
    place[i, chain] = hung - R @ upper[i, chain]
place = rounded(place)
inputs = {"place": place, "v": v, "q": q, "w": w}
inputs |= {"lightness": lightness, "inertia": inertia, "upper": upper, "lower": lower}
place, v, q, w = (a.copy() for a in (place, v, q, w))


def spun(w, I):
    """The angular velocity after a step, along the body's axes: its midpoint rule has no residual."""
    spin = w
    for _ in range(NEWTON):
        middle = (w + spin) / 2
        residual = I * (spin - w) + DT * np.cross(middle, I * middle)
        slope = np.diag(I) + DT / 2 * (across(middle) @ np.diag(I) - across(I * middle))
        spin = spin - np.linalg.solve(slope, residual)
    assert abs(I @ spin**2 - I @ w**2) < 1e-6 * (I @ w**2), "a body that turns by itself keeps its energy"
    return spin


def close(joint, chain):
    """Moves and turns the two bodies at a joint until, to first order, its two points meet; returns how wide it was."""
    at = [(joint, chain, upper, 1)] + ([(joint - 1, chain, lower, -1)] if joint else [])
    arms = [matrix(q[i, c]) @ end[i, c] for i, c, end, _ in at]
    gap = sum(sign * (place[i, c] + arm) for (i, c, _, sign), arm in zip(at, arms))
    wide = np.linalg.norm(gap)
    if wide == 0:
        return 0
    gap /= wide
    ease = [matrix(q[i, c]) @ np.diag(1 / inertia[i, c]) @ matrix(q[i, c]).T for i, c, _, _ in at]
    gives = sum(lightness[i, c] for i, c, _, _ in at)
    gives += sum(np.cross(arm, gap) @ E @ np.cross(arm, gap) for arm, E in zip(arms, ease))
    for (i, c, _, sign), arm, E in zip(at, arms, ease):
        push = -sign * wide / gives * gap
        place[i, c] += lightness[i, c] * push
        q[i, c] = turned(q[i, c], E @ np.cross(arm, push))
    return wide


def step(chain):
    before = place[:, chain].copy(), q[:, chain].copy()
    for i in range(BODIES):
        R = matrix(q[i, chain])
        place[i, chain] += DT * (v[i, chain] - DT * GRAVITY * np.array([0, 0, 1]))
        q[i, chain] = turned(q[i, chain], DT * R @ spun(R.T @ w[i, chain], inertia[i, chain]))
    wide = [max(close(joint, chain) for joint in range(k % 2, BODIES, 2)) for k in range(SWEEPS)]
    for i in range(BODIES):
        v[i, chain] = (place[i, chain] - before[0][i]) / DT
        w[i, chain] = 2 / DT * product(q[i, chain], before[1][i] * [1, -1, -1, -1])[1:]
    return wide


for _ in range(STEPS):
    for chain in range(CHAINS):
        wide = step(chain)
        assert wide[-1] < wide[0] / 4, "sweeps close the joints"

settings = {"dt": DT, "gravity_z": -GRAVITY, "steps": STEPS, "newton": NEWTON, "sweeps": SWEEPS}
# Places and turns are rounded twenty times a step; velocities are their differences by dt, errors and all.
compare("rigid_bodies", inputs, settings, {"place": (place, 2e-5), "q": (q, 2e-5), "v": (v, 1e-4), "w": (w, 1e-4)})
