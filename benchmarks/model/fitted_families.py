"""Families of stencils that constants of the model may be fitted on: each from a draw to a program. Extents are set by draw.size."""
from stencil_draw import AXES, fields, lap, loop, offset, offsets_of_box, reaction, star


def copies(d):
    n, k = d.random.choice([1, 2, 3, 3]), d.random.randint(1, 4)
    d.size(n, 2 * k)
    a, b = [f"a{i}" for i in range(k)], [f"b{i}" for i in range(k)]
    lines = "".join(f"{y} = {d.number()}*{x};\n" for x, y in zip(a, b))
    return fields(d, a + b, n) + f"input {', '.join(a)};\n{lines}return {', '.join(b)};\n"


def wave(d):
    n, r = d.random.choice([2, 3, 3]), d.radius()
    d.size(n, 3)
    face = d.face()
    return (
        fields(d, ["p", "q"], n, face)
        + fields(d, ["c", "h"], n)
        + "input p, q, c;\n"
        + loop(f"    h = 2*p - q + 0.1*c*({star(d, 'p', n, r)});\n    q = p;\n    p = h;\n")
        + "return p, q;\n"
    )


def heat(d):
    n, r = d.random.choice([1, 2, 3]), d.radius()
    d.size(n, 2)
    return fields(d, ["u"], n, d.face(r)) + "input u;\n" + loop(f"    u = {star(d, 'u', n, r)};\n") + "return u;\n"


def material(d):
    """A diffusivity a cell, and sources."""
    n, r = d.random.choice([2, 3, 3]), d.radius()
    more = d.random.randint(0, 2)
    d.size(n, 3 + more)
    q = [f"q{i}" for i in range(more)]
    return (
        fields(d, ["u"], n, d.face(r))
        + fields(d, ["k"] + q, n)
        + f"input {', '.join(['u', 'k'] + q)};\n"
        + loop(f"    u = u + k*({star(d, 'u', n, r)})" + "".join(f" + {d.number()}*{x}" for x in q) + ";\n")
        + "return u;\n"
    )


def acoustic(d):
    """Pressure and velocity on staggered grids, of second or fourth order."""
    n = d.random.choice([2, 3])
    d.size(n, 2 * (n + 1) + 1)
    face, wide = d.face(), d.random.random() < 0.5
    v = [f"v{AXES[k]}" for k in range(n)]

    def ahead(u, k):
        if not wide:
            return f"({u}{offset(k, n, 1)} - {u})"
        return f"(1.125*({u}{offset(k, n, 1)} - {u}) - 0.0416667*({u}{offset(k, n, 2)} - {u}{offset(k, n, -1)}))"

    def behind(u, k):
        if not wide:
            return f"({u} - {u}{offset(k, n, -1)})"
        return f"(1.125*({u} - {u}{offset(k, n, -1)}) - 0.0416667*({u}{offset(k, n, 1)} - {u}{offset(k, n, -2)}))"

    text = "".join(f"    {v[k]} = {v[k]} - 0.2*{ahead('p', k)};\n" for k in range(n))
    text += "    p = p - 0.2*c*(" + " + ".join(behind(v[k], k) for k in range(n)) + ");\n"
    return (
        fields(d, ["p"] + v, n, face)
        + fields(d, ["c"], n)
        + f"input p, {', '.join(v)}, c;\n"
        + loop(text)
        + f"return p, {', '.join(v)};\n"
    )


def grayscott(d):
    return reaction(d, ("0.03*(1 - u) - u*v*v", "u*v*v - 0.09*v"))


def upwind(d):
    n = d.random.choice([2, 3])
    d.size(n, 2 + n)
    v = [f"w{AXES[k]}" for k in range(n)]
    second = d.random.random() < 0.4

    def along(k):
        b, f = offset(k, n, -1), offset(k, n, 1)
        bb, ff = offset(k, n, -2), offset(k, n, 2)
        if second:
            return f"{v[k]}*({v[k]} > 0 ? 1.5*q - 2*q{b} + 0.5*q{bb} : 2*q{f} - 1.5*q - 0.5*q{ff})"
        return f"{v[k]}*({v[k]} > 0 ? q - q{b} : q{f} - q)"

    return (
        fields(d, ["q"], n, d.face(2))
        + fields(d, v, n)
        + f"input q, {', '.join(v)};\n"
        + loop("    q = q - 0.1*(" + " + ".join(along(k) for k in range(n)) + ");\n")
        + "return q;\n"
    )


def shallow(d):
    """Fluxes with divisions and roots, differences of fluxes."""
    d.size(2, 6)
    face = d.face()
    text = (
        "    sx = max(abs(u/h) + sqrt(9.81*h), abs(u[x+1]/h[x+1]) + sqrt(9.81*h[x+1]));\n"
        "    fh = 0.5*(u + u[x+1]) - 0.5*sx*(h[x+1] - h);\n"
        "    fu = 0.5*(u*u/h + 4.9*h*h + u[x+1]*u[x+1]/h[x+1] + 4.9*h[x+1]*h[x+1]) - 0.5*sx*(u[x+1] - u);\n"
        "    sy = max(abs(v/h) + sqrt(9.81*h), abs(v[y+1]/h[y+1]) + sqrt(9.81*h[y+1]));\n"
        "    gh = 0.5*(v + v[y+1]) - 0.5*sy*(h[y+1] - h);\n"
        "    gv = 0.5*(v*v/h + 4.9*h*h + v[y+1]*v[y+1]/h[y+1] + 4.9*h[y+1]*h[y+1]) - 0.5*sy*(v[y+1] - v);\n"
        "    h = h - 0.01*(fh - fh[x-1] + gh - gh[y-1]);\n    u = u - 0.01*(fu - fu[x-1]);\n    v = v - 0.01*(gv - gv[y-1]);\n"
    )
    return (
        fields(d, ["h", "u", "v", "sx", "sy", "fh", "fu", "gh", "gv"], 2, face)
        + "input h, u, v;\n"
        + loop(text)
        + "return h, u, v;\n"
    )


def perona(d):
    n = d.random.choice([2, 3])
    d.size(n, 2)
    g = "exp(-w*w*0.05)" if d.random.random() < 0.5 else "1/(1 + w*w*0.1)"
    terms = []
    for k in range(n):
        for s in (-1, 1):
            w = f"(u{offset(k, n, s)} - u)"
            terms.append(f"{w}*" + g.replace("w", w))
    return fields(d, ["u"], n, d.face(1)) + "input u;\n" + loop("    u = u + 0.2*(" + " + ".join(terms) + ");\n") + "return u;\n"


def harris(d):
    """Corners: gradients, their products, smoothed, a ratio."""
    d.size(2, 2)
    window = offsets_of_box(2, 1)
    sums = "".join(
        f"s{a}{b} = " + " + ".join(f"g{a}{o}*g{b}{o}" for o in window) + ";\n" for a, b in (("x", "x"), ("x", "y"), ("y", "y"))
    )
    return (
        fields(d, ["u", "gx", "gy"], 2, d.face()) + fields(d, ["sxx", "sxy", "syy", "c"], 2) + "input u;\n"
        "gx = u[1,-1] + 2*u[1,0] + u[1,1] - u[-1,-1] - 2*u[-1,0] - u[-1,1];\n"
        "gy = u[-1,1] + 2*u[0,1] + u[1,1] - u[-1,-1] - 2*u[0,-1] - u[1,-1];\n"
        + sums
        + "c = (sxx*syy - sxy*sxy)/(sxx + syy + 0.01);\nreturn c;\n"
    )


def morphology(d):
    """Opening, or a gradient: least and largest of neighbours."""
    n, r = d.random.choice([(2, 1), (2, 2), (3, 1)])
    d.size(n, 2)

    def fold(name, u):
        text = u
        for o in offsets_of_box(n, r):
            text = f"{name}({text}, {u}{o})"
        return text

    if d.random.random() < 0.5:
        return (
            fields(d, ["u", "a"], n, d.face())
            + fields(d, ["v"], n)
            + f"input u;\na = {fold('min', 'u')};\nv = {fold('max', 'a')};\nreturn v;\n"
        )
    return (
        fields(d, ["u"], n, d.face()) + fields(d, ["v"], n) + f"input u;\nv = {fold('max', 'u')} - {fold('min', 'u')};\nreturn v;\n"
    )


def biharmonic(d):
    n = d.random.choice([1, 2, 3])
    d.size(n, 2)
    return (
        fields(d, ["u", "m"], n, d.face())
        + "input u;\n"
        + loop(f"    m = {lap('u', n)};\n    u = u - 0.01*{lap('m', n)};\n")
        + "return u;\n"
    )


def midpoint(d):
    """Two stages of Runge and Kutta of a reaction with diffusion."""
    n, r = d.random.choice([2, 3]), d.radius(1, 2)
    d.size(n, 3)
    rate = lambda u: f"{star(d, u, n, r)} - {u}*{u}*{u}"
    return (
        fields(d, ["u", "m"], n, d.face())
        + "input u;\n"
        + loop(f"    m = u + 0.05*({rate('u')});\n    u = u + 0.1*({rate('m')});\n")
        + "return u;\n"
    )


def mask(d):
    """A material where there is one, and what is kept where there is none."""
    n, r = d.random.choice([2, 3]), d.radius(1, 2)
    d.size(n, 3)
    return (
        fields(d, ["u"], n, d.face(r))
        + fields(d, ["m"], n)
        + "input u, m;\n"
        + loop(f"    u = m > 1 ? {star(d, 'u', n, r)} : u;\n")
        + "return u;\n"
    )
