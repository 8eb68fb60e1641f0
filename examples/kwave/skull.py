#!/usr/bin/env python3
"""Writes an input file of k-Wave's format: a pulse of focused ultrasound through a skull, in two dimensions.

    skull.py [--cell MILLIMETRES] [--pressure MEGAPASCAL] OUTPUT.h5

A bowl of 64 mm radius and aperture sends ten periods of 500 kHz through skin, bone and brain. Materials are those of the
benchmarks for transcranial ultrasound (Aubry et al., J. Acoust. Soc. Am. 152(2), 2022): sound speed and absorption at
500 kHz. B/A: Duck, Physical Properties of Tissue, 1990; of bone none is known, so it has that of water.
Needs NumPy and h5py.
"""

import argparse

import h5py
import numpy as np

FREQUENCY, PERIODS = 500e3, 10
POWER = 1.5  # of absorption: one for all materials, as the format has it
#               m/s  kg/m^3  dB/cm  B/A
MATERIALS = {
    "water": (1500, 1000, 0.0, 5.0),
    "skin": (1610, 1090, 0.4, 6.6),
    "cortical bone": (2800, 1850, 4.0, 5.0),
    "trabecular bone": (2300, 1700, 8.0, 5.0),
    "brain": (1560, 1040, 0.3, 6.6),
}
RADIUS = APERTURE = 64e-3
STANDOFF = 30e-3  # from the bowl's middle to the skin
WIDTH, HEIGHT = 115.2e-3, 76.8e-3
LAYER = 20  # absorbing cells at each side


class Grid:
    def __init__(self, cell):
        self.cell = cell
        self.nx, self.ny = round(WIDTH / cell), round(HEIGHT / cell)
        self.x = (np.arange(self.nx) - LAYER - 4) * cell  # from the middle of the bowl, along the beam
        self.y = (np.arange(self.ny) - self.ny // 2) * cell
        self.dt = 0.25 * cell / max(c for c, *_ in MATERIALS.values())
        self.steps = round(70e-6 / self.dt)

    def at(self, x, y):
        """Number of the cell at a place, from 1, x fastest."""
        i, j = round(x / self.cell) + LAYER + 4, round(y / self.cell) + self.ny // 2
        return i + self.nx * j + 1


def head(grid):
    """The material of each cell [y, x]: a head of 80 mm radius whose bone is of uneven thickness, not quite in the beam's
    middle."""
    x, y = grid.x[None], grid.y[:, None] - 12e-3
    depth = 80e-3 - np.hypot(x - STANDOFF - 80e-3, y)  # below the skin
    angle = np.arctan2(y, STANDOFF + 80e-3 - x)
    trabecular = 4e-3 + 1e-3 * np.sin(19 * angle) + 0.6e-3 * np.sin(41 * angle + 1)
    below = np.cumsum([0 * angle, 0 * angle + 4e-3, 0 * angle + 1.5e-3, trabecular, 0 * angle + 1e-3], axis=0)
    names = list(MATERIALS)
    order = ["skin", "cortical bone", "trabecular bone", "cortical bone", "brain"]
    labels = np.zeros(depth.shape, int)
    for top, name in zip(below, order):
        labels[depth >= top] = names.index(name)
    return labels


def media(grid):
    c, rho, loss, nonlinearity = (np.array(column)[head(grid)] for column in zip(*MATERIALS.values()))
    nepers = loss / (20 * np.log10(np.e)) * 100  # a metre
    # A medium that absorbs by a power law is dispersive, and its file holds the sound speed at low frequencies.
    c0 = 1 / (1 / c - nepers * np.tan(np.pi * POWER / 2) / (2 * np.pi * FREQUENCY))
    alpha = loss / (FREQUENCY / 1e6) ** POWER
    # Velocities lie half a cell on: there density is the mean with the next cell's; the last keeps its own.
    right = np.concatenate([rho[:, 1:], rho[:, -1:]], axis=1)
    below = np.concatenate([rho[1:], rho[-1:]], axis=0)
    density = {"rho0": rho, "rho0_sgx": (rho + right) / 2, "rho0_sgy": (rho + below) / 2}
    return {"c0": c0, **density, "alpha_coeff": alpha, "BonA": nonlinearity}


def bowl(grid):
    """Cells of the source, and how much of a plane source each is: the arc, in pieces of a quarter of a cell, each spread
    over the cells about it by a band-limited interpolant (a sinc under a window)."""
    reach, shape = 4, 5.0
    share = np.zeros((grid.ny, grid.nx))
    pieces = round(8 * RADIUS * np.arcsin(APERTURE / 2 / RADIUS) / grid.cell)
    angles = (np.arange(pieces) + 0.5) / pieces * 2 - 1
    angles *= np.arcsin(APERTURE / 2 / RADIUS)
    piece = RADIUS * (angles[1] - angles[0]) / grid.cell

    def interpolant(place):
        cells = np.floor(place).astype(int)[:, None] + np.arange(1 - reach, reach + 1)
        away = cells - place[:, None]
        return cells, np.sinc(away) * np.i0(shape * np.sqrt(np.maximum(0, 1 - (away / reach) ** 2))) / np.i0(shape)

    columns, along_x = interpolant(RADIUS * (1 - np.cos(angles)) / grid.cell + LAYER + 4)
    rows, along_y = interpolant(RADIUS * np.sin(angles) / grid.cell + grid.ny // 2)
    np.add.at(share, (rows[:, :, None], columns[:, None]), piece * along_y[:, :, None] * along_x[:, None])
    cells = np.flatnonzero(np.abs(share) > 1e-3)
    return cells + 1, share.flat[cells]


def signal(grid, pressure):
    t = np.arange(round(PERIODS / FREQUENCY / grid.dt)) * grid.dt
    rise = np.minimum(1, np.minimum(t, t[-1] - t) * FREQUENCY / 2)
    return pressure * np.sin(np.pi / 2 * rise) ** 2 * np.sin(2 * np.pi * FREQUENCY * t)


def contents(grid, pressure):
    """All datasets of the file. Signals are scaled as k-Wave scales them: by 2 dt/(N c0 dx), N dimensions."""
    cells, share = bowl(grid)
    samples = signal(grid, pressure)
    scale = 2 * grid.dt / (2 * MATERIALS["water"][0] * grid.cell)
    medium = media(grid)
    # Before the skin, in the brain, at the bowl's focus.
    sensors = [grid.at(x, 0) for x in (20e-3, RADIUS - 12e-3, RADIUS)]
    numbers = dict(Nx=grid.nx, Ny=grid.ny, Nz=1, Nt=grid.steps, pml_x_size=LAYER, pml_y_size=LAYER, pml_z_size=0)
    numbers.update(nonlinear_flag=1, absorbing_flag=1, nonuniform_grid_flag=0, axisymmetric_flag=0, elastic_flag=0)
    numbers.update({f"{name}_source_flag": 0 for name in "p0 ux uy uz sxx syy szz sxy sxz syz transducer".split()})
    numbers.update(p_source_flag=len(samples), p_source_mode=2, p_source_many=1, sensor_mask_type=0)
    reals = dict(dt=grid.dt, dx=grid.cell, dy=grid.cell, c_ref=medium["c0"].max(), alpha_power=POWER)
    reals.update(pml_x_alpha=2, pml_y_alpha=2)
    yield from ((name, np.uint64([[[value]]])) for name, value in numbers.items())
    yield from ((name, np.float32([[[value]]])) for name, value in reals.items())
    yield from ((name, np.float32(values[None])) for name, values in medium.items())
    yield "sensor_mask_index", np.uint64([[sensors]])
    yield "p_source_index", np.uint64(cells[None, None])
    yield "p_source_input", np.float32(scale * samples[:, None] * share)[None]


def main():
    parser = argparse.ArgumentParser(description="Focused ultrasound through a skull, as an input file of k-Wave.")
    parser.add_argument("output", metavar="OUTPUT.h5")
    parser.add_argument("--cell", type=float, default=0.4, help="spacing of the grid, mm")
    parser.add_argument("--pressure", type=float, default=1.0, help="at the bowl, MPa")
    arguments = parser.parse_args()
    grid = Grid(arguments.cell * 1e-3)

    with h5py.File(arguments.output, "w") as file:
        for name, values in contents(grid, arguments.pressure * 1e6):
            dataset = file.create_dataset(name, data=values)
            dataset.attrs["data_type"] = np.bytes_("long" if values.dtype == np.uint64 else "float")
            dataset.attrs["domain_type"] = np.bytes_("real")
        attributes = {"created_by": "skull.py", "creation_date": "01-Jan-2026-00-00-00", "file_type": "input"}
        attributes.update(file_description="ultrasound through a skull", major_version="1", minor_version="2")
        for name, value in attributes.items():
            file.attrs[name] = np.bytes_(value)
    cells = f"{grid.nx} x {grid.ny} cells of {arguments.cell} mm"
    print(f"{cells}, {grid.steps} steps of {grid.dt * 1e9:.1f} ns")


if __name__ == "__main__":
    main()
