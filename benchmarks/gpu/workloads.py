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


def heat2d_step(xp, d, T, n):
    i = (slice(1, -1),) * 2
    new = T[i] + 0.2 * (T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:] - 4 * T[i])
    return d["put"](T, i, new)


STREAM_ELEMENTS = 2097152
STREAMS = {
    # name: function, bytes of the fused minimum an element
    "big_fusion": (big_fusion, 384),
    "sync_test": (sync_test, 72),
    "rotate_scale": (rotate_scale, 100),
    "matrix_powers": (matrix_powers, 60),
}
FIELDS = {
    # name: one step, extents, words a cell and step of the fused minimum, steps
    "heat2d": (heat2d_step, {"nx": 16384, "ny": 16384}, 2, 20),
    "heat3d": (heat3d_step, {"nx": 512, "ny": 512, "nz": 512}, 4, 20),
}
