"""All cases of the references."""

import numpy as np

from case import Case, exact, single

MODES = ("dirichlet", "additive-no-correction", "additive")


class Maker:
    """Makes cases of one number of dimensions and one size. Those with a source of pressure have equal spacings, as the
    package scales each axis by its own."""

    def __init__(self, dimensions, full):
        self.dimensions = dimensions
        if full:
            self.shape, self.steps = ((128, 128) if dimensions == 2 else (64, 64, 64)), 200
            self.pml = (20, 20) if dimensions == 2 else (10, 10, 10)
        else:
            self.shape, self.steps = ((64, 48) if dimensions == 2 else (32, 30, 24)), 60
            self.pml = (10, 8) if dimensions == 2 else (6, 5, 4)
        self.cube, self.cuboid = (1, 1, 1)[:dimensions], (1, 1.1, 1.25)[:dimensions]
        self.odd = tuple(n - 1 - 2 * i for i, n in enumerate(self.shape))

    def __call__(self, name, shape=None, spacing=None):
        name = f"{self.dimensions}d_{name}"
        return Case(name, shape or self.shape, self.steps, self.pml, spacing or self.cuboid)


def initial_pressures(new):
    """Cases without sources."""
    case = new("p0_homogeneous")
    case.writer = "new"
    case.initial_pressure()
    yield case

    case = new("p0_odd_size", shape=new.odd)
    case.writer = "new"
    case.initial_pressure()
    case.velocity = case.unstaggered = new.dimensions == 2
    case.fields = ("p_final",)
    yield case

    for writer in ("new", "legacy"):
        case = new("p0_heterogeneous" + ("_legacy" if writer == "legacy" else ""))
        case.random = np.random.default_rng(new.dimensions)  # the same media twice
        case.writer = writer
        case.from_file = writer == "new"  # it writes other rho0_sg than the package's solver uses
        case.heterogeneous("sound_speed", "density")
        case.initial_pressure()
        yield case

    case = new("p0_nonlinear")
    case.medium["BonA"] = 6.0
    case.initial_pressure()
    yield case

    case = new("p0_stokes")
    case.writer = "new"
    case.medium.update(alpha_coeff=2.0, alpha_power=2.0)
    case.initial_pressure()
    yield case

    case = new("p0_heterogeneous_stokes")
    case.heterogeneous("sound_speed", "density", "alpha_coeff")
    case.medium["alpha_power"] = 2.0
    case.initial_pressure()
    if new.dimensions == 2:
        yield case

    case = new("p0_power_law")
    case.medium.update(alpha_coeff=2.0, alpha_power=single(1.1))
    case.initial_pressure()
    yield case

    case = new("p0_power_law_nonlinear_heterogeneous")
    case.heterogeneous("sound_speed", "density", "BonA", "alpha_coeff")
    case.medium["alpha_power"] = 1.5
    case.initial_pressure()
    case.velocity, case.unstaggered = True, new.dimensions == 2
    case.fields = ("p_final", "p_max_all", "p_min_all", "ux_final", "uy_final")
    if new.dimensions == 3:
        case.fields = ("p_final", "uz_final")
    yield case


def sources(new):
    """Sources of pressure and of velocity."""
    for mode in MODES:
        for many in (False, True):
            case = new(f"p_{mode.replace('-', '_')}_{'many' if many else 'one'}", spacing=new.cube)
            case.pressure_source(mode, many)
            yield case
    for mode in MODES:
        for many in (False, True):
            case = new(f"u_{mode.replace('-', '_')}_{'many' if many else 'one'}")
            case.velocity_source(mode, many)
            case.velocity = True
            yield case

    for mode in ("dirichlet", "additive"):
        case = new(f"p_u_{mode}_heterogeneous", spacing=new.cube)
        case.heterogeneous("sound_speed", "density")
        case.pressure_source(mode, many=True)
        case.velocity_source(mode, many=True)
        case.package_scales = False  # the legacy writer errs where sound speed varies
        if new.dimensions == 2 or mode == "additive":
            yield case

    case = new("p_u_power_law_nonlinear", spacing=new.cube)
    case.heterogeneous("density")
    case.medium.update(BonA=6.0, alpha_coeff=2.0, alpha_power=1.5)
    case.pressure_source("additive", many=True)
    case.velocity_source("additive", many=True, place=20)
    case.velocity = True
    yield case

    case = new("p0_u")  # what the source adds in the first step is lost
    case.initial_pressure()
    case.velocity_source("additive", many=False)
    case.velocity = True
    if new.dimensions == 2:
        yield case


def boxes_and_transducers(new):
    """Sensors by corners, and a transducer."""
    case = new("corners")
    case.corners = [(20, 25, 22, 30), (40, 10, 45, 12), (5, 5, 5, 5)]
    if new.dimensions == 3:
        case.corners = [(9, 8, 7, 11, 12, 9), (20, 15, 12, 23, 15, 13), (4, 4, 4, 4, 4, 4)]
    case.initial_pressure()
    case.velocity = new.dimensions == 2
    yield case

    if new.dimensions == 3:
        case = new("transducer", spacing=new.cube)
        scale = 2 * 1500.0 * case.dt / case.spacing[0]
        case.transducer = np.ravel(exact(0.5 * case.signals(1, 25), scale))
        case.velocity = True
        yield case


def around_an_axis(full):
    """Two dimensions, x along the axis and y away from it: k-Wave's kspaceFirstOrderAS."""
    two = Maker(2, full)

    def new(name, shape=two.shape, spacing=two.cuboid):
        return Case(f"as_{name}", shape, two.steps, two.pml, spacing, axisymmetric=True)

    for name, shape in (("p0_homogeneous", two.shape), ("p0_odd_size", two.odd)):
        case = new(name, shape)
        case.initial_pressure()
        case.velocity = case.unstaggered = name == "p0_odd_size"
        yield case

    case = new("p0_stokes_nonlinear_heterogeneous")
    case.heterogeneous("sound_speed", "density", "BonA", "alpha_coeff")
    case.initial_pressure()
    case.velocity, case.fields = True, ("p_final", "p_max_all", "p_min_all", "ux_final", "uy_final")
    yield case

    for mode, many in zip(MODES, (False, True, True)):
        case = new(f"p_{mode.replace('-', '_')}_{'many' if many else 'one'}", spacing=two.cube)
        case.pressure_source(mode, many)
        yield case
    for mode in ("dirichlet", "additive"):
        case = new(f"u_{mode}_many")
        case.velocity_source(mode, many=True)
        case.velocity = True
        yield case

    case = new("corners")
    case.corners = [(20, 25, 22, 30), (16, 1, 21, 3), (5, 5, 5, 5)]
    case.initial_pressure()
    yield case


def cases(full):
    """All of them, small or full."""
    yield from around_an_axis(full)
    for dimensions in (2, 3):
        new = Maker(dimensions, full)
        yield from initial_pressures(new)
        yield from sources(new)
        yield from boxes_and_transducers(new)
