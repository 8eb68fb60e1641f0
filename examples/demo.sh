#!/usr/bin/env bash
# From nothing to a fused kernel that ran: installs and builds, compiles every example to CUDA source, then heats a
# block of tissue on the CPU. Results go to out/.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
out=${1:-$root/out}
mkdir -p "$out"

echo "== building kasc"
configure release -DKASC_TESTS=OFF -DKASC_BENCHMARKS=OFF
cmake --build "$build" --target kasc_command make_tissue
kasc=$build/bin/kasc

echo "== compiling the examples to CUDA"
for program in "$root"/examples/*.kas; do
    "$kasc" compile "$program" -o "$out/$(basename "$program" .kas)"
done

echo "== a block of tissue, heated at a tumour"
"$build/bin/make_tissue" --size 96 --steps 600 -o "$out/tissue.h5"
"$kasc" run "$root/examples/bioheat.kas" --in "$out/tissue.h5" --out "$out/result.h5" --picture hottest="$out/hottest.png"

echo "== done: the temperatures are in $out/result.h5, a picture in $out/hottest.png, CUDA source in $out/bioheat/"
