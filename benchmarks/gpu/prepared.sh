#!/usr/bin/env bash
# Prepared programs through their C headers: what a launch costs beside its bare kernel, launches captured into the caller's
# CUDA graphs and run again, results checked. Needs a GPU, nvcc and a C++ compiler. Ends with status 1 where a result is wrong.
#
#     prepared.sh [kasc] [cells along an axis of the convolution]
set -euo pipefail
kasc=$(realpath "${1:-bundle/bin/kasc}") size=${2:-512}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

objects=()
emit() { # program, options of kasc compile
    local program=$1 name
    shift
    name=$(basename "$program" .kas)
    "$kasc" compile "$root/$program" -o "$work/$name" "$@" >/dev/null
    nvcc -std=c++17 -O3 --fmad=false -arch="${CUDA_ARCH:-native}" -c -o "$work/$name.o" "$work/$name/$name.cu" &
    objects+=("$work/$name.o")
}
reference() { # name
    "${CXX:-g++}" -std=c++17 -O2 -march=native -ffp-contract=off -fopenmp -c -o "$work/$1_reference.o" \
        "$work/$1/$1_reference.cpp" &
    objects+=("$work/$1_reference.o")
}
emit examples/matrix_powers.kas
emit examples/st_venant_inner.kas
emit examples/heat2d.kas --graph always
emit benchmarks/gpu/programs/convolution.kas
for name in matrix_powers st_venant_inner heat2d; do reference $name; done
nvcc -std=c++17 -O3 -arch="${CUDA_ARCH:-native}" -I"$work/matrix_powers" -I"$work/st_venant_inner" -I"$work/heat2d" -I"$work/convolution" \
    -c -o "$work/main.o" "$root/benchmarks/gpu/prepared.cu" &
for job in $(jobs -p); do wait "$job"; done  # set -e: one that fails ends this
nvcc -arch="${CUDA_ARCH:-native}" -o "$work/prepared" "$work/main.o" "${objects[@]}" -lcufft -lnvrtc -lgomp \
    -L"$(dirname "$(command -v nvcc)")/../lib64/stubs" -lcuda
"$work/prepared" "$size"
