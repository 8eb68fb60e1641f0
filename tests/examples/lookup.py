"""examples/lookup.kas: what temperatures mean by tables, as numpy.interp says it."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(9)
FIRST, STEP, ROWS = 20.0, 0.5, 90
temperature = uniform(random, (9, 10, 11), FIRST - 10, FIRST + STEP * ROWS + 10)  # some beyond the ends
temperature[0, 0, :5] = [FIRST, FIRST + STEP, FIRST + STEP * (ROWS - 1), FIRST - 1e6, FIRST + 1e6]
places = FIRST + STEP * np.arange(ROWS)
speeds, losses = uniform(random, ROWS, 1500, 1600), uniform(random, ROWS, 0.1, 9)

expected = {"speed": np.interp(temperature, places, speeds), "loss": np.interp(temperature, places, losses)}
inputs = {"T": temperature, "speeds": speeds, "losses": losses}
# A row is off by some roundings of its number, 90 * 6e-8; of the speeds only their differences are.
compare("lookup", inputs, {"first": FIRST, "step": STEP}, {"speed": (expected["speed"], 1e-6), "loss": (expected["loss"], 2e-5)})
