"""Files as they are committed: small, and the same bytes each time."""

import h5py
import numpy as np

DATE = "01-Jan-2026-00-00-00"


def pack(source, target):
    """Copies a file, with all attributes: large datasets compressed, small ones without chunks, the date fixed.

    In chunks, as the package writes them, each of the 45 numbers takes 2 KB.
    """
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name in old:
            data = old[name][()]
            small = data.nbytes < 1024
            layout = {} if small else {"chunks": data.shape, "compression": 9, "shuffle": True}
            new.create_dataset(name, data=data, **layout)
            copy_attributes(old[name].attrs, new[name].attrs)
        copy_attributes(old.attrs, new.attrs)
        new.attrs.create("creation_date", DATE, dtype=old.attrs.get_id("creation_date").dtype)


def copy_attributes(old, new):
    for name, value in old.items():
        new.create(name, value, dtype=old.get_id(name).dtype)


def write_reference(results, author, path):
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        for name, value in results.items():
            small = value.size < 256
            layout = {} if small else {"chunks": value.shape, "compression": 9, "shuffle": True}
            data = file.create_dataset(name, data=value.astype(np.float32), **layout)
            data.attrs.create("data_type", "float", dtype="S5")
            data.attrs.create("domain_type", "real", dtype="S4")
        attributes = {"file_type": "output", "major_version": "1", "minor_version": "2", "creation_date": DATE}
        attributes["created_by"] = author
        for name, value in attributes.items():
            file.attrs.create(name, value, dtype=f"S{len(value)}")
