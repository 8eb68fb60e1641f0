"""examples/kalman.kas: a Kalman filter by its equations in matrices, and whether it finds its targets."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(6)
TARGETS, STEPS, DT, JITTER, NOISE = 50, 40, 0.125, 0.03125, 0.25
speed, push = uniform(random, TARGETS, -2, 2), uniform(random, TARGETS, -0.5, 0.5)
times = DT * (1 + np.arange(STEPS))[:, None]
truth = speed * times + push * times**2 / 2
measured = (truth + random.uniform(-0.5, 0.5, truth.shape)).astype(np.float32).astype(np.float64)
start, first = np.zeros((TARGETS, 3)), np.tile(10 * np.eye(3), (TARGETS, 1, 1))

motion = np.array([[1, DT, DT**2 / 2], [0, 1, DT], [0, 0, 1]])
kick, seen = np.array([[DT**2 / 2], [DT], [1]]), np.array([[1.0, 0, 0]])
track, last = np.zeros((STEPS, TARGETS, 3)), np.zeros((TARGETS, 3, 3))
for target in range(TARGETS):
    state, covariance = start[target][:, None], first[target]
    for n in range(STEPS):
        state, covariance = motion @ state, motion @ covariance @ motion.T + JITTER * kick @ kick.T
        gain = covariance @ seen.T @ np.linalg.inv(seen @ covariance @ seen.T + NOISE)
        state = state + gain @ (measured[n, target] - seen @ state)
        covariance = (np.eye(3) - gain @ seen) @ covariance
        track[n, target] = state[:, 0]
    last[target] = covariance
assert np.abs(track[-1, :, 0] - truth[-1]).max() < 1, "the filter follows its targets"

inputs = {"state": start, "covariance": first, "measured": measured}
# A filter forgets: of the errors of a step, a few roundings of 6e-8, those of the last few are left.
settings = {"dt": DT, "jitter": JITTER, "noise": NOISE}
compare("kalman", inputs, settings, {"track": (track, 2e-6), "covariance": (last, 2e-6)})
