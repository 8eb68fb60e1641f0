#!/usr/bin/env bash
# What a loop's condition costs: examples/poisson.kas on squares, whose host looks every 1, 2, 4 … 16 iterations (ahead); the
# same with its condition in a number of the program's own, so that the host looks before each (looking); and without a condition (counted).
# All three do as many iterations: the tolerance is never met. The first two once more with one that is met soon, so that
# what is launched too often is among it. Emits, builds and runs each: times are "kernels took" of the emitted programs,
# which compare with their reference. Needs a GPU, nvcc and cmake.
#
#     conditions.sh [kasc] [iterations] [rounds]
set -euo pipefail
kasc=$(realpath "${1:-bundle/bin/kasc}") iterations=${2:-400} rounds=${3:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/ahead" "$work/looking" "$work/counted"
sed 's/\[x, y, z\]/[x, y]/g' "$root/examples/poisson.kas" >"$work/ahead/poisson.kas"
sed -e 's/^int iterations\[\];/int iterations[], more[];/' -e 's/^iterations = 0;/&\nmore = rr > enough ? 1 : 0;/' \
    -e 's/rr > enough; k++/more; k++/' -e 's/^    iterations = iterations + 1;/&\n    more = rr > enough ? 1 : 0;/' \
    "$work/ahead/poisson.kas" >"$work/looking/poisson.kas"
sed 's/ && rr > enough; k++/; k++/' "$work/ahead/poisson.kas" >"$work/counted/poisson.kas"

for form in ahead looking counted; do
    "$kasc" compile "$work/$form/poisson.kas" --device h100 -o "$work/$form/code" >/dev/null
    echo "$form:$("$kasc" explain "$work/$form/poisson.kas" --device h100 | grep -A1 '^loops with conditions' | tail -1)"
    cmake -S "$work/$form/code" -B "$work/$form/build" -DCMAKE_CUDA_ARCHITECTURES=90 >/dev/null
    cmake --build "$work/$form/build" -j >/dev/null
done

run() { # form, cells a side, tolerance
    "$work/$1/build/poisson_main" nx="$2" ny="$2" most="$iterations" tolerance="$3" h=1 nt=$((iterations / 10 + 1)) | tr '\n' ' '
}

for side in 256 512 1024 2048 4096; do
    for ((round = 1; round <= rounds; ++round)); do
        for form in ahead looking counted; do echo "$side^2 $form, never met: $(run "$form" "$side" 1e-30)"; done
        for form in ahead looking; do echo "$side^2 $form, met soon: $(run "$form" "$side" 1e-1)"; done
    done
done
