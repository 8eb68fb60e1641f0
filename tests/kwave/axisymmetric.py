"""Derivatives around an axis for reference_solver.py, from the equations alone.

Points are y = 0, dy, … from the axis. Of waves k = (j + 1/2) pi/(Ny dy) a pressure is a sum of cos(k y), even about the axis
and odd about y = Ny dy; what flows along y, at half points, is a sum of sin(k y), and by its radius a sum of cos(k y). The
sums are written as matrices, and their inverses tell the waves of given points. Along x as without an axis.
"""

import numpy as np

from reference_solver import Operators, along, rounded


class AxisymmetricOperators(Operators):
    """Operators and absorbing layers of one file with axisymmetric_flag 1. The layer of y is at its far end alone."""

    def __init__(self, f):
        self.spacing = f["dy"]
        super().__init__(f)
        y, half = f["dy"] * np.arange(f["Ny"])[:, None], f["dy"] * (np.arange(f["Ny"]) + 0.5)[:, None]
        k = self.wave_numbers["y"].ravel()
        self.radius = half[None, :, :]
        self.even, self.odd = np.cos(k * y), np.sin(k * half)
        self.waves_of_even, self.waves_of_odd = np.linalg.inv(self.even), np.linalg.inv(self.odd)
        self.waves_of_quotient = np.linalg.inv(np.cos(k * half))

    def wave_numbers_along(self, f, a):
        if a == "x":
            return super().wave_numbers_along(f, a)
        return along(a, np.pi * (np.arange(f["Ny"]) + 0.5) / (f["Ny"] * f["dy"]))

    def layer(self, f, a, offset):
        profile = super().layer(f, a, offset)
        if a == "y":
            profile[:, : f["Ny"] - f["pml_y_size"]] = 1
        return profile

    def round(self, real):
        super().round(real)
        for name in "radius even odd waves_of_even waves_of_odd waves_of_quotient kappa".split():
            setattr(self, name, rounded(getattr(self, name), real))
        self.wave_numbers = {a: rounded(k, real) for a, k in self.wave_numbers.items()}

    def waves(self, matrix, field):
        return np.fft.rfft(matrix @ field, axis=2)

    def cells(self, matrix, waves):
        return matrix @ np.fft.irfft(waves, self.shape[2], axis=2)

    def gradient(self, p):
        waves = self.waves(self.waves_of_even, p)
        along_y = self.cells(self.odd, -self.wave_numbers["y"] * self.kappa * waves)
        return {"x": self.cells(self.even, self.forward["x"] * waves), "y": along_y}

    def slopes(self, u):
        """The parts of the divergence: the second is (1/y) d(y u_y)/dy."""
        of_x = self.backward["x"] * self.waves(self.waves_of_even, u["x"])
        of_y = self.wave_numbers["y"] * self.waves(self.waves_of_odd, u["y"])
        of_y = self.kappa * (of_y + self.waves(self.waves_of_quotient, u["y"] / self.radius))
        return {"x": self.cells(self.even, of_x), "y": self.cells(self.even, of_y)}

    def corrected(self, field, what):
        if what == "uy":
            return self.cells(self.odd, self.source_kappa * self.waves(self.waves_of_odd, field))
        return self.cells(self.even, self.source_kappa * self.waves(self.waves_of_even, field))
