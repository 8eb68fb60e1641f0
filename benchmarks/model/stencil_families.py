"""Stencil programs drawn at random from families of the literature, for what the model is fitted on and what it is judged on.

    python3 benchmarks/model/stencil_families.py --seed 1 --each 2 --out programs

writes PROGRAM.kas for each draw, programs.txt, a list for kasc batch, and programs.json: name, family, group (`fit`: constants of the model may be fitted on it; `judge`: the
model never sees it before it is judged) and the extents to plan for. A family belongs to one group with all its draws, so that what is
judged differs from what was fitted by more than numbers. The same seed gives the same programs.

A draw has a radius of 1 to 4, float or double, faces of one kind or of two, and extents of 160 to 430 MB of arrays, a third of which are
no multiple of 4. Loops run twice: a step is what counts."""
import argparse
import json
import random
from pathlib import Path

AXES = "xyz"


class Draw:
    """What the draws of all families share: a generator of numbers, and the text of what they decide."""

    def __init__(self, seed, group, name, scale=1.0):
        self.random = random.Random(f"{seed} {group} {name}")
        self.scale = scale
        self.type = "double" if self.random.random() < 0.2 else "float"
        self.extents = {}

    def radius(self, least=1, most=4):
        return self.random.choice([r for r in (1, 1, 1, 2, 2, 3, 4) if least <= r <= most])

    def face(self, keeps=0):
        """`keeps`: the layers that may be kept; 0: none, the field has no former value."""
        faces = ["periodic", "mirror", "value(0)", "value(1)"] + ([f"keep({keeps})"] * 2 if keeps else [])
        one = self.random.choice(faces)
        if one != "periodic" and self.random.random() < 0.15:
            other = self.random.choice([f for f in faces if f != "periodic"])
            return f"boundary ({one} / {other})"
        return f"boundary {one}"

    def number(self, low=0.01, high=0.5):
        return f"{self.random.uniform(low, high):.3f}"

    def size(self, axes, arrays, narrow=False):
        """Extents of `axes` axes for so many arrays, of 160 to 430 MB together."""
        words = self.scale * self.random.uniform(0.6, 1.6) * 2**26 / max(arrays, 2) / (2 if self.type == "double" else 1)
        if axes == 1:
            x = int(words)
            self.extents = {"x": x - x % 4 + self.random.choice([0, 0, 0, 1, 2])}
            return
        shape = [self.random.uniform(0.7, 1.5) for _ in range(axes)]
        side = (words / _product(shape)) ** (1 / axes)
        for k in range(axes):
            n = int(side * shape[k])
            unit = 64 if axes == 2 else 16
            self.extents[AXES[k]] = max(unit, n // unit * unit)
        if self.random.random() < 0.33:
            self.extents["x"] += self.random.choice([1, 2, 3, -1, 5, 6])
        elif self.random.random() < 0.3:
            self.extents["x"] += 4 * self.random.randint(1, 7)


def _product(values):
    all_of = 1
    for v in values:
        all_of *= v
    return all_of


def axes_of(n):
    return "[" + ", ".join(AXES[:n]) + "]"


def offset(k, n, step):
    return "[" + ", ".join(str(step) if j == k else "0" for j in range(n)) + "]"


def star(d, u, n, r, weight=None):
    """A sum over the arms of a star."""
    terms = [f"{weight or d.number()}*({u}{offset(k, n, -s)} + {u}{offset(k, n, s)})" for k in range(n) for s in range(1, r + 1)]
    return f"{d.number()}*{u} + " + " + ".join(terms)


def offsets_of_box(n, r):
    found = [[]]
    for _ in range(n):
        found = [[s] + rest for s in range(-r, r + 1) for rest in found]
    return ["[" + ", ".join(map(str, o)) + "]" for o in found]


def box(d, u, n, r):
    return " + ".join(f"{d.number(0.001, 0.1)}*{u}{o}" for o in offsets_of_box(n, r))


def lap(u, n, factor=1):
    return "(" + " + ".join(f"{u}{offset(k, n, s)}" for k in range(n) for s in (-1, 1)) + f" - {2 * n}*{u})"


def loop(text, steps=2):
    return f"for (n = 0; n < {steps}; n++) {{\n{text}}}\n"


def fields(d, names, n, face=None):
    where = f" {face}" if face else ""
    return f"{d.type} " + ", ".join(f"{u}{axes_of(n)}{where}" for u in names) + ";\n"


# Each family: from a draw to a program. Extents are set by draw.size.


def copies(d):
    n, k = d.random.choice([1, 2, 3, 3]), d.random.randint(1, 4)
    d.size(n, 2 * k)
    a, b = [f"a{i}" for i in range(k)], [f"b{i}" for i in range(k)]
    lines = "".join(f"{y} = {d.number()}*{x};\n" for x, y in zip(a, b))
    return fields(d, a + b, n) + f"input {', '.join(a)};\n{lines}return {', '.join(b)};\n"


def pointwise(d):
    """Several arrays of one cell, with functions from none to many."""
    n, k = d.random.choice([1, 2, 3]), d.random.randint(2, 8)
    d.size(n, k + 1)
    a = [f"a{i}" for i in range(k)]
    wrap = ["{}", "{}", "sqrt({})", "exp(-{})", "1/(1 + {})", "sin({})", "tanh({})"]
    terms = " + ".join(d.random.choice(wrap).format(f"{x}*{d.random.choice(a)}") for x in a)
    return fields(d, a + ["r"], n) + f"input {', '.join(a)};\nr = {terms};\nreturn r;\n"


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


def boxes(d):
    n = d.random.choice([2, 3])
    r = d.random.choice([1, 1, 2, 3]) if n == 2 else d.random.choice([1, 1, 2])
    d.size(n, 2)
    return fields(d, ["u"], n, d.face(r)) + "input u;\n" + loop(f"    u = {box(d, 'u', n, r)};\n") + "return u;\n"


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


def divergence(d):
    """Flux form: coefficients are read at neighbours, too, and divided."""
    n = d.random.choice([2, 3])
    d.size(n, 3)
    face = d.face(1)
    harmonic = d.random.random() < 0.5

    def mean(o):
        return f"2*k*k{o}/(k + k{o})" if harmonic else f"0.5*(k + k{o})"

    flux = " + ".join(f"{mean(offset(j, n, s))}*(u{offset(j, n, s)} - u)" for j in range(n) for s in (-1, 1))
    return fields(d, ["u", "k"], n, face) + "input u, k;\n" + loop(f"    u = u + 0.1*({flux});\n") + "return u;\n"


def yee(d):
    d.size(3, 12)
    c, face = d.number(), d.random.choice(["boundary value(0)", "boundary periodic", "boundary mirror"])
    text = ""
    for s, o in (("h", "e"), ("e", "h")):
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            step = "+1" if s == "h" else "-1"
            a, b = f"{o}{AXES[j]}", f"{o}{AXES[i]}"
            da, db = f"({a}[{AXES[i]}{step}] - {a})", f"({b}[{AXES[j]}{step}] - {b})"
            text += f"    {s}{AXES[k]} = {s}{AXES[k]} {'-' if s == 'h' else '-'} {c}*({da} - {db});\n"
    names = [f"{s}{a}" for s in "eh" for a in AXES]
    return fields(d, names, 3, face) + f"input {', '.join(names)};\n" + loop(text, 1) + f"return {', '.join(names)};\n"


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


def elastic(d):
    """P and SV waves in a plane, velocity and stress, of fourth order."""
    d.size(2, 13)
    face = d.random.choice(["boundary value(0)", "boundary mirror", "boundary periodic"])

    def diff(u, a, ahead):
        near, far = (("+1", ""), ("+2", "-1")) if ahead else (("", "-1"), ("+1", "-2"))
        at = lambda s: f"{u}[{a}{s}]" if s else u
        return f"(1.125*({at(near[0])} - {at(near[1])}) - 0.0416667*({at(far[0])} - {at(far[1])}))"

    text = (
        f"    vx = vx + 0.01*b*({diff('txx', 'x', True)} + {diff('txy', 'y', False)});\n"
        f"    vy = vy + 0.01*b*({diff('txy', 'x', False)} + {diff('tyy', 'y', True)});\n"
        f"    txx = txx + 0.01*((l + 2*m)*{diff('vx', 'x', False)} + l*{diff('vy', 'y', False)});\n"
        f"    tyy = tyy + 0.01*((l + 2*m)*{diff('vy', 'y', False)} + l*{diff('vx', 'x', False)});\n"
        f"    txy = txy + 0.01*m*({diff('vx', 'y', True)} + {diff('vy', 'x', True)});\n"
    )
    names = ["vx", "vy", "txx", "tyy", "txy"]
    return (
        fields(d, names, 2, face)
        + fields(d, ["l", "m", "b"], 2)
        + f"input {', '.join(names)}, l, m, b;\n"
        + loop(text)
        + f"return {', '.join(names)};\n"
    )


def reaction(d, made):
    n = d.random.choice([2, 3])
    d.size(n, 4)
    return (
        fields(d, ["u", "v"], n, d.face())
        + fields(d, ["a", "b"], n)
        + "input u, v;\n"
        + loop(f"    a = u + 0.1*{lap('u', n)} + {made[0]};\n    b = v + 0.05*{lap('v', n)} + {made[1]};\n    u = a;\n    v = b;\n")
        + "return u, v;\n"
    )


def grayscott(d):
    return reaction(d, ("0.03*(1 - u) - u*v*v", "u*v*v - 0.09*v"))


def fitzhugh(d):
    """Cells that are excitable: a cubic, or exponentials of ion channels."""
    if d.random.random() < 0.5:
        return reaction(d, ("0.1*(u*(1 - u)*(u - 0.1) - v)", "0.01*(0.5*u - v)"))
    return reaction(d, ("0.1*(1/(1 + exp(-4*u)) - v)*(1 - u)", "0.02*(exp(-u*u) - v)/(1 + 0.5*exp(u))"))


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


def burgers(d):
    n = d.random.choice([1, 2, 3])
    d.size(n, 2 * n)
    v = [f"u{k}" for k in range(n)]
    text = ""
    for q in v:
        moved = " + ".join(f"{v[k]}*({v[k]} > 0 ? {q} - {q}{offset(k, n, -1)} : {q}{offset(k, n, 1)} - {q})" for k in range(n))
        text += f"    n{q} = {q} + 0.1*(0.05*{lap(q, n)} - ({moved}));\n"
    text += "".join(f"    {q} = n{q};\n" for q in v)
    return (
        fields(d, v, n, d.face())
        + fields(d, [f"n{q}" for q in v], n)
        + f"input {', '.join(v)};\n"
        + loop(text)
        + f"return {', '.join(v)};\n"
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


def euler(d):
    """Gas in one or two dimensions, Lax and Friedrichs: pressures by division."""
    n = d.random.choice([1, 2])
    d.size(n, 2 * (n + 2))
    m = [f"m{AXES[k]}" for k in range(n)]
    kinetic = " + ".join(f"{x}*{x}" for x in m)
    names = ["r"] + m + ["e"]
    text = f"    p = 0.4*(e - 0.5*({kinetic})/r);\n"
    for q in names:

        def flux(k, o):
            w = f"{m[k]}{o}/r{o}"
            if q == "r":
                return f"{m[k]}{o}"
            if q == "e":
                return f"(e{o} + p{o})*{w}"
            return f"{q}{o}*{w}" + (f" + p{o}" if q == m[k] else "")

        mean = " + ".join(f"{q}{offset(k, n, s)}" for k in range(n) for s in (-1, 1))
        diff = " + ".join(f"({flux(k, offset(k, n, 1))}) - ({flux(k, offset(k, n, -1))})" for k in range(n))
        text += f"    n{q} = {1 / (2 * n)}*({mean}) - 0.05*({diff});\n"
    text += "".join(f"    {q} = n{q};\n" for q in names)
    return (
        fields(d, names + ["p"], n, d.face())
        + fields(d, [f"n{q}" for q in names], n)
        + f"input {', '.join(names)};\n"
        + loop(text)
        + f"return {', '.join(names)};\n"
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


def bilateral(d):
    n, r = (2, d.random.choice([1, 1, 2])) if d.random.random() < 0.7 else (3, 1)
    d.size(n, 2)
    a = " + ".join(f"exp(-2*(u{o} - u)*(u{o} - u))*u{o}" for o in offsets_of_box(n, r))
    b = " + ".join(f"exp(-2*(u{o} - u)*(u{o} - u))" for o in offsets_of_box(n, r))
    return fields(d, ["u"], n, d.face()) + fields(d, ["a", "b", "v"], n) + f"input u;\na = {a};\nb = {b};\nv = a/b;\nreturn v;\n"


def canny(d):
    """Smoothed, differentiated, thinned: three stencils behind each other."""
    d.size(2, 2)
    smooth = "0.0625*(u[-1,-1] + u[1,-1] + u[-1,1] + u[1,1]) + 0.125*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) + 0.25*u"
    if d.random.random() < 0.5:
        smooth = box(d, "u", 2, 2)
    return (
        fields(d, ["u", "b", "m"], 2, d.face()) + fields(d, ["e"], 2) + "input u;\n" + f"b = {smooth};\n"
        "m = sqrt((b[1,0] - b[-1,0])*(b[1,0] - b[-1,0]) + (b[0,1] - b[0,-1])*(b[0,1] - b[0,-1]));\n"
        "e = m > m[-1,0] && m > m[1,0] && m > m[0,-1] && m > m[0,1] ? m : 0;\nreturn e;\n"
    )


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


def cahn(d):
    n = d.random.choice([2, 3])
    d.size(n, 2)
    mobility = d.random.random() < 0.4
    flux = f"(1 - c*c)*{lap('m', n)}" if mobility else lap("m", n)
    return (
        fields(d, ["c", "m"], n, d.face())
        + "input c;\n"
        + loop(f"    m = c*c*c - c - 0.5*{lap('c', n)};\n    c = c + 0.01*{flux};\n")
        + "return c;\n"
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


def heun(d):
    """Advection of two fields, predicted and corrected."""
    n = d.random.choice([1, 2, 3])
    d.size(n, 4)
    rate = (
        lambda a, b: " + ".join(f"{d.number()}*({a}{offset(k, n, 1)} - {a}{offset(k, n, -1)})" for k in range(n))
        + f" + {d.number()}*{b}"
    )
    text = (
        f"    a = u + 0.1*({rate('u', 'v')});\n    b = v - 0.1*({rate('v', 'u')});\n"
        f"    c = 0.5*(u + a + 0.1*({rate('a', 'b')}));\n    v = 0.5*(v + b - 0.1*({rate('b', 'a')}));\n    u = c;\n"
    )
    return fields(d, ["u", "v", "a", "b"], n, d.face()) + fields(d, ["c"], n) + "input u, v;\n" + loop(text) + "return u, v;\n"


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


def life(d):
    """A cellular automaton."""
    d.size(2, 2)
    near = " + ".join(f"u{o}" for o in offsets_of_box(2, 1) if o != "[0, 0]")
    return (
        fields(d, ["u"], 2, d.random.choice(["boundary periodic", "boundary value(0)"]))
        + fields(d, ["c"], 2)
        + "input u;\n"
        + loop(f"    c = {near};\n    u = c > 3.5 ? 0.5 : c > 2.5 ? 1 : c > 1.5 ? u : 0.5;\n")
        + "return u;\n"
    )


def lattice(d):
    """Populations that stream and relax: nine in a plane."""
    c = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    w = ["0.4444444"] + ["0.1111111"] * 4 + ["0.0277778"] * 4
    d.type = "float"
    d.size(2, 18)
    f = [f"f{i}" for i in range(9)]
    at = [f"{f[i]}[{-x}, {-y}]" for i, (x, y) in enumerate(c)]
    text = f"    r = {' + '.join(at)};\n"
    text += "    a = (" + " + ".join(f"{x}*{t}" for (x, _), t in zip(c, at) if x) + ")/r;\n"
    text += "    b = (" + " + ".join(f"{y}*{t}" for (_, y), t in zip(c, at) if y) + ")/r;\n"
    for i, (x, y) in enumerate(c):
        e = f"({x}*a + {y}*b)"
        text += f"    g{i} = 0.4*{at[i]} + 0.6*{w[i]}*r*(1 + 3*{e} + 4.5*{e}*{e} - 1.5*(a*a + b*b));\n"
    text += "".join(f"    f{i} = g{i};\n" for i in range(9))
    return (
        fields(d, f, 2, "boundary periodic")
        + fields(d, ["r", "a", "b"] + [f"g{i}" for i in range(9)], 2)
        + f"input {', '.join(f)};\n"
        + loop(text)
        + f"return {', '.join(f)};\n"
    )


def tensor(d):
    """Anisotropic diffusion: mixed derivatives with coefficients."""
    n = d.random.choice([2, 3])
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    d.size(n, 2 + len(pairs))
    k = [f"k{AXES[i]}{AXES[j]}" for i, j in pairs]
    terms = []
    for (i, j), name in zip(pairs, k):
        if i == j:
            terms.append(f"{name}*(u{offset(i, n, 1)} - 2*u + u{offset(i, n, -1)})")
        else:
            at = lambda a, b: "u[" + ", ".join(str(a if q == i else b if q == j else 0) for q in range(n)) + "]"
            terms.append(f"0.5*{name}*({at(1, 1)} - {at(1, -1)} - {at(-1, 1)} + {at(-1, -1)})")
    return (
        fields(d, ["u"], n, d.face(1))
        + fields(d, k, n)
        + f"input u, {', '.join(k)};\n"
        + loop("    u = u + 0.1*(" + " + ".join(terms) + ");\n")
        + "return u;\n"
    )


def curvature(d):
    """Level sets that move by their curvature: roots and quotients."""
    n = d.random.choice([2, 3])
    d.size(n, 2)
    first = [f"(0.5*(u{offset(k, n, 1)} - u{offset(k, n, -1)}))" for k in range(n)]
    norm = " + ".join(f"{f}*{f}" for f in first) + " + 0.01"
    second = " + ".join(f"(u{offset(k, n, 1)} - 2*u + u{offset(k, n, -1)})*(1 - {first[k]}*{first[k]}/({norm}))" for k in range(n))
    return fields(d, ["u"], n, d.face(1)) + "input u;\n" + loop(f"    u = u + 0.1*({second} - 0.5*sqrt({norm}));\n") + "return u;\n"


def kdv(d):
    """Waves along a line: third derivatives, a product."""
    d.size(1, 2)
    return (
        fields(d, ["u"], 1, d.face())
        + "input u;\n"
        + loop("    u = u - 0.01*((u[1] + u + u[-1])*(u[1] - u[-1]) + 0.1*(u[2] - 2*u[1] + 2*u[-1] - u[-2]));\n")
        + "return u;\n"
    )


def drawn(d):
    """None of them: arrays, reaches, functions and stages as they fall."""
    n, stages, inputs = d.random.choice([1, 2, 3, 3]), d.random.randint(1, 3), d.random.randint(1, 5)
    a = [f"a{i}" for i in range(inputs)]
    s = [f"s{i}" for i in range(stages)]
    d.size(n, inputs + stages)
    wrap = ["{}", "{}", "{}", "{}", "sqrt(abs({}) + 1)", "exp(-abs({}))", "1/(2 + abs({}))", "max({}, 0.1)", "sin({})"]
    text, known = "", list(a)
    for k, name in enumerate(s):
        used = d.random.sample(known, min(len(known), d.random.randint(1, 4)))
        if k > 0 and s[k - 1] not in used:
            used.append(s[k - 1])
        terms = []
        for u in used:
            r = d.radius() if stages == 1 else d.radius(1, 2)
            kind = d.random.choice(["own", "star", "star", "box", "some", "ahead"])
            if kind == "own":
                t = u
            elif kind == "star":
                t = "(" + star(d, u, n, r) + ")"
            elif kind == "box":
                t = "(" + box(d, u, n, 1) + ")"
            elif kind == "ahead":
                k0 = d.random.randrange(n)
                t = f"({u}{offset(k0, n, r)} - {u})"
            else:
                at = ["[" + ", ".join(str(d.random.randint(-r, r)) for _ in range(n)) + "]" for _ in range(d.random.randint(2, 6))]
                t = "(" + " + ".join(f"{d.number()}*{u}{o}" for o in at) + ")"
            terms.append(d.random.choice(wrap).format(t))
        text += f"{name} = " + d.random.choice([" + ", " + ", "*"]).join(terms) + ";\n"
        known.append(name)
    out = s[-1:] + [x for x in s[:-1] if d.random.random() < 0.3]
    return (
        "".join(fields(d, [u], n, d.face(2 if u in a else 0)) for u in a + s)
        + f"input {', '.join(a)};\n{text}return {', '.join(out)};\n"
    )


FIT = [copies, wave, heat, material, acoustic, grayscott, upwind, shallow, perona, harris, morphology, biharmonic, midpoint, mask]
JUDGE = [
    pointwise,
    boxes,
    divergence,
    yee,
    elastic,
    fitzhugh,
    burgers,
    euler,
    bilateral,
    canny,
    cahn,
    heun,
    life,
    lattice,
    tensor,
    curvature,
    kdv,
]
RANDOM = 3  # of those that are of no family, beside one draw of each


def programs(seed, each, scale=1.0):
    """The first draw of every family, then the second of each, and so on."""
    counted = {}
    for k in range(each):
        for group, families in (("fit", FIT), ("judge", JUDGE)):
            for family in families + [drawn] * RANDOM:
                name = f"{family.__name__}{k}"
                if family is drawn:
                    counted[group] = counted.get(group, 0) + 1
                    name = f"drawn_{group}{counted[group] - 1}"
                draw = Draw(seed, group, name, scale)
                text = family(draw)
                yield {"name": name, "family": family.__name__, "group": group, "type": draw.type, "extents": draw.extents}, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=2, help="draws a family")
    parser.add_argument("--out", required=True)
    parser.add_argument("--scale", type=float, default=1, help="of the arrays: 1 is 160 to 430 MB")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    found = []
    for about, text in programs(arguments.seed, arguments.each, arguments.scale):
        (out / f"{about['name']}.kas").write_text(text)
        found.append(about)
    (out / "programs.json").write_text(json.dumps(found, indent=1) + "\n")
    sizes = {p["name"]: " ".join(f"--set {x}={n}" for x, n in p["extents"].items()) for p in found}
    (out / "programs.txt").write_text("".join(f"{p['name']}.kas {sizes[p['name']]}\n" for p in found))


if __name__ == "__main__":
    main()
