"""The measured programs: sizes, random inputs, fused-minimum bytes, and the same work in plain array operations, written
once for torch and JAX (`xp` is the module)."""


def _mm(a, b):
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def _mv(a, b):
    return (a * b[..., None, :]).sum(-1)


def big_fusion(xp, d):
    v = _mv(_mm(d["A"], d["B"]), d["c"])
    s = xp.sqrt((v * v).sum(-1))
    return {"F": _mm(d["D"], d["E"]) * s[:, None, None]}


def sync_test(xp, d):
    A = d["A"]
    M = A + A
    M = A + M
    M = A + M
    return {"M": A + M}


def rotate_scale(xp, d):
    v = _mv(_mm(d["R"], d["S"]), d["v"])
    length = xp.sqrt((v * v).sum(-1))
    return {"w": v * length[:, None], "length": length}


def matrix_powers(xp, d):
    A = d["A"]
    for _ in range(3):
        A = _mm(A, A)
    return {"x": _mv(A, d["x"])}


def _eye(xp, like):
    return xp.eye(3, **({"device": like.device} if hasattr(xp, "compile") else {}))


def _transposed(a):
    return a.swapaxes(-1, -2)


def _trace(a):
    return a[..., 0, 0] + a[..., 1, 1] + a[..., 2, 2]


def _cross(xp, a, b):
    return xp.stack(
        [
            a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
            a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
            a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
        ],
        -1,
    )


def _det(xp, m):
    return (m[..., 0, :] * _cross(xp, m[..., 1, :], m[..., 2, :])).sum(-1)


def _inverse_transposed(xp, m):
    rows = [_cross(xp, m[..., (y + 1) % 3, :], m[..., (y + 2) % 3, :]) for y in range(3)]
    return xp.stack(rows, -2) / (m[..., 0, :] * rows[0]).sum(-1)[..., None, None]


def st_venant(xp, d):
    v = _mv(d["M"], d["u"]) * d["s"][:, None]
    T = (d["C"] * v[:, None, None, None, :]).sum(-1)
    return {"R": (T[:, :, :, :, None] * d["N"][:, None, :, None, :]).sum(2).swapaxes(-1, -2)}


def st_venant_inner(xp, d):
    A = (d["T"] * d["v"][:, None, None, :]).sum(-1)
    a = xp.abs((_mv(d["M"], d["v"]) * d["w"]).sum(-1))
    s = d["s"][:, None, None]
    return {"R": A * s + a[:, None, None] * _eye(xp, A) * s}


def diffusion_tensor(xp, d):
    """Eigenvalues by the trigonometric formula, which array operations express best."""
    D = d["D"]
    q = _trace(D) / 3
    off = D[..., 0, 1] ** 2 + D[..., 0, 2] ** 2 + D[..., 1, 2] ** 2
    b = [D[..., i, i] - q for i in range(3)]
    p = xp.sqrt((b[0] ** 2 + b[1] ** 2 + b[2] ** 2 + 2 * off) / 6)
    det = (
        b[0] * (b[1] * b[2] - D[..., 1, 2] ** 2)
        - D[..., 0, 1] * (D[..., 0, 1] * b[2] - D[..., 1, 2] * D[..., 0, 2])
        + D[..., 0, 2] * (D[..., 0, 1] * D[..., 1, 2] - b[1] * D[..., 0, 2])
    )
    angle = xp.arccos(xp.clip(det / (2 * p**3), -1, 1)) / 3
    first = q + 2 * p * xp.cos(angle)
    third = q + 2 * p * xp.cos(angle + 2.0943951023931953)
    second = 3 * q - first - third
    squares = (first - second) ** 2 + (second - third) ** 2 + (third - first) ** 2
    return {
        "eigenvalues": xp.stack([first, second, third], -1),
        "diffusivity": (first + second + third) / 3,
        "anisotropy": xp.sqrt(squares / (2 * (first**2 + second**2 + third**2))),
    }


def _green_lagrange(xp, F):
    return 0.5 * (_mm(_transposed(F), F) - _eye(xp, F))


def st_venant_kirchhoff(xp, d):
    E = _green_lagrange(xp, d["F"])
    S = (d["lambda"] * _trace(E))[:, None, None] * _eye(xp, E) + E * (d["mu"] + d["mu"])[:, None, None]
    return {"P": _mm(d["F"], S)}


def strain_energy(xp, d):
    E = _green_lagrange(xp, d["F"])
    t = _trace(E)
    return {"W": 0.5 * d["lambda"] * t * t + d["mu"] * (E * E).sum(-1).sum(-1)}


def neo_hookean_energy(xp, d):
    F = d["F"]
    logarithm = xp.log(_det(xp, F))
    shape = 0.5 * d["mu"] * _trace(_mm(_transposed(F), F) - _eye(xp, F))
    slope = d["lambda"] * logarithm - d["mu"]
    return {"W": shape + (0.5 * d["lambda"] * logarithm - d["mu"]) * logarithm, "slope": slope}


def polar_decomposition(xp, d):
    F = d["F"]
    R = F
    for _ in range(6):
        R = 0.5 * (R + _inverse_transposed(xp, R))
    return {"R": R, "U": _mm(_transposed(R), F)}


def _qmul(xp, q, p):
    a, b = [q[..., k] for k in range(4)], [p[..., k] for k in range(4)]
    return xp.stack(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ],
        -1,
    )


def _qrotate(xp, scalar, u, v):
    t = 2 * _cross(xp, u, v)
    return v + scalar[:, None] * t + _cross(xp, u, t)


def attitude(xp, d):
    q = d["q"]
    for _ in range(4):
        q = _qmul(xp, q, d["dq"])
        q = q * (1 / xp.sqrt((q * q).sum(-1)))[:, None]
    w = _qrotate(xp, q[:, 0], q[:, 1:], d["v"])
    return {"q": q, "w": w, "back": _qrotate(xp, q[:, 0], -q[:, 1:], w)}


def block_update(xp, d):
    r = d["b"] - _mv(d["A"], d["x"])
    return {"x": d["x"] + _mv(d["inverse"], r) * d["omega"][:, None], "r": r}


def vortices(xp, d):
    G = d["G"]
    t = _trace(G)
    return {"P": -t, "Q": 0.5 * (t * t - _trace(_mm(G, G))), "R": -_det(xp, G)}


def _second(a, m2, m1, p1, p2, c):
    return 16 * (a[m1] + a[p1]) - (a[m2] + a[p2]) - 30 * a[c]


def _laplacian13(T):
    i = slice(2, -2)
    at = lambda axis, o: tuple(slice(2 + o, T.shape[k] - 2 + o) if k == axis else i for k in range(3))
    c = (i, i, i)
    return sum(_second(T, at(k, -2), at(k, -1), at(k, 1), at(k, 2), c) for k in range(3))


def heat3d_step(xp, d, T, n):
    """One step; T has its rim of two layers."""
    i = (slice(2, -2),) * 3
    new = T[i] + 0.1 * (d["beta"][i] * (_laplacian13(T) * (1 / (12 * 1e-3 * 1e-3)))) + 0.1 * d["on"][n] * d["q"][i]
    return d["put"](T, i, new)


def diffusion_step(xp, d, T, n):
    i = (slice(2, -2),) * 3
    return d["put"](T, i, T[i] + 0.1 / (12 * 1e-3 * 1e-3) * d["beta"][i] * _laplacian13(T))


def hyperthermia_step(xp, d, T, n):
    """T and the dose of each voxel."""
    T, dose = T
    i = (slice(2, -2),) * 3
    lap = _laplacian13(T) * (1 / (12 * 1e-3 * 1e-3))
    T = d["put"](T, i, T[i] + 0.1 * (d["beta"][i] * lap + d["perf"][i] * (37 - T[i]) + d["q"][i]))
    return T, dose + 0.1 / 60 * xp.where(T < 43, 0.25, 0.5) ** (43 - T)


def heat2d_step(xp, d, T, n):
    i = (slice(1, -1),) * 2
    new = T[i] + 0.2 * (T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:] - 4 * T[i])
    return d["put"](T, i, new)


STREAM_ELEMENTS = 2097152


def sets(bytes_of_one):
    """How many sets of arrays take turns, so that an L2 of 50 MB holds nothing of the last time: 600 MB and more."""
    return max(1, -(-600_000_000 // bytes_of_one))


STREAMS = {
    # name: function, bytes of the fused minimum an element
    "big_fusion": (big_fusion, 384),
    "sync_test": (sync_test, 72),
    "st_venant": (st_venant, 520),
    "st_venant_inner": (st_venant_inner, 208),
    "rotate_scale": (rotate_scale, 100),
    "matrix_powers": (matrix_powers, 60),
    "st_venant_kirchhoff": (st_venant_kirchhoff, 80),
    "strain_energy": (strain_energy, 48),
    "neo_hookean_energy": (neo_hookean_energy, 52),
    "polar_decomposition": (polar_decomposition, 108),
    "attitude": (attitude, 84),
    "block_update": (block_update, 284),
    "vortices": (vortices, 48),
    "diffusion_tensor": (diffusion_tensor, 56),
}
# Loops' parameters, as the functions above have them.
PARAMETERS = {"matrix_powers": {"steps": 3}, "polar_decomposition": {"more_steps": 5}, "attitude": {"steps": 4}}


def _cube(n):
    return {"nx": n, "ny": n, "nz": n}


FIELDS = {
    # name: program, one step, extents, words a cell and step of the fused minimum, steps
    "heat2d": ("heat2d", heat2d_step, {"nx": 14400, "ny": 14400}, 2, 20),
    "diffusion 256": ("diffusion", diffusion_step, _cube(256), 3, 40),
    "diffusion 512": ("diffusion", diffusion_step, _cube(512), 3, 20),
    "diffusion 768": ("diffusion", diffusion_step, _cube(768), 3, 20),
    "heat3d": ("heat3d", heat3d_step, _cube(512), 4, 20),
    "hyperthermia": ("hyperthermia", hyperthermia_step, _cube(512), 7, 20),
}
