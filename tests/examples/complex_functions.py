"""tests/run/programs/complex_functions.kas: functions of complex numbers, at both sides of the root's cut and on it."""

import numpy as np

from example import compare

random = np.random.default_rng(6)
z = (random.standard_normal(1000) + 1j * random.standard_normal(1000)).astype(np.complex64)
z[:8] = [0, 1, -1, 1j, -1j, -4, 4, 1e-20]
z = z.astype(np.complex128)
size = np.abs(z)
expected = {
    "size": size,
    "angle": np.angle(z),
    "grown": np.exp(0.5 * z),
    "root": np.sqrt(z * z + 1),
    "twofold": np.sqrt(2 * z),
    "spectrum": np.abs(np.fft.fft(z)) + np.abs(size - 3),
    "plain": np.sqrt(np.exp(size)) + np.angle(-size),
}
# Some roundings of float32, 6e-8 each; a transform of 1000 numbers has ten times as many.
bounds = {name: (value, 2e-6 if name == "spectrum" else 5e-7) for name, value in expected.items()}
compare("../tests/run/programs/complex_functions", {"z": z}, {}, bounds)
