"""The right to sell a share at any time: binomial trees, beside the formula of Black and Scholes"""

import math

import numpy as np

SMALL = {"strikes": 40, "days": 120}
LARGE = {"strikes": 4096, "days": 1000}
TIMED = {"strikes": 500, "days": 500}
DRAWN = {"strikes": 80, "days": 250}
PICTURE = "tree"
# pow(up, 120) is off by 120 * 6e-8 where up is rounded to float32; p is a difference of numbers near 1, of 0.03.
BOUNDS = {"american": 5e-4, "tree": 5e-4, "european": 1e-5}


def problem(random, strikes, days):
    return {"strike": np.linspace(60, 140, strikes).astype(np.float32).astype(float)}, {"days": days}


def reference(inputs, days):
    strike, price, rate, volatility = inputs["strike"], 100, 0.04, 0.3
    up = math.exp(volatility * math.sqrt(1 / days))
    p, discount = (math.exp(rate / days) - 1 / up) / (up - 1 / up), math.exp(-rate / days)
    node = np.arange(days + 1)
    value = np.maximum(strike[:, None] - price * up ** (2.0 * node - days), 0)
    tree = np.zeros((days, days + 1))
    for day in range(days - 1, -1, -1):
        held = discount * (p * value[:, 1:] + (1 - p) * value[:, :-1])
        value = np.maximum(strike[:, None] - price * up ** (2.0 * node[: day + 1] - day), held)
        tree[day, : day + 1] = value[len(strike) // 2]

    def normal(z):
        return np.array([math.erfc(-a / math.sqrt(2)) / 2 for a in z])

    distance = np.log(strike / price)
    european = strike * math.exp(-rate) * normal((distance - rate + volatility**2 / 2) / volatility) - price * normal(
        (distance - rate - volatility**2 / 2) / volatility
    )
    return {"american": value[:, 0], "european": european, "tree": tree}


def in_jax(jax, days):
    jnp, price, rate, volatility = jax.numpy, 100, 0.04, 0.3
    up = math.exp(volatility * math.sqrt(1 / days))
    p, discount = (math.exp(rate / days) - 1 / up) / (up - 1 / up), math.exp(-rate / days)

    def normal(z):
        return jax.lax.erfc(-z / math.sqrt(2)) / 2

    def run(inputs):
        strike, node = inputs["strike"], jnp.arange(days + 1)

        def used(day):
            return strike[:, None] - price * up ** (2.0 * node - day)

        def step(value, day):
            value = jnp.maximum(used(day), discount * (p * jnp.roll(value, -1, 1) + (1 - p) * value))
            return value, jnp.where(node <= day, value[len(strike) // 2], 0)

        value, tree = jax.lax.scan(step, jnp.maximum(used(days), 0), jnp.arange(days), reverse=True)
        distance = jnp.log(strike / price)
        european = strike * math.exp(-rate) * normal((distance - rate + volatility**2 / 2) / volatility) - price * normal(
            (distance - rate - volatility**2 / 2) / volatility
        )
        return {"american": value[:, 0], "european": european, "tree": tree}

    return run
