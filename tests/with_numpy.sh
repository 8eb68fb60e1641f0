#!/bin/bash
# with_numpy.sh WORD…   python3 WORD…, by the first one on the path that has NumPy and h5py; 77 where none has.
for python in $(type -ap python3); do
    if "$python" -c 'import h5py, numpy' 2>/dev/null; then exec "$python" "$@"; fi
done
exit 77
