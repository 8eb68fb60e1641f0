#!/usr/bin/env bash
# First plans of programs that nothing was fitted on, beside the best of the model's first sixteen, on the GPU of this machine:
#   benchmarks/gpu/stencils.sh KASC [PROGRAM ...]
set -euo pipefail
kasc=$1
shift
here=$(cd "$(dirname "$0")" && pwd)/stencils
declare -A sizes=([line4]="x=134217728")
for p in wave8 box27 grayscott triad; do sizes[$p]="x=512 y=512 z=512"; done
for p in yee elastic double7 burgers; do sizes[$p]="x=384 y=384 z=384"; done
for p in shallow bilateral perona cahn canny; do sizes[$p]="x=8192 y=8192"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for p in "${@:-${!sizes[@]}}"; do
    settings=()
    for s in ${sizes[$p]}; do settings+=(--set "$s"); done
    "$kasc" tune "$here/$p.kas" "${settings[@]}" --top 16 --repeats 8 --db "$work/db"
done
