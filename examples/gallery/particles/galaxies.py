"""Two galaxies pass each other: every star attracts every other"""

import numpy as np
from gallery import single

SMALL = {"stars": 200, "steps": 20}
LARGE = {"stars": 16384, "steps": 10}
TIMED = {"stars": 2000, "steps": 5}
DRAWN = {"stars": 3000, "steps": 160}
PICTURE = "seen"
# Sums of 200 pulls in double, rounded to float32 once a step; nearness makes of a rounding some tens, in 20 steps.
BOUNDS = {"place": 1e-5, "speed": 1e-4, "energy": 1e-4}


def problem(random, stars, steps):
    angle, radius = random.uniform(0, 2 * np.pi, stars), 0.15 + 0.75 * np.sqrt(random.random(stars))
    radius[0] = radius[1] = 0
    mass = np.full(stars, 0.2 / stars)
    mass[:2] = 1
    side = np.where(np.arange(stars) % 2, -1.0, 1.0)
    turn = np.where(radius > 0, np.sqrt(1 / np.maximum(radius, 0.1)), 0)
    place = np.stack(
        [radius * np.cos(angle) + 1.2 * side, radius * np.sin(angle) + 0.5 * side, 0.02 * random.standard_normal(stars)], -1
    )
    speed = np.stack([-turn * np.sin(angle) - 0.4 * side, turn * np.cos(angle), np.zeros(stars)], -1)
    return {"place": single(place), "speed": single(speed), "mass": single(mass)}, {"steps": steps}


def reference(inputs, steps):
    place, speed, mass, dt, energy = inputs["place"], inputs["speed"], inputs["mass"], 0.01, []
    for _ in range(steps):
        place = place + dt / 2 * speed
        away = place[None] - place[:, None]
        apart = np.sqrt((away**2).sum(-1) + 0.05**2)
        pull = (mass[None, :, None] * away / apart[..., None] ** 3).sum(1)
        energy.append((mass * ((speed + dt / 2 * pull) ** 2).sum(-1)).sum() / 2 - (mass[:, None] * mass / apart).sum() / 2)
        speed = speed + dt * pull
        place = place + dt / 2 * speed
    return {"place": place, "speed": speed, "energy": np.array(energy)}


def in_jax(jax, steps):
    jnp, dt = jax.numpy, 0.01

    def run(inputs):
        mass = inputs["mass"]

        def step(state, _):
            place, speed = state
            place = place + dt / 2 * speed
            away = [a - a[:, None] for a in place.T]
            apart = jnp.sqrt(sum(a * a for a in away) + 0.05**2)
            pull = jnp.stack([(mass * a / apart**3).sum(1) for a in away], -1)
            energy = (mass * ((speed + dt / 2 * pull) ** 2).sum(-1)).sum() / 2 - (mass * (mass / apart).sum(1)).sum() / 2
            speed = speed + dt * pull
            return (place + dt / 2 * speed, speed), energy

        (place, speed), energy = jax.lax.scan(step, (inputs["place"], inputs["speed"]), length=steps)
        return {"place": place, "speed": speed, "energy": energy}

    return run
