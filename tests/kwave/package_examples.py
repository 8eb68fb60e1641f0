#!/usr/bin/env python3
"""The examples of k-Wave's Python package, each simulation run by kasc and by the package's own solver, which must agree at
all sensors.

    package_examples.py [--only TEXT] [--solver COMMAND] [FOLDER]

FOLDER is the package's folder `examples`, which its repository has and its wheel has not; $KWAVE_EXAMPLES if it is not
named. COMMAND is kasc-kwave; without it kasc's own package is asked (kasc.kwave.install). Exit status 77, and why, where
the package or its examples are not there. Here stands which examples there are and what is changed in them, none of
their text.
"""

import argparse
import copy
import importlib.metadata
import importlib.util
import os
import pathlib
import runpy
import sys
import tempfile
import time
import warnings

# Largest difference at the sensors over the largest value there: single precision beside double, some thousand steps.
BOUND = 1e-4

# What is changed, beside sensors between cells, which are moved to the nearest (kasc's and k-Wave's files know cells alone),
# signals of the interface without options, which are scaled, and drawing, which goes nowhere:
#   calls   only so many of the simulations, and nothing that follows
#   steps   no more time steps than that
#   bound   another one, where the package writes other densities between cells than its own solver uses
#   skip    not run, and why
ONE_D = {"skip": "one dimension, which k-Wave's commands do not compute"}
AXES = {"skip": "axisymmetric, which kasc does not compute"}
TRANSDUCER = {"skip": "a transducer, which the package's own solver does not know"}
LAYER = {"skip": "layers around the grid that are wider than half of it, which the package's own solver refuses"}
LONG = {"skip": "longer than 100 seconds on two cores, with 20 time steps"}
NEW = {
    "ivp_1D_simulation": ONE_D,
    "ivp_3D_simulation": {"steps": 100},
    "ivp_binary_sensor_mask": {},
    "ivp_heterogeneous_medium": {},
    "ivp_homogeneous_medium": {},
    "ivp_loading_external_image": {},
    "ivp_photoacoustic_waveforms": {},
    "ivp_recording_particle_velocity": {},
    "ivp_saving_movie_files": {},
    "na_controlling_the_PML": {},
    "na_filtering_part_1": ONE_D,
    "na_filtering_part_2": ONE_D,
    "na_filtering_part_3": ONE_D,
    "na_modelling_nonlinearity": ONE_D,
    "na_optimising_performance": {"steps": 300},
    "na_source_smoothing": ONE_D,
    "pr_2D_FFT_line_sensor": {},
    "pr_3D_FFT_planar_sensor": {"steps": 100},
    "sd_directional_array_elements": {},
    "sd_directivity_modelling_2D": {"calls": 2},
    "sd_directivity_modelling_3D": {"calls": 1, "steps": 200},
    "sd_focussed_detector_2D": {},
    "sd_focussed_detector_3D": {"calls": 1, "steps": 200},
    "tvsp_3D_simulation": {"steps": 100},
    "tvsp_doppler_effect": {"steps": 1000},
    "tvsp_homogeneous_medium_dipole": {},
    "tvsp_homogeneous_medium_monopole": {},
    "tvsp_snells_law": {},
    "tvsp_steering_linear_array": {},
}
LEGACY = {
    "at_array_as_sensor": {"calls": 1, "steps": 200},
    "at_array_as_source": {"calls": 1, "steps": 200},
    "at_circular_piston_3D": LAYER,
    "at_circular_piston_AS": AXES,
    "at_focused_annular_array_3D": LONG,
    "at_focused_bowl_3D": LONG,
    "at_focused_bowl_AS": AXES,
    "at_linear_array_transducer": LONG,
    "checkpointing": {"skip": "ends at a checkpoint, which the package's own solver does not"},
    "ivp_photoacoustic_waveforms": {},
    "pr_2D_FFT_line_sensor": {"calls": 1},
    "pr_2D_TR_line_sensor": {"calls": 1},
    "pr_3D_FFT_planar_sensor": LAYER,
    "pr_3D_TR_planar_sensor": {"calls": 1, "steps": 100},
    "sd_directivity_modelling_2D": {"calls": 2},
    "sd_focussed_detector_2D": {},
    "sd_focussed_detector_3D": {"calls": 1, "steps": 200},
    "us_beam_patterns": TRANSDUCER,
    "us_bmode_linear_transducer": TRANSDUCER,
    "us_bmode_phased_array": TRANSDUCER,
    "us_defining_transducer": TRANSDUCER,
}


class Enough(Exception):
    """So many simulations were asked for, and no more."""


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def by_first_axis(mask):
    """Of the cells of a mask as k-Wave's files list them, the first axis fastest, which place they have in the order of NumPy."""
    rank = np.empty(mask.shape, dtype=int)
    rank[mask] = np.arange(mask.sum())
    return rank.T[mask.T]


def as_in_files(source, kgrid, medium):
    """A source with the signals that k-Wave's files have: scaled, and cells in their order. The package's interface without
    options leaves both to its caller; its own solver does them itself."""
    source = copy.copy(source)
    speed = np.asarray(medium.sound_speed, dtype=float)

    def written(signal, mask, scale):
        mask = np.asarray(mask).astype(bool)
        rows = np.atleast_2d(np.asarray(signal, dtype=float))
        at = speed.reshape(mask.shape)[mask] if speed.size > 1 else speed.reshape(1)
        rows = rows * scale(at)[:, None]
        return rows if len(rows) == 1 else rows[by_first_axis(mask)]

    if source.p is not None and source.p_mask is not None:
        n, dx = kgrid.dim, kgrid.dx
        dirichlet = getattr(source, "p_mode", None) == "dirichlet"
        scale = (lambda c: 1 / (n * c * c)) if dirichlet else (lambda c: 2 * kgrid.dt / (n * c * dx))
        source.p = written(source.p, source.p_mask, scale)
    for name, spacing in zip(("ux", "uy", "uz"), kgrid.spacing):
        if getattr(source, name, None) is not None:
            dirichlet = getattr(source, "u_mode", None) == "dirichlet"
            scale = np.ones_like if dirichlet else (lambda c, d=spacing: 2 * c * kgrid.dt / d)
            setattr(source, name, written(getattr(source, name), source.u_mask, scale))
    return source


def in_numpys_order(source):
    """The same the other way round: signals in the order of files, as functions with execution options take them."""
    source = copy.copy(source)
    for name, mask in (("p", "p_mask"), ("ux", "u_mask"), ("uy", "u_mask"), ("uz", "u_mask")):
        rows = getattr(source, name, None)
        if rows is not None and np.ndim(rows) == 2 and len(rows) > 1:
            ordered = np.empty_like(rows)
            ordered[by_first_axis(np.asarray(getattr(source, mask)).astype(bool))] = rows
            setattr(source, name, ordered)
    return source


class Runs:
    """In place of the package's functions: runs what they are given with both, and keeps how far apart they are."""

    def __init__(self, changes):
        self.changes, self.seconds, self.own_seconds, self.worst, self.count = changes, 0.0, 0.0, 0.0, 0
        self.what = set()
        self.inside = False  # one of the package's functions, which may call another

    def same_cells(self, kgrid, sensor):
        """The sensor at cells, and its mask."""
        sensor = copy.copy(sensor)
        shape = tuple(int(n) for n in kgrid.N)
        if sensor is None or sensor.mask is None:
            return sensor, np.ones(shape, dtype=bool)
        mask = np.asarray(sensor.mask)
        if mask.ndim == 2 and mask.shape[0] == kgrid.dim and mask.shape != shape:
            from kwave.utils.conversion import cart2grid

            mask = cart2grid(kgrid, mask, order="C")[0]
        sensor.mask = np.asarray(mask).astype(bool).reshape(shape)
        sensor.record, sensor.record_start_index = ["p"], 1
        return sensor, sensor.mask

    def shortened(self, kgrid, medium):
        kgrid = copy.deepcopy(kgrid)
        if kgrid.Nt == "auto":
            kgrid.makeTime(medium.sound_speed)
        if kgrid.Nt > self.changes.get("steps", kgrid.Nt):
            kgrid.setTime(self.changes["steps"], kgrid.dt)
        return kgrid

    def compare(self, kgrid, mask, with_kasc, own):
        """Both are called; their pressures are put beside each other."""
        began = time.perf_counter()
        found = np.squeeze(with_kasc()["p"])
        middle = time.perf_counter()
        wanted = np.squeeze(own()["p"])
        self.seconds += middle - began
        self.own_seconds += time.perf_counter() - middle
        if wanted.ndim == 1:  # one cell
            found = found.reshape(wanted.shape)
        else:
            found = found.T if found.shape != wanted.shape or found.shape[0] == kgrid.Nt else found
            wanted = wanted[by_first_axis(mask)]
        assert found.shape == wanted.shape, (found.shape, wanted.shape)
        assert np.isfinite(found).all() and np.abs(wanted).max() > 0
        self.worst = max(self.worst, float(np.abs(found - wanted).max() / np.abs(wanted).max()))
        self.what.add(" × ".join(str(int(n)) for n in kgrid.N) + f", {int(kgrid.Nt)} steps")
        self.count += 1
        if self.count == self.changes.get("calls"):
            raise Enough

    def new(self, kgrid, medium, source, sensor=None, **options):
        kgrid = self.shortened(kgrid, medium)
        sensor, mask = self.same_cells(kgrid, sensor)
        options = {k: v for k, v in options.items() if k not in ("backend", "device", "quiet")}
        results = {}

        def run(kind, source, backend):
            parts = [copy.deepcopy(part) for part in (kgrid, medium, source, sensor)]
            results[kind] = solve(*parts, backend=backend, quiet=True, **options)
            return results[kind]

        self.compare(
            kgrid,
            mask,
            lambda: run("kasc", as_in_files(source, kgrid, medium), "cpp"),
            lambda: run("own", source, "python"),
        )
        return results["own"]

    def legacy(self, function):
        def call(kgrid, source, sensor, medium, simulation_options, execution_options):
            from kwave.compat import options_to_kwargs

            if self.inside:
                return function(kgrid, source, sensor, medium, simulation_options, execution_options)
            if "steps" in self.changes:  # else the function writes into it what the rest of the script reads
                kgrid = self.shortened(kgrid, medium)
            sensor, mask = self.same_cells(kgrid, sensor)
            own = options_to_kwargs(simulation_options, None)
            own.pop("data_path", None), own.pop("save_only", None)
            results = {}

            def with_kasc():
                execution_options.show_sim_log = False
                parts = [copy.deepcopy(part) for part in (source, sensor, medium, simulation_options)]
                self.inside = True
                try:
                    results["kasc"] = function(kgrid, *parts, execution_options)
                finally:
                    self.inside = False
                return results["kasc"]

            def with_own():
                parts = [copy.deepcopy(part) for part in (kgrid, medium, in_numpys_order(source), sensor)]
                return solve(*parts, backend="python", quiet=True, **own)

            self.compare(kgrid, mask, with_kasc, with_own)
            return results["kasc"]

        return call


def run_new(path, runs):
    spec = importlib.util.spec_from_file_location("example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.kspaceFirstOrder = runs.new
    module.run(quiet=True)


def run_legacy(path, runs):
    """As a script; its functions are replaced before it imports them."""
    kept = []
    for name in ("kwave.kspaceFirstOrder2D", "kwave.kspaceFirstOrder3D"):
        module = importlib.import_module(name)
        for function in [f for f in vars(module) if f.startswith(("kspaceFirstOrder2D", "kspaceFirstOrder3D", "kspace_first"))]:
            kept.append((module, function, getattr(module, function)))
            setattr(module, function, runs.legacy(getattr(module, function)))
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        for module, function, was in kept:
            setattr(module, function, was)


def main():
    global np, solve
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", nargs="?", default=os.environ.get("KWAVE_EXAMPLES"), metavar="FOLDER")
    words.add_argument("--only", default="", metavar="TEXT")
    words.add_argument("--solver", type=pathlib.Path, metavar="COMMAND")
    words = words.parse_args()
    try:
        version = importlib.metadata.version("k-wave-python")
    except importlib.metadata.PackageNotFoundError:
        skip("k-wave-python is not installed")
    if tuple(int(part) for part in version.split(".")[:2]) < (0, 6) or version == "0.6.0":
        skip(f"k-wave-python {version}: of later versions the solver numbers cells otherwise")
    if not words.folder or not pathlib.Path(words.folder, "legacy").is_dir():
        skip("no folder of the package's examples: name it, or set KWAVE_EXAMPLES")
    folder = pathlib.Path(words.folder).resolve()
    os.environ.update(KWAVE_FORCE_CPU="1", MPLBACKEND="Agg")
    warnings.simplefilter("ignore")
    if words.solver is None:
        if importlib.util.find_spec("kasc") is None:
            skip("kasc's own package is not installed, and no --solver is named")
        import kasc.kwave

        kasc.kwave.install()
    else:
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        from package import import_kwave

        import_kwave()
    import kwave
    import numpy as np
    from kwave.kspaceFirstOrder import kspaceFirstOrder as solve

    with tempfile.TemporaryDirectory() as work:
        if words.solver is not None:
            for name in ("kspaceFirstOrder-OMP", "kspaceFirstOrder-CUDA"):
                os.symlink(words.solver.resolve(), os.path.join(work, name))
            import kwave.options.simulation_execution_options as of_calls

            kwave.BINARY_PATH = kwave.BINARY_DIR = of_calls.BINARY_DIR = pathlib.Path(work)
        os.symlink(folder.parent / "tests", os.path.join(work, "tests"))  # pictures, which one looks for from where it is called
        os.chdir(work)  # examples write files there
        print("| example | simulations | difference | kasc | its own solver |\n|---|---|---|---|---|")
        bad = [name for name in all_of(folder, words.only) if not one(*name)]
    sys.exit(1 if bad else 0)


def all_of(folder, text):
    for name, changes in NEW.items():
        if text in name:
            yield name, folder / f"{name}.py", run_new, changes
    for name, changes in LEGACY.items():
        if text in "legacy/" + name:
            script = "checkpoint" if name == "checkpointing" else name
            yield "legacy/" + name, folder / "legacy" / name / f"{script}.py", run_legacy, changes


def one(name, path, run, changes):
    if "skip" in changes:
        print(f"| {name} | {changes['skip']} |", flush=True)
        return True
    runs = Runs(changes)
    try:
        run(path, runs)
    except Enough:
        pass
    except Exception as error:
        print(f"| {name} | FAILED: {type(error).__name__}: {str(error)[:300]} |", flush=True)
        return False
    good = runs.count > 0 and runs.worst < changes.get("bound", BOUND)
    times = f"{runs.seconds:.1f} s | {runs.own_seconds:.1f} s"
    print(
        f"| {name} | {runs.count}: {'; '.join(sorted(runs.what))} | {runs.worst:.1e}{'' if good else ' BAD'} | {times} |",
        flush=True,
    )
    return good


if __name__ == "__main__":
    main()
