"""Programs of statistics and finance, as learning.py has them."""

import math

import torch

from .case import Case, both, integers, uniform, whole


def mixture_step(xp, x, weight, mu, var):
    r = weight * xp.exp(-0.5 * (x[:, None] - mu) ** 2 / var) / xp.sqrt(2 * math.pi * var)
    total = r.sum(1)
    r = r / total[:, None]
    nk = r.sum(0)
    mu = (r * x[:, None]).sum(0) / nk
    var = (r * (x[:, None] - mu) ** 2).sum(0) / nk + 1e-6
    return nk / len(x), mu, var, xp.log(total).mean()


def mixture_em(compiled):
    step = compiled(lambda *of: mixture_step(torch, *of))

    def run(s):
        state, ll = (s["weight"], s["mu"], s["var"]), []
        for _ in range(10):
            *state, likelihood = step(s["x"], *state)
            ll.append(likelihood)
        return {"weight_out": state[0], "mu_out": state[1], "var_out": state[2], "ll": torch.stack(ll)}

    return run


def mixture_em_jax(s):
    import jax
    import jax.numpy as jnp

    def step(state, _):
        *state, likelihood = mixture_step(jnp, s["x"], *state)
        return tuple(state), likelihood

    state, ll = jax.lax.scan(step, (s["weight"], s["mu"], s["var"]), length=10)
    return {"weight_out": state[0], "mu_out": state[1], "var_out": state[2], "ll": ll}


def kmeans_step(s):
    p, centre = s["p"], s["centre"]
    label = torch.cdist(p, centre).argmin(1)
    moved = torch.zeros_like(centre).index_add_(0, label, p)
    members = torch.zeros_like(centre[:, 0]).index_add_(0, label, torch.ones_like(p[:, 0]))[:, None]
    return {"moved": torch.where(members > 0, moved / members, centre)}


def kmeans_step_jax(s):
    import jax
    import jax.numpy as jnp

    p, centre = s["p"], s["centre"]
    label = ((p[:, None, :] - centre) ** 2).sum(-1).argmin(1)
    moved = jax.ops.segment_sum(p, label, 32)
    members = jax.ops.segment_sum(jnp.ones_like(p[:, 0]), label, 32)[:, None]
    return {"moved": jnp.where(members > 0, moved / members, centre)}


def black_scholes(xp, s):
    if xp is torch:
        erfc = torch.erfc
    else:
        from jax.scipy.special import erfc
    cdf = lambda a: 0.5 * erfc(-a * 0.70710678)
    price, k, t, sigma, r = s["s"], s["k"], s["t"], s["sigma"], 0.02
    root = sigma * xp.sqrt(t)
    d1 = (xp.log(price / k) + (r + 0.5 * sigma * sigma) * t) / root
    d2 = d1 - root
    density, bond = 0.39894228 * xp.exp(-0.5 * d1 * d1), k * xp.exp(-r * t)
    return {
        "call": price * cdf(d1) - bond * cdf(d2),
        "put": bond * cdf(-d2) - price * cdf(-d1),
        "delta": cdf(d1),
        "gamma": density / (price * root),
        "vega": price * density * xp.sqrt(t),
    }


def asian_option(xp, s):
    r, sigma, dt = 0.02, 0.2, 1 / 64
    path = 100 * xp.exp(xp.cumsum((r - 0.5 * sigma * sigma) * dt + sigma * math.sqrt(dt) * s["z"], 0))
    gain = path.mean(0) - 100
    payoff = math.exp(-r) * gain * (gain > 0)
    price = payoff.mean()
    return {"path": path, "price": price, "error": xp.sqrt(((payoff * payoff).mean() - price * price) / len(payoff))}


def covariance(xp, s):
    return {"mu": s["x"].mean(0), "c": xp.cov(s["x"].T)}


def logistic_gradient(xp, s):
    x, y, w = s["x"], s["y"], s["w"]
    z = x @ w
    p = 1 / (1 + xp.exp(-z))
    loss = (xp.log1p(xp.exp(-abs(z))) + z * (z > 0) - y * z).mean() + 0.0005 * (w * w).sum()
    return {"loss": loss, "gradient": x.T @ (p - y) / len(y) + 0.001 * w}


def equalize(s):
    u = s["u"]
    cdf = torch.bincount(u.flatten(), minlength=256).cumsum(0).float() / u.numel()
    return {"out": (255 * cdf + 0.5).to(torch.uint8)[u.long()]}


def equalize_jax(s):
    import jax.numpy as jnp

    u = s["u"]
    cdf = jnp.cumsum(jnp.bincount(u.ravel(), length=256)).astype(jnp.float32) / u.size
    return {"out": (255 * cdf + 0.5).astype(jnp.uint8)[u]}


def density(xp, s):
    far = (s["gx"][:, None] - s["px"]) ** 2 + (s["gy"][:, None] - s["py"]) ** 2
    return {"density": xp.exp(-far / 0.02).sum(1) / (2 * math.pi * 0.01 * len(s["px"]))}


POSITIVE = uniform(0.5, 1.5)
CASES = {
    "mixture_em": Case(
        dict(n=1 << 20),
        mixture_em,
        mixture_em_jax,
        inputs=dict(weight=uniform(0.1, 0.15), mu=uniform(-1, 1), var=uniform(0.05, 0.2)),
        small=dict(n=300),
        most=1e-3,
    ),
    "kmeans_step": Case(dict(n=1 << 20), whole(kmeans_step), kmeans_step_jax, small=dict(n=300), most=1e-3),
    "black_scholes": Case(
        dict(n=1 << 24),
        *both(black_scholes),
        inputs=dict(s=POSITIVE, k=POSITIVE, t=POSITIVE, sigma=uniform(0.1, 0.5)),
        small=dict(n=300),
    ),
    "asian_option": Case(dict(p=1 << 20), *both(asian_option), inputs=dict(z=uniform(-2, 2)), small=dict(p=300), most=1e-3),
    "covariance": Case(dict(f=256, n=65536), *both(covariance), small=dict(f=33, n=200)),
    "logistic_gradient": Case(
        dict(f=512, n=131072), *both(logistic_gradient), inputs=dict(y=uniform(0, 1), w=uniform(-0.1, 0.1)), small=dict(f=33, n=70)
    ),
    # One level more or less, where a sum lies at a half.
    "equalize": Case(
        dict(x=8192, y=8192), whole(equalize), equalize_jax, inputs=dict(u=integers(0, 255)), small=dict(x=70, y=33), most=0.005
    ),
    "density": Case(
        dict(n=16384, m=32768),
        *both(density),
        inputs={n: uniform(0, 1) for n in ("px", "py", "gx", "gy")},
        small=dict(n=70, m=33),
    ),
}
