"""Programs of science, as learning.py has them."""

import math

import torch
import torch.nn.functional as F

from .case import Case, both, integers, uniform


def padded(xp, a, below, above, left, right):
    """Zeros around the last two axes."""
    if xp is torch:
        return F.pad(a, (left, right, below, above))
    return xp.pad(a, [(0, 0)] * (a.ndim - 2) + [(below, above), (left, right)])


def around(xp, u):
    """The sum of the four neighbours, zero beyond the edges."""
    wide = padded(xp, u, 1, 1, 1, 1)
    return wide[1:-1, :-2] + wide[1:-1, 2:] + wide[:-2, 1:-1] + wide[2:, 1:-1]


def looped(steps, step, start, finish):
    """A PyTorch user's loop: the step is compiled, Python counts. `step` gets the inputs, the state and the number."""

    def peer(compiled):
        one = compiled(step)

        def run(s):
            state = start(torch, s)
            for n in torch.arange(steps, device=next(iter(s.values())).device):
                state = one(s, state, n)
            return finish(torch, s, state)

        return run

    def with_jax(s):
        import jax
        import jax.numpy as jnp

        return finish(jnp, s, jax.lax.fori_loop(0, steps, lambda n, state: step(s, state, n, jnp), start(jnp, s)))

    return peer, with_jax


def adi_rows(n, r, like):
    """The inverse of the tridiagonal matrix of a direction."""
    eye = torch.eye(n, dtype=like.dtype, device=like.device)
    return torch.linalg.inv((1 + 2 * r) * eye - r * (eye.roll(1, 0).tril() + eye.roll(-1, 0).triu()))


def adi_heat(compiled):
    """The matrices are the same in all steps: their inverses are made once, before any run, and each sweep is a product."""
    made, r = {}, 0.5

    @compiled
    def step(u, along_x, along_y):
        wide = F.pad(u, (0, 0, 1, 1))
        u = (u + r * (wide[:-2] - 2 * u + wide[2:])) @ along_x
        wide = F.pad(u, (1, 1))
        return along_y @ (u + r * (wide[:, :-2] - 2 * u + wide[:, 2:]))

    def run(s):
        u = s["u"]
        key = (u.dtype, *u.shape)
        if key not in made:
            made[key] = adi_rows(u.shape[1], r, u), adi_rows(u.shape[0], r, u)
        for _ in range(10):
            u = step(u, *made[key])
        return {"u_out": u}

    return run


def adi_heat_jax(s):
    import jax
    import jax.numpy as jnp

    r = 0.5

    def solve(b):  # along the first axis
        beside = jnp.full(len(b), -r, jnp.float32)
        return jax.lax.linalg.tridiagonal_solve(
            beside.at[0].set(0), jnp.full(len(b), 1 + 2 * r, jnp.float32), beside.at[-1].set(0), b
        )

    def step(_, u):
        wide = jnp.pad(u, ((1, 1), (0, 0)))
        u = solve((u + r * (wide[:-2] - 2 * u + wide[2:])).T).T
        wide = jnp.pad(u, ((0, 0), (1, 1)))
        return solve(u + r * (wide[:, :-2] - 2 * u + wide[:, 2:]))

    return {"u_out": jax.lax.fori_loop(0, 10, step, s["u"])}


def basin_start(xp, s):
    eta = s["eta"]
    y, x = eta.shape
    zeros = (lambda *n: torch.zeros(n, dtype=eta.dtype, device=eta.device)) if xp is torch else (lambda *n: xp.zeros(n, eta.dtype))
    return eta, zeros(y, x + 1), zeros(y + 1, x), eta


def basin_step(s, state, n, xp=torch):
    eta, u, v, highest = state
    slow = lambda w, slope: (w - 0.01 * 9.81 * slope) / (1 + 0.001 * abs(w))
    u = padded(xp, slow(u[:, 1:-1], eta[:, 1:] - eta[:, :-1]), 0, 0, 1, 1)
    v = padded(xp, slow(v[1:-1], eta[1:] - eta[:-1]), 1, 1, 0, 0)
    eta = eta - 0.01 * s["depth"] * (u[:, 1:] - u[:, :-1] + v[1:] - v[:-1])
    return eta, u, v, xp.maximum(highest, eta)


def basin_finish(xp, s, state):
    return dict(zip(("eta_out", "u", "v", "highest"), state))


def sph_densities(x, y):
    h, m = 0.05, 1e-4
    r2 = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    return m * 1.566681 / h**8 * ((h * h - r2) ** 3 * (r2 < h * h)).sum(1)


def sph_forces(xp, x, y, u, v, rho):
    h, m, mu = 0.05, 1e-4, 0.1
    p, r2 = 10 * (rho - 1), (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    r, near, both_rho = xp.sqrt(r2 + 1e-12), r2 < h * h, rho[:, None] * rho
    push = m * (p[:, None] + p) / (2 * both_rho) * 9.549297 * (h - r) * (h - r) / h**5 / r
    slow = mu * m / both_rho * 9.549297 * (h - r) / h**5
    force = lambda a, w: ((push * (a[:, None] - a) + slow * (w - w[:, None])) * near).sum(1)
    return force(x, u), force(y, v)


def sph(xp, s):
    x, y, u, v = (s[k] for k in "xyuv")
    rho = sph_densities(x, y)
    ax, ay = sph_forces(xp, x, y, u, v, rho)
    return {"rho": rho, "ax": ax, "ay": ay}


def red_black_step(s, u, n, xp=torch):
    y, x = u.shape
    if xp is torch:
        colour = (torch.arange(y, device=u.device)[:, None] + torch.arange(x, device=u.device)) % 2
    else:
        colour = (xp.arange(y)[:, None] + xp.arange(x)) % 2
    for turn in (0, 1):
        u = xp.where(colour == turn, u + 1.8 / 4 * (around(xp, u) - 4 * u + s["f"]), u)
    return u


def red_black_finish(xp, s, u):
    left = around(xp, u) - 4 * u + s["f"]
    return {"u_out": u, "residual": xp.sqrt((left * left).sum())}


def fdtd_start(xp, s):
    shape = (len(s["sy"]), len(s["sx"]))
    kind = s["sx"].dtype
    zeros = torch.zeros(shape, dtype=kind, device=s["sx"].device) if xp is torch else xp.zeros(shape, kind)
    return (zeros,) * 4


def fdtd_step(s, state, n, xp=torch):
    hx, hy, ezx, ezy = state
    sx, sy, c = s["sx"], s["sy"][:, None], 0.5
    ez = ezx + ezy
    hx = (1 - sy) / (1 + sy) * hx - c / (1 + sy) * (padded(xp, ez, 0, 1, 0, 0)[1:] - ez)
    hy = (1 - sx) / (1 + sx) * hy + c / (1 + sx) * (padded(xp, ez, 0, 0, 0, 1)[:, 1:] - ez)
    ezx = (1 - sx) / (1 + sx) * ezx + c / (1 + sx) * (hy - padded(xp, hy, 0, 0, 1, 0)[:, :-1])
    ezy = (1 - sy) / (1 + sy) * ezy - c / (1 + sy) * (hx - padded(xp, hx, 1, 0, 0, 0)[:-1])
    y, x = ezx.shape
    if xp is torch:
        source = torch.sin(0.1 * n.to(ezx.dtype))
        spot = (torch.arange(y, device=ezx.device)[:, None] == y // 2) & (torch.arange(x, device=ezx.device) == x // 2)
        return hx, hy, ezx + spot * source, ezy
    return hx, hy, ezx.at[y // 2, x // 2].add(xp.sin(xp.float32(0.1) * n)), ezy


def fdtd_finish(xp, s, state):
    return {"ez": state[2] + state[3]}


def cg_rest(p, q, r, x):
    rr = (r * r).sum()
    alpha = rr / (p * q).sum()
    x, r = x + alpha * p, r - alpha * q
    return {"x_out": x, "r_out": r, "next": r + (r * r).sum() / rr * p}


def cg_step(compiled):
    rest = compiled(cg_rest)

    def run(s):
        rows = len(s["p"])
        matrix = torch.sparse_csr_tensor(s["begin"], s["column"], s["value"], (rows, rows))
        return rest(s["p"], matrix @ s["p"], s["r"], s["x"])

    return run


def cg_step_jax(s):
    import jax
    import jax.numpy as jnp

    rows = len(s["p"])
    row = jnp.repeat(jnp.arange(rows), jnp.diff(s["begin"]), total_repeat_length=len(s["value"]))
    q = jax.ops.segment_sum(s["value"] * s["p"][s["column"]], row, rows, indices_are_sorted=True)
    return cg_rest(s["p"], q, s["r"], s["x"])


def row_starts(shape, kind, g):
    """16 entries a row on average, 1 to 31: pairs of rows have 32."""
    more = torch.randint(-15, 16, ((shape[0] - 1) // 2,), generator=g, device=g.device)
    counts = torch.stack([16 + more, 16 - more], 1).flatten()
    return torch.cat([torch.zeros(1, dtype=torch.int64, device=g.device), counts.cumsum(0)]).to(kind)


CX, CY = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
BACK, WEIGHTS = (0, 3, 4, 1, 2, 7, 8, 5, 6), (4 / 9,) + (1 / 9,) * 4 + (1 / 36,) * 4


def velocity(f, c, rho):
    return sum(a * g for a, g in zip(c, f) if a) / rho


def channel_step(s, f, n, xp=torch):
    solid = s["solid"] > 0
    g = [xp.roll(f[k], (CY[k], CX[k]), (0, 1)) for k in range(9)]
    rho = sum(g)
    u, v = velocity(g, CX, rho), velocity(g, CY, rho)
    new = []
    for k in range(9):
        c = CX[k] * u + CY[k] * v
        relaxed = g[k] + 1.5 * (WEIGHTS[k] * rho * (1 + 3 * c + 4.5 * c * c - 1.5 * (u * u + v * v)) - g[k])
        new.append(xp.where(solid, g[BACK[k]], relaxed + 3 * WEIGHTS[k] * CX[k] * 1e-5))
    return xp.stack(new)


def channel_finish(xp, s, f):
    rho = f.sum(0)
    u = velocity(f, CX, rho)
    return {"f_out": f, "rho": rho, "u": xp.where(s["solid"] > 0, xp.zeros_like(u), u)}


def lennard_jones(xp, s):
    image = lambda a: a - 20 * xp.round(a / 20)
    away = [image(s[k][:, None] - s[k]) for k in "xyz"]
    r2 = sum(d * d for d in away)
    n = len(s["x"])
    at = torch.arange(n, device=r2.device) if xp is torch else xp.arange(n)
    near = (r2 < 9) & (at[:, None] != at)
    k = 1 / xp.maximum(r2, xp.full_like(r2, 0.5))
    k3 = k * k * k
    pull = 24 * k * k3 * (2 * k3 - 1) * near
    forces = {f"f{a}": (pull * d).sum(1) for a, d in zip("xyz", away)}
    return {**forces, "energy": (4 * k3 * (k3 - 1) * near).sum() / 2}


def non_local_means(xp, s):
    u = s["u"]
    rows, row = u.shape
    wide = F.pad(u[None, None], (4,) * 4, mode="replicate")[0, 0] if xp is torch else xp.pad(u, 4, mode="edge")
    at = lambda j, i: wide[4 + j : 4 + j + rows, 4 + i : 4 + i + row]
    of, total = 0, 0
    for j in range(-3, 4):
        for i in range(-3, 4):
            far = sum((at(l, k) - at(j + l, i + k)) ** 2 for l in (-1, 0, 1) for k in (-1, 0, 1))
            weight = xp.exp(-far / 0.09)
            of, total = of + weight * at(j, i), total + weight
    return {"out": of / total}


def box_filter(xp, s):
    u = s["u"]
    y, x = u.shape
    if xp is torch:
        u = u.double()
        at = lambda n: torch.arange(n, device=u.device)
    else:
        at = xp.arange  # floats: JAX has doubles for all of a process or for none
    low = lambda n: (at(n) - 15).clip(0), lambda n: (at(n) + 16).clip(None, n)
    (y0, y1), (x0, x1) = ([f(n) for f in low] for n in (y, x))

    def area(a):
        a = padded(xp, xp.cumsum(xp.cumsum(a, 1), 0), 1, 0, 1, 0)
        return a[y1][:, x1] - a[y0][:, x1] - a[y1][:, x0] + a[y0][:, x0]

    cells = (y1 - y0)[:, None] * (x1 - x0)
    mean = area(u) / cells
    left = area(u * u) / cells - mean * mean
    spread = xp.sqrt(left * (left > 0))
    return {"mean": mean.to(s["u"].dtype), "spread": spread.to(s["u"].dtype)} if xp is torch else {"mean": mean, "spread": spread}


def alignment_start(xp, s):
    zeros = torch.zeros_like(s["a"], dtype=torch.int32) if xp is torch else xp.zeros_like(s["a"], xp.int32)
    return zeros, zeros, zeros


def alignment_step(s, state, n, xp=torch):
    before, last, best = state
    a, b, k = s["a"], s["b"], n + 2
    shifted = lambda d: padded(xp, d[:, :-1], 0, 0, 1, 0)
    if xp is torch:
        i = torch.arange(257, device=a.device)
    else:
        i = xp.arange(257)
    same = shifted(a) == b[:, (k - i - 1).clip(0, 256)]
    most = xp.maximum(xp.maximum(shifted(before) + xp.where(same, 2, -1), xp.maximum(last, shifted(last)) - 1), 0 * last)
    here = xp.where((i > 0) & (k - i > 0) & (k - i < 257), most, 0 * last)
    return last, here, xp.maximum(best, here)


def alignment_finish(xp, s, state):
    return {"result": state[2].max(1)[0] if xp is torch else state[2].max(1)}


def quantum_gates(xp, s):
    psi = s["psi"]
    for k in range(6):
        p = psi.reshape(-1, 2, 1 << 3 * k)
        psi = 0.70710678 * xp.stack([p[:, 0] + p[:, 1], p[:, 0] - p[:, 1]], 1)
        p = psi.reshape(-1, 2, 2, 1 << 3 * k)  # the higher of the two qubits first
        psi = xp.stack([p[:, 0], xp.stack([p[:, 1, 0], p[:, 1, 1] * complex(math.cos(0.3), math.sin(0.3))], 1)], 1)
        psi = psi.reshape(-1)
    chances = abs(psi) ** 2
    return {"psi_out": psi, "chance": xp.stack([chances.reshape(-1, 2, 1 << 3 * k)[:, 1].sum() for k in range(6)])}


def lu4(xp, s):
    a = [[s["A"][:, i, j] for j in range(4)] for i in range(4)]
    for k in range(3):
        for i in range(k + 1, 4):
            a[i][k] = a[i][k] / a[k][k]
            for j in range(k + 1, 4):
                a[i][j] = a[i][j] - a[i][k] * a[k][j]
    x = [s["b"][:, i] for i in range(4)]
    for i in range(4):
        x[i] = x[i] - sum(a[i][k] * x[k] for k in range(i))
    for i in (3, 2, 1, 0):
        x[i] = (x[i] - sum(a[i][k] * x[k] for k in range(i + 1, 4))) / a[i][i]
    return {"A_out": xp.stack([xp.stack(row, 1) for row in a], 1), "x": xp.stack(x, 1)}


def strong_diagonal(shape, kind, g):
    return uniform(-1, 1)(shape, kind, g) + 4 * torch.eye(shape[-1], device=g.device)


SQUARE = dict(x=2048, y=2048)
CASES = {
    "adi_heat": Case(dict(x=1024, y=1024), adi_heat, adi_heat_jax, small=dict(x=33, y=20)),
    "shallow_basin": Case(
        SQUARE, *looped(50, basin_step, basin_start, basin_finish), inputs=dict(depth=uniform(1, 2)), small=dict(x=33, y=20)
    ),
    "sph": Case(dict(n=16384), *both(sph), inputs=dict(x=uniform(0, 1), y=uniform(0, 1)), small=dict(n=100), most=1e-3),
    "red_black": Case(
        SQUARE, *looped(50, red_black_step, lambda xp, s: s["u"], red_black_finish), small=dict(x=33, y=20), most=1e-3
    ),
    "fdtd_pml": Case(
        dict(**SQUARE, t=100),
        *looped(100, fdtd_step, fdtd_start, fdtd_finish),
        inputs=dict(sx=uniform(0, 0.1), sy=uniform(0, 0.1)),
        small=dict(x=230, y=310, t=100),
    ),
    "cg_step": Case(
        dict(row=1 << 20, nz=1 << 24),
        cg_step,
        cg_step_jax,
        inputs=dict(value=uniform(0, 1), p=uniform(0, 1), r=uniform(0, 1), column=integers(0, 99), begin=row_starts),
        small=dict(row=100, nz=1600),
    ),
    "lattice_channel": Case(
        dict(x=1024, y=512),
        *looped(50, channel_step, lambda xp, s: s["f"], channel_finish),
        inputs=dict(f=uniform(0.1, 0.12), solid=lambda shape, kind, g: (uniform(0, 1)(shape, kind, g) < 0.1).to(kind)),
        small=dict(x=33, y=20),
    ),
    "lennard_jones": Case(
        dict(n=16384), *both(lennard_jones), inputs={k: uniform(0, 20) for k in "xyz"}, small=dict(n=100), most=1e-3
    ),
    "non_local_means": Case(SQUARE, *both(non_local_means), small=dict(x=33, y=20)),
    "box_filter": Case(dict(x=4096, y=4096), *both(box_filter), small=dict(x=70, y=50)),
    "smith_waterman": Case(
        dict(p=4096),
        *looped(511, alignment_step, alignment_start, alignment_finish),
        inputs=dict(a=integers(0, 3), b=integers(0, 3)),
        small=dict(p=5),
    ),
    "quantum_gates": Case({}, *both(quantum_gates)),
    "lu4": Case(dict(n=1 << 20), *both(lu4), inputs=dict(A=strong_diagonal), small=dict(n=100)),
}
