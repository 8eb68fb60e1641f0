"""The programs of devito_steps.py in Devito: the same sums, with zeros beyond the grid. Devito's last axis is contiguous,
so its z is kasc's x; all programs but Yee's and the elastic waves are the same along all axes, and these two are written
in Devito's axes from the outside inwards."""

import os

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_ARCH", "gcc")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")

import devito
import numpy as np
from devito import Eq, Function, Grid, Operator, TimeFunction

VERSION = devito.__version__


class Fields:
    """u(name, step, x=1): word of a field at a step of time (0, 1) and so many cells beside, in kasc's axes."""

    def __init__(self, n, order, levels=1):
        self.grid, self.order, self.levels = Grid(shape=(n, n, n), dtype=np.float32), order, levels
        self.time, self.z, self.y, self.x = self.grid.stepping_dim, *self.grid.dimensions
        self.moving, self.fixed = {}, {}

    def add(self, *names):
        for name in names:
            self.moving[name] = TimeFunction(name=name, grid=self.grid, space_order=self.order, time_order=self.levels)

    def constant(self, *names):
        for name in names:
            self.fixed[name] = Function(name=name, grid=self.grid, space_order=self.order)

    def __call__(self, name, step=0, **at):
        place = (self.z + at.get("z", 0), self.y + at.get("y", 0), self.x + at.get("x", 0))
        return self.fixed[name][place] if name in self.fixed else self.moving[name][(self.time + step, *place)]

    def next(self, name, value):
        return Eq(self(name, 1), value)


def wave8(n):
    u = Fields(n, 8, 2)
    u.add("p")
    u.constant("c")
    weights = [-2.847222, 1.6, -0.2, 0.02539683, -0.001785714]

    def second(axis):
        pairs = (weights[k] * (u("p", **{axis: k}) + u("p", **{axis: -k})) for k in range(1, 5))
        return weights[0] * u("p") + sum(pairs)

    laplacian = second("x") + second("y") + second("z")
    return u, [u.next("p", 2 * u("p") - u("p", -1) + 0.1 * u("c") * laplacian)]


def diffusion(n):
    u = Fields(n, 4)
    u.add("T")
    u.constant("beta")

    def second(a):
        return 16 * (u("T", **{a: -1}) + u("T", **{a: 1})) - (u("T", **{a: -2}) + u("T", **{a: 2})) - 30 * u("T")

    return u, [u.next("T", u("T") + 0.01 / 12 * u("beta") * (second("x") + second("y") + second("z")))]


def yee(n):
    u = Fields(n, 2)
    u.add("ex", "ey", "ez", "hx", "hy", "hz")

    def forward(name, axis):
        return u(name, **{axis: 1}) - u(name)

    def backward(name, axis):
        return u(name, 1) - u(name, 1, **{axis: -1})

    steps = []
    for a, b, c in ("xyz", "yzx", "zxy"):
        steps.append(u.next("h" + a, u("h" + a) + 0.3 * (forward("e" + b, c) - forward("e" + c, b))))
    for a, b, c in ("xyz", "yzx", "zxy"):
        steps.append(u.next("e" + a, u("e" + a) + 0.3 * (backward("h" + c, b) - backward("h" + b, c))))
    return u, steps


def elastic(n):
    u = Fields(n, 4)
    u.add("txx", "tyy", "tzz", "txy", "txz", "tyz", "vx", "vy", "vz")
    u.constant("lam", "mu", "b")

    def up(name, axis, step=0):
        near = u(name, step, **{axis: 1}) - u(name, step)
        return 1.125 * near - 0.04166667 * (u(name, step, **{axis: 2}) - u(name, step, **{axis: -1}))

    def down(name, axis, step=0):
        near = u(name, step, **{axis: -1}) - u(name, step)
        return 1.125 * near - 0.04166667 * (u(name, step, **{axis: -2}) - u(name, step, **{axis: 1}))

    dt, steps = 0.01, []
    for axis in "xyz":
        forces = (up("t" + 2 * axis, a) if a == axis else down("t" + "".join(sorted(axis + a)), a) for a in "xyz")
        steps.append(u.next("v" + axis, u("v" + axis) + dt * u("b") * sum(forces)))
    for axis in "xyz":
        own = (u("lam") + 2 * u("mu")) * down("v" + axis, axis, 1)
        others = u("lam") * sum(down("v" + a, a, 1) for a in "xyz" if a != axis)
        steps.append(u.next("t" + 2 * axis, u("t" + 2 * axis) + dt * (own + others)))
    for a, b in ("xy", "xz", "yz"):
        shear = up("v" + a, b, 1) + up("v" + b, a, 1)
        steps.append(u.next("t" + a + b, u("t" + a + b) + dt * u("mu") * shear))
    return u, steps


def grayscott(n):
    u = Fields(n, 2)
    u.add("u", "v")

    def laplacian(name):
        return sum(u(name, **{a: k}) for a in "xyz" for k in (-1, 1)) - 6 * u(name)

    made = u("u") * u("v") * u("v")
    return u, [
        u.next("u", u("u") + 0.1 * laplacian("u") - made + 0.03 * (1 - u("u"))),
        u.next("v", u("v") + 0.05 * laplacian("v") + made - (0.03 + 0.06) * u("v")),
    ]


class Steps:
    """A program of this file: run(steps) returns milliseconds a step, as Devito measures its loops."""

    def __init__(self, name, n):
        self.fields, equations = globals()[name](n)
        self.operator = Operator(equations)
        self.first = self.fields.levels - 1
        # Two levels are two inputs of kasc's.
        self.inputs = [*self.fields.moving, *self.fields.fixed] + (["q"] if self.first else [])

    def set(self, inputs):
        for name, field in self.fields.moving.items():
            field.data_with_halo[:] = 0
            field.data[self.first] = inputs[name]
            if self.first:
                field.data[0] = inputs["q"]
        for name, field in self.fields.fixed.items():
            field.data_with_halo[:] = 0
            field.data[:] = inputs[name]

    def run(self, steps):
        summary = self.operator.apply(time_m=self.first, time_M=self.first + steps - 1)
        return 1e3 * sum(section.time for section in summary.values()) / steps

    def results(self, inputs, steps):
        self.set(inputs)
        self.run(steps)
        at = self.first + steps
        results = {name: np.array(f.data[at % f.data.shape[0]]) for name, f in self.fields.moving.items()}
        if self.first:
            for name, f in list(self.fields.moving.items()):
                results["q"] = np.array(f.data[(at - 1) % f.data.shape[0]])
        return results

    def release(self):
        pass
