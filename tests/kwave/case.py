"""One simulation with its media, sources and sensors, drawn at random from its name."""

import zlib

import numpy as np

AXES = "xyz"


def single(value):
    """Rounded to single precision, in double precision."""
    return np.float64(np.float32(value))


def exact(signal, scale):
    """A signal whose product with its scale is exact in single precision."""
    return single(signal * scale) / scale


class Case:
    """One simulation: what its name says. Lengths in cells."""

    def __init__(self, name, shape, steps, pml, spacing, axisymmetric=False):
        self.name, self.shape, self.steps, self.pml = name, shape, steps, pml
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.spacing = tuple(single(1e-4 * s) for s in spacing)
        self.dt = single(2e-8)
        self.medium = {"sound_speed": 1500.0, "density": 1000.0}
        self.writer = "legacy"  # or "new": kspaceFirstOrder(backend="cpp")
        self.package_scales = True  # the legacy writer scales sources itself
        self.p0 = self.p = self.u = self.transducer = self.corners = None
        self.axisymmetric = axisymmetric  # x is the axis, y the radius
        self.velocity = self.unstaggered = False  # velocities are recorded too; and where pressure is
        # The reference is what reference_solver.py makes of the file; the package's own solver has no axes of symmetry.
        self.from_file = axisymmetric
        self.fields = ("p_final",) if len(shape) == 2 else ()  # whole fields that are recorded
        cells = self.random.choice(np.prod(shape), 20 if len(shape) == 2 else 24, replace=False)
        self.sensors = np.unique(np.concatenate([[0, np.prod(shape) - 1], cells]))  # x fastest, from 0

    def smooth(self, width):
        """Random field in [-1, 1], smooth over `width` cells, not periodic."""
        noise = self.random.standard_normal([2 * n for n in self.shape])
        k2 = sum(np.meshgrid(*[(2 * np.pi * np.fft.fftfreq(2 * n)) ** 2 for n in self.shape], indexing="ij"))
        field = np.fft.ifftn(np.fft.fftn(noise) * np.exp(-k2 * width**2 / 2)).real
        field = field[tuple(slice(n) for n in self.shape)]
        return field / np.abs(field).max()

    def heterogeneous(self, *names):
        """Media that vary by some per cent. Rounded: the files get small."""
        fields = {
            "sound_speed": lambda f: np.round(1500 + 120 * f),
            "density": lambda f: np.round(1000 + 100 * f),
            "BonA": lambda f: np.round(8 * (6 + 2 * f)) / 8,
            "alpha_coeff": lambda f: np.round(16 * (3 + 2 * f)) / 16,
        }
        for name in names:
            self.medium[name] = fields[name](self.smooth(4))

    def initial_pressure(self, amplitude=5e6):
        """Some bumps, one of them reaching into the absorbing layer."""
        grids = np.meshgrid(*[np.arange(n) for n in self.shape], indexing="ij")
        p0 = np.zeros(self.shape)
        for place, width, sign in ((0.35, 2.0, 1.0), (0.55, 2.5, -0.6), (0.12, 1.8, 0.5)):
            r2 = sum((g - place * n * (1 + 0.1 * i)) ** 2 for i, (g, n) in enumerate(zip(grids, self.shape)))
            p0 += sign * np.exp(-r2 / (2 * width**2))
        self.p0 = np.round(p0 * amplitude / 1024) * 1024

    def signals(self, count, samples):
        """Tone bursts of about 1.5 MHz, each with its own delay, phase and amplitude. The last sample is not 0."""
        t = np.arange(samples)[None]
        delay, phase = self.random.uniform(0, 8, (count, 1)), self.random.uniform(0, np.pi, (count, 1))
        window = 1 - np.exp(-(((t + 1) / 6) ** 2))
        return self.random.uniform(0.6, 1, (count, 1)) * window * np.sin(2 * np.pi * 0.03 * (t - delay) + phase)

    def source_mask(self, place, extent):
        """An oblique line (2D) or patch (3D) of cells; around an axis it begins there."""
        mask = np.zeros(self.shape)
        row = 0 if self.axisymmetric else self.shape[1] // 3
        for j in range(extent):
            for k in range(4 if len(self.shape) == 3 else 1):
                mask[(place + j // 3 + k, row + j, self.shape[-1] // 3 + k)[: len(self.shape)]] = 1
        return mask

    def at(self, mask):
        """Sound speed at the cells of a mask, as a column."""
        c0 = np.broadcast_to(self.medium["sound_speed"], self.shape)
        return c0.ravel(order="F")[mask.ravel(order="F") != 0][:, None]

    def pressure_source(self, mode, many, place=12):
        """A source of pressure that ends before the simulation, or, in one mode, would last longer."""
        mask = self.source_mask(place, 10 if len(self.shape) == 2 else 5)
        count = int(mask.sum()) if many else 1
        c0 = self.at(mask)[:count]
        dimensions = len(self.shape)
        if mode == "dirichlet":
            scale = 1 / (dimensions * c0**2)
        else:
            scale = 2 * self.dt / (dimensions * c0 * self.spacing[0])
        self.p = {"mask": mask, "mode": mode, "scale": scale}
        samples = self.steps + 5 if mode == "additive-no-correction" and not many else 2 * self.steps // 3
        self.p["signal"] = exact(1e6 * self.signals(count, samples), scale)

    def velocity_source(self, mode, many, place=14):
        """A source of velocity, of another length along each axis."""
        mask = self.source_mask(place, 10 if len(self.shape) == 2 else 5)
        count = int(mask.sum()) if many else 1
        c0 = self.at(mask)[:count]
        self.u = {"mask": mask, "mode": mode}
        for i, a in enumerate(AXES[: len(self.shape)]):
            scale = np.ones_like(c0) if mode == "dirichlet" else 2 * c0 * self.dt / self.spacing[i]
            signals = self.signals(count, self.steps // 2 + 5 * i)
            self.u[a] = {"scale": scale, "signal": exact(0.5 * signals, scale)}
        if mode == "dirichlet":
            self.package_scales = False  # else the legacy writer drops ux
