#!/usr/bin/env bash
# A step of the homogeneous k-Wave program with and without CUDA graphs, at sizes where launches count, and
# that both give the same bytes. Needs a GPU, nvcc, h5py and numpy.
#
#     graphs.sh [kasc] [steps]
set -euo pipefail
kasc=$(realpath "${1:-bundle/bin/kasc}") steps=${2:-2000}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

inputs() { # n: an initial pressure and 16 sensors
    python3 - "$1" "$work" <<'PY'
import sys, h5py, numpy as np
n, work = int(sys.argv[1]), sys.argv[2]
x = np.linspace(-1, 1, n, dtype=np.float32)
r2 = x[:, None, None] ** 2 + x[None, :, None] ** 2 + x[None, None, :] ** 2
with h5py.File(f"{work}/wave.h5", "w") as f:
    f["p0_source_input"] = np.exp(-40 * r2).astype(np.float32)
    f["sensor_mask_index"] = np.arange(1, 17, dtype=np.int32) * n
PY
}

compare() { # name, arguments of kasc run
    local name=$1
    shift
    for graph in never always; do
        printf '%-28s --graph %-7s' "$name" "$graph"
        "$kasc" run "$@" --target cuda --graph "$graph" --out "$work/$graph.h5" 2>/dev/null | grep '^ran on'
    done
    h5diff "$work/never.h5" "$work/always.h5" && echo "$name: the same"
}

for n in 32 64 128 256; do
    inputs "$n"
    compare "k-Wave, power law, $n^3" "$root/examples/kwave/kwave.kas" --in "$work/wave.h5" --set Nz="$n" --set Nx="$n" \
        --set Ny="$n" --set Nt="$steps" --set dt=2e-8 --set dx=1e-4 --set dy=1e-4 --set dz=1e-4 --set c_ref=1500 \
        --set c0=1500 --set rho0=1000 --set rho0_sgx=1000 --set rho0_sgy=1000 --set rho0_sgz=1000 --set alpha_coeff=0.5 \
        --set absorbing_flag=1 --set p0_source_flag=1 --set pml_x_size=4 --set pml_y_size=4 --set pml_z_size=4
done
