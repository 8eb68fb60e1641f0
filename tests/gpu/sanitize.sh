#!/usr/bin/env bash
# On a machine with a GPU: every example and test program, fused and unfused, through compute-sanitizer (memcheck,
# racecheck, synccheck), results compared with the CPU reference by the emitted main. A line a program.
#   sanitize.sh path/to/kasc
set -euo pipefail
kasc=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for program in "$root"/examples/*.kas "$root"/tests/run/programs/*.kas; do
    p=$(basename "$program" .kas)
    for strategy in exact none; do
        out=$work/$p-$strategy
        "$kasc" compile "$program" --lib "$root/tests/run/library" --strategy $strategy -o "$out" >/dev/null
        nvcc -std=c++17 -O3 -lineinfo --fmad=false -arch=native -Xcompiler -fopenmp,-ffp-contract=off,-march=native \
            -o "$out/main" "$out/$p.cu" "$out/${p}_reference.cpp" "$out/${p}_main.cpp"
        arguments=()
        for argument in n=2001 nx=36 ny=19 nz=13 steps=3 px=3 py=3 pz=2; do
            grep -q " ${argument%%=*};" "$out/$p.h" && arguments+=("$argument")
        done
        verdict=""
        for tool in memcheck racecheck synccheck; do
            if compute-sanitizer --tool $tool --error-exitcode 9 "$out/main" "${arguments[@]}" >"$out/$tool.log" 2>&1; then
                verdict+=" $tool ok"
            else
                verdict+=" $tool FAILED"
                failed=1
                tail -20 "$out/$tool.log"
            fi
        done
        echo "$p ($strategy):$verdict"
    done
done
exit $failed
