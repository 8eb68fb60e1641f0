"""examples/elastic_waves.kas: Virieux's scheme on whole arrays, with rest around them."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(2)
N, STEPS, DT, H = 8, 25, 2.0**-10, 10.0
SOURCE, SEEN = (2, 4, 3), (6, 1, 5)  # z, y, x
v, s = uniform(random, (N, N, N, 3), -1, 1), uniform(random, (N, N, N, 6), -1e7, 1e7)
stiff, mu, density = (uniform(random, (N, N, N), *span) for span in ((1e10, 2e10), (1e10, 2e10), (2000, 3000)))
source = uniform(random, STEPS, 0, 1e10)
inputs = {"v": v, "s": s, "lambda": stiff, "mu": mu, "density": density, "source": source}
v, s = v.copy(), s.copy()


def along(a, axis, ahead):
    """The difference with the next cell along an axis, or with the one before: 0 is x, the last of an array's axes."""
    rest = np.zeros_like(np.take(a, [0], 2 - axis))
    return np.diff(a, axis=2 - axis, **({"append": rest} if ahead else {"prepend": rest})) / H


seen = []
XX, YY, ZZ, YZ, XZ, XY = range(6)
ROWS = ((XX, XY, XZ), (XY, YY, YZ), (XZ, YZ, ZZ))
for n in range(STEPS):
    # A velocity stands on a face along its own axis: normal stresses are ahead of it, shear stresses behind.
    force = [sum(along(s[..., ROWS[row][axis]], axis, axis == row) for axis in range(3)) for row in range(3)]
    v += DT / density[..., None] * np.stack(force, -1)
    gradient = [[along(v[..., row], axis, axis != row) for axis in range(3)] for row in range(3)]
    for row in range(3):
        for axis in range(row, 3):
            s[..., ROWS[row][axis]] += DT * mu * (gradient[row][axis] + gradient[axis][row])
    pressure = stiff * sum(gradient[row][row] for row in range(3))
    pressure[SOURCE] += source[n]
    s[..., :3] += DT * pressure[..., None]
    seen.append(v[SEEN][2])

# 25 steps of some twenty roundings each, 6e-8 at most; waves neither grow nor decay, and errors have both signs.
settings = {"dt": DT, "h": H, **dict(zip(("sz", "sy", "sx", "pz", "py", "px"), SOURCE + SEEN))}
compare("elastic_waves", inputs, settings, {"v": (v, 3e-6), "s": (s, 3e-6), "seen": (np.array(seen), 3e-6)})
