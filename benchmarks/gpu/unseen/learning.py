"""Programs of machine learning: what draws their inputs, and the same in PyTorch and JAX. Axes stand as in files, the last one varies fastest."""

import torch
import torch.nn.functional as F

from .case import Case, both, integers, uniform, whole


def group_norm(s):
    return {"out": F.silu(F.group_norm(s["u"], 32, s["gamma"], s["beta"], 1e-5))}


def group_norm_jax(s):
    import jax
    import jax.numpy as jnp

    b, c, y, x = s["u"].shape
    u = s["u"].reshape(b, 32, c // 32 * y * x)
    mu, var = u.mean(2, keepdims=True), u.var(2, keepdims=True)
    n = ((u - mu) / jnp.sqrt(var + 1e-5)).reshape(b, c, y, x)
    return {"out": jax.nn.silu(n * s["gamma"][:, None, None] + s["beta"][:, None, None])}


def rmsnorm_residual(xp, s):
    h = s["x"] + s["residual"]
    return {"h": h, "y": h / xp.sqrt((h * h).mean(-1)[:, None] + 1e-6) * s["weight"]}


def rotary(xp, s):
    q, a = s["q"], s["angle"][:, None, :]
    even, odd, cos, sin = q[..., ::2], q[..., 1::2], xp.cos(a), xp.sin(a)
    pairs = [even * cos - odd * sin, odd * cos + even * sin]
    return {"out": (xp.stack(pairs, -1)).reshape(q.shape)}


def swiglu_packed(s):
    gate, up = s["z"].chunk(2, dim=-1)
    return {"y": F.silu(gate) * up}


def swiglu_packed_jax(s):
    import jax
    import jax.numpy as jnp

    gate, up = jnp.split(s["z"], 2, axis=-1)
    return {"y": jax.nn.silu(gate) * up}


def cross_entropy(s):
    logits, target = s["logits"], s["target"].long()
    loss = F.cross_entropy(logits, target)
    gradient = (F.softmax(logits, -1) - F.one_hot(target, logits.shape[-1])) / logits.shape[0]
    return {"loss": loss, "gradient": gradient}


def cross_entropy_jax(s):
    import jax
    import jax.numpy as jnp

    def loss(logits):
        lse = jax.nn.logsumexp(logits, axis=-1)
        return (lse - jnp.take_along_axis(logits, s["target"][:, None], -1)[:, 0]).mean()

    value, gradient = jax.value_and_grad(loss)(s["logits"])
    return {"loss": value, "gradient": gradient}


def causal_softmax(s):
    n = s["score"].shape[-1]
    later = torch.ones(n, n, dtype=torch.bool, device=s["score"].device).triu(1)
    return {"weight": F.softmax((0.125 * s["score"]).masked_fill(later, float("-inf")), -1)}


def causal_softmax_jax(s):
    import jax
    import jax.numpy as jnp

    n = s["score"].shape[-1]
    return {"weight": jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((n, n), bool)), 0.125 * s["score"], -jnp.inf), axis=-1)}


def int8_matvec(xp, s):
    w = (s["w"].to(s["x"].dtype) if xp is torch else s["w"].astype(s["x"].dtype)) - s["zero"][:, None]
    return {"y": s["scale"] * (w @ s["x"])}


def int4_weights(xp, s):
    packed = s["packed"]
    o, n = packed.shape
    by = xp.arange(0, 32, 4, device=packed.device) if xp is torch else xp.arange(0, 32, 4)
    nibbles = (packed[:, :, None] >> by) & 15
    groups = nibbles.reshape(o, -1, 128)
    groups = groups.to(s["x"].dtype) if xp is torch else groups.astype(s["x"].dtype)
    return ((groups - s["zero"][:, :, None]) * s["scale"][:, :, None]).reshape(o, 8 * n)


def int4_matvec(xp, s):
    return {"y": int4_weights(xp, s) @ s["x"]}


def int4_matmul(xp, s):
    return {"y": s["x"] @ int4_weights(xp, s).T}


def depthwise_nhwc(s):
    c = s["u"].shape[-1]
    u = s["u"].permute(0, 3, 1, 2)  # channels last, as PyTorch has it
    # In the program's weights the first of i and j goes along x.
    v = F.conv2d(u, s["weight"].permute(2, 0, 1)[:, None], s["bias"], padding=1, groups=c)
    return {"out": F.gelu(v).permute(0, 2, 3, 1)}


def depthwise_nhwc_jax(s):
    import jax

    c = s["u"].shape[-1]
    v = jax.lax.conv_general_dilated(
        s["u"], s["weight"][:, :, None, :], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=c
    )
    return {"out": jax.nn.gelu(v + s["bias"], approximate=False)}


def batch_norm(xp, s):
    u, along = s["u"], lambda a: a[:, None, None]
    mu = u.mean((0, 2, 3))
    var = ((u - along(mu)) ** 2).mean((0, 2, 3))
    out = (u - along(mu)) / along(xp.sqrt(var + 1e-5)) * along(s["gamma"]) + along(s["beta"])
    keep = lambda old, new: old + 0.1 * (new - old)
    return {
        "out": out * (out > 0),
        "running_mean_out": keep(s["running_mean"], mu),
        "running_var_out": keep(s["running_var"], var),
    }


def adamw(xp, s):
    w, g, m, v = (s[k] for k in "wgmv")
    norm = xp.sqrt((g * g).sum())
    clip = 1 / (norm + 1e-6)
    g = g * xp.where(clip < 1, clip, xp.ones_like(clip))
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    step = m / (1 - 0.9**10) / (xp.sqrt(v / (1 - 0.999**10)) + 1e-8)
    return {"w_out": w * (1 - 0.001 * 0.01) - 0.001 * step, "m_out": m, "v_out": v}


def layer_norm_backward(s):
    shape = [s["x"].shape[-1]]
    _, mu, r = torch.ops.aten.native_layer_norm(s["x"], shape, s["gamma"], None, 1e-5)
    dx, dgamma, dbeta = torch.ops.aten.native_layer_norm_backward(
        s["dy"], s["x"], shape, mu, r, s["gamma"], torch.zeros_like(s["gamma"]), [True, True, True]
    )
    return {"dx": dx, "dgamma": dgamma, "dbeta": dbeta}


def layer_norm_backward_jax(s):
    import jax
    import jax.numpy as jnp

    def norm(x, gamma, beta):
        mu = x.mean(-1, keepdims=True)
        return (x - mu) / jnp.sqrt(((x - mu) ** 2).mean(-1, keepdims=True) + 1e-5) * gamma + beta

    _, back = jax.vjp(norm, s["x"], s["gamma"], jnp.zeros_like(s["gamma"]))
    dx, dgamma, dbeta = back(s["dy"])
    return {"dx": dx, "dgamma": dgamma, "dbeta": dbeta}


def top1_gating(s):
    p = F.softmax(s["logits"], -1)
    weight, expert = p.max(-1)
    count = torch.bincount(expert, minlength=64)
    balance = 64 * (count.to(p.dtype) / len(p) * p.mean(0)).sum()
    return {"weight": weight, "count": count, "balance": balance}


def top1_gating_jax(s):
    import jax
    import jax.numpy as jnp

    p = jax.nn.softmax(s["logits"], axis=-1)
    count = jnp.bincount(p.argmax(-1), length=64)
    return {"weight": p.max(-1), "count": count, "balance": 64 * (count / len(p) * p.mean(0)).sum()}


def linear_attention(compiled):
    @compiled
    def step(state, decay, q, k, v):
        state = decay[:, None, None] * state + v[:, :, None] * k[:, None, :]
        return state, (state * q[:, None, :]).sum(-1)

    def run(s):
        q, k, v = s["q"], s["k"], s["v"]
        state, out = torch.zeros(*v.shape[1:], k.shape[2], dtype=k.dtype, device=k.device), []
        for n in range(len(q)):
            state, o = step(state, s["decay"], q[n], k[n], v[n])
            out.append(o)
        return {"out": torch.stack(out)}

    return run


def linear_attention_jax(s):
    import jax
    import jax.numpy as jnp

    def step(state, now):
        q, k, v = now
        state = s["decay"][:, None, None] * state + v[:, :, None] * k[:, None, :]
        return state, (state * q[:, None, :]).sum(-1)

    h, e, d = s["v"].shape[1], s["v"].shape[2], s["k"].shape[2]
    return {"out": jax.lax.scan(step, jnp.zeros((h, e, d), jnp.float32), (s["q"], s["k"], s["v"]))[1]}


def selective_scan(compiled):
    @compiled
    def step(h, a, dt, into, of, u, skip):
        h = torch.exp(dt[:, :, None] * a) * h + (dt * u)[:, :, None] * into[:, None, :]
        return h, (h * of[:, None, :]).sum(-1) + skip * u

    def run(s):
        u, dt = s["u"], s["dt"]
        h, out = torch.zeros(len(u), u.shape[2], 16, dtype=u.dtype, device=u.device), []
        for n in range(u.shape[1]):
            h, y = step(h, s["a"], dt[:, n], s["in"][:, n], s["of"][:, n], u[:, n], s["skip"])
            out.append(y)
        return {"y": torch.stack(out, 1)}

    return run


def selective_scan_jax(s):
    import jax
    import jax.numpy as jnp

    def step(h, now):
        dt, into, of, u = now
        h = jnp.exp(dt[:, :, None] * s["a"]) * h + (dt * u)[:, :, None] * into[:, None, :]
        return h, (h * of[:, None, :]).sum(-1) + s["skip"] * u

    b, _, c = s["u"].shape
    rows = tuple(jnp.moveaxis(s[k], 1, 0) for k in ("dt", "in", "of", "u"))
    return {"y": jnp.moveaxis(jax.lax.scan(step, jnp.zeros((b, c, 16), jnp.float32), rows)[1], 0, 1)}


POSITIVE = uniform(0.5, 1.5)
PACKED = integers(-(1 << 31), (1 << 31) - 1)
FOUR_BIT = dict(packed=PACKED, zero=uniform(0, 15), scale=uniform(0.01, 0.02))
CASES = {
    "group_norm": Case(dict(x=64, y=64, c=256, b=16), whole(group_norm), group_norm_jax, small=dict(x=8, y=4, c=256, b=2)),
    "rmsnorm_residual": Case(dict(c=2048, t=16384), *both(rmsnorm_residual), small=dict(c=70, t=9)),
    "rotary": Case(dict(h=32, s=8192), *both(rotary), inputs=dict(angle=uniform(-3, 3)), small=dict(h=3, s=5)),
    "swiglu_packed": Case(dict(c=8192, t=8192), whole(swiglu_packed), swiglu_packed_jax, small=dict(c=64, t=7)),
    "cross_entropy": Case(
        dict(v=50257, t=2048),
        whole(cross_entropy),
        cross_entropy_jax,
        inputs=dict(logits=uniform(-5, 5), target=integers(0, 100)),
        small=dict(v=101, t=9),
    ),
    "causal_softmax": Case(
        dict(k=2048, q=2048, h=32),
        whole(causal_softmax),
        causal_softmax_jax,
        inputs=dict(score=uniform(-20, 20)),
        small=dict(k=33, q=33, h=2),
    ),
    "int8_matvec": Case(
        dict(k=8192, o=28672), *both(int8_matvec), inputs=dict(w=integers(0, 255), zero=uniform(100, 150)), small=dict(k=70, o=9)
    ),
    "int4_matvec": Case(dict(w=1024, o=28672), *both(int4_matvec), inputs=FOUR_BIT, small=dict(w=32, o=9)),
    "int4_matmul": Case(dict(w=512, o=4096, t=64), *both(int4_matmul), inputs=FOUR_BIT, small=dict(w=32, o=9, t=5)),
    "depthwise_nhwc": Case(
        dict(c=128, x=56, y=56, b=64), whole(depthwise_nhwc), depthwise_nhwc_jax, small=dict(c=8, x=9, y=7, b=2)
    ),
    "batch_norm": Case(dict(x=56, y=56, c=64, b=64), *both(batch_norm), small=dict(x=6, y=5, c=3, b=4)),
    "adamw": Case(dict(n=1 << 25), *both(adamw), inputs=dict(v=POSITIVE), small=dict(n=3000)),
    "layer_norm_backward": Case(dict(c=768, t=32768), whole(layer_norm_backward), layer_norm_backward_jax, small=dict(c=70, t=40)),
    "top1_gating": Case(
        dict(t=1 << 18), whole(top1_gating), top1_gating_jax, inputs=dict(logits=uniform(-4, 4)), small=dict(t=300)
    ),
    "linear_attention": Case(
        dict(h=128, t=256), linear_attention, linear_attention_jax, inputs=dict(decay=uniform(0.8, 1)), small=dict(h=2, t=9)
    ),
    "selective_scan": Case(
        dict(c=1024, t=1024, b=4),
        selective_scan,
        selective_scan_jax,
        inputs=dict(dt=uniform(0.001, 0.1), a=uniform(-1, 0)),
        small=dict(c=5, t=9, b=2),
    ),
}
