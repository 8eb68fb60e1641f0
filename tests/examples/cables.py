"""examples/cables.kas: nodes with springs between them, node by node."""

import numpy as np

from example import compare, uniform

random = np.random.default_rng(11)
CABLES, NODES, STEPS, DT, STIFFNESS, REST, DRAG = 5, 12, 40, 0.01, 200.0, 1.0, 0.02
gravity, wind = np.array([0, 0, -1.5]), np.array([0.5, 8, 0])
mass = uniform(random, (CABLES,), 0.1, 0.4)
place = np.zeros((NODES, CABLES, 3))
place[..., 0] = 1.05 * np.arange(NODES)[:, None]
place += uniform(random, place.shape, -0.2, 0.2)
place = place.astype(np.float32).astype(np.float64)
v = uniform(random, place.shape, -1, 1)
inputs = {"place": place.copy(), "v": v.copy(), "mass": mass}

slack = 0
for step in range(STEPS):
    along = place[1:] - place[:-1]
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    slack += (length < REST).sum()
    pull = STIFFNESS * np.maximum(length - REST, 0) / length * along
    passing = wind - v[1:-1]
    air = DRAG * np.linalg.norm(passing, axis=-1, keepdims=True) * passing
    v[1:-1] += DT * (gravity + (pull[1:] - pull[:-1] + air) / mass[:, None])
    place[1:-1] += DT * v[1:-1]
assert 0 < slack < STEPS * CABLES * (NODES - 1), "the case has springs that pull and such that do not"
tightest = STIFFNESS * (np.linalg.norm(place[1:] - place[:-1], axis=-1) - REST).max(axis=0)

settings = {"dt": DT, "stiffness": STIFFNESS, "rest": REST, "drag": DRAG, "steps": STEPS}
settings |= {"gravity_z": gravity[2], "wind_x": wind[0]}
# Places are rounded at some 5e-7 of 12 m: a spring pulls 1e-4 N amiss then, and a node of 0.1 kg gains 1e-5 m/s a step.
compare("cables", inputs, settings, {"place": (place, 2e-6), "v": (v, 1e-4), "tightest": (tightest, 1e-4)})
