#!/bin/sh
# Emitted code of 3D heat diffusion against a plain OpenMP loop nest on this machine: every C++ compiler that is here,
# 256³ and 512³ cells, one core and all of them.
#
#   benchmarks/cpu/measure.sh KASC            emits with this kasc first
#   benchmarks/cpu/measure.sh --emitted DIR   takes what `kasc compile -o DIR` made elsewhere
# In the environment: ROUNDS (7), SIZES ("256 512"), COMPILERS ("g++ clang++").
set -eu
here=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
if [ "$1" = --emitted ]; then
    emitted=$2
else
    emitted=$made/emitted
    for program in "$here/../../examples/heat3d.kas" "$here/heat3d_unheated.kas"; do
        "$1" compile "$program" --target cpu -o "$emitted" > "$made/log"
    done
fi
# What `kasc run` gives a compiler (runtime/building/build.cpp), on both sides.
flags="-std=c++17 -O3 -march=native -ffp-contract=off -fno-math-errno -fopenmp"
cores=$(nproc)
export OMP_PROC_BIND=close OMP_PLACES=cores
grep -m1 "model name" /proc/cpuinfo || true
for compiler in ${COMPILERS:-g++ clang++}; do
    command -v "$compiler" > /dev/null || continue
    "$compiler" --version | head -n 1
    "$compiler" $flags -I"$emitted" -I"$here" -o "$made/compare" "$here/heat3d_compare.cpp" "$here/heat3d_plain.cpp" \
        "$emitted/heat3d.cpp" "$emitted/heat3d_unheated.cpp"
    for size in ${SIZES:-256 512}; do
        steps=$((size > 256 ? 4 : 20))
        OMP_NUM_THREADS=$cores "$made/compare" "${ROUNDS:-7}" "$steps" "$size"
        OMP_NUM_THREADS=1 "$made/compare" "${ROUNDS:-7}" "$((steps / 4))" "$size"
    done
done
