"""examples/anisotropy.kas: eigenvalues by LAPACK, of tensors that are padded and smoothed as arrays."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(1)
WIDTH = 0.125
D = uniform(random, (5, 6, 7, 6), -1, 1)  # z, y, x; xx, xy, xz, yy, yz, zz

padded = np.pad(D, [(1, 1)] * 3 + [(0, 0)], "symmetric")
inside = slice(1, -1)
smooth = D * (1 - 6 * WIDTH)
for axis in range(3):
    for side in (slice(0, -2), slice(2, None)):
        smooth += WIDTH * padded[tuple(side if a == axis else inside for a in range(3))]
eigenvalues = np.linalg.eigvalsh(smooth[..., [[0, 1, 2], [1, 3, 4], [2, 4, 5]]])[..., ::-1]
spread = sum((eigenvalues[..., i] - eigenvalues[..., j]) ** 2 for i, j in ((0, 1), (1, 2), (2, 0)))
anisotropy = np.sqrt(spread / (2 * (eigenvalues**2).sum(-1)))

# Float32 and some thirty roundings of numbers of the tensor's size: 30 * 6e-8. The anisotropy is a quotient of such.
expected = {"eigenvalues": (eigenvalues, 2e-6), "anisotropy": (anisotropy, 4e-6)}
compare("anisotropy", {"D": D}, {"width": WIDTH}, expected)
