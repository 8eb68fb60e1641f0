#!/usr/bin/env bash
# On a machine with a GPU: every example and test program, fused and unfused, through compute-sanitizer (memcheck,
# racecheck, synccheck), results compared with the CPU reference by the emitted main. A line a program.
#   sanitize.sh path/to/kasc
set -euo pipefail
kasc=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/tests/gpu/sanitizer.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export kasc root work

check() { # a program, a strategy
    source "$root/tests/gpu/sanitizer.sh"
    local program=$1 strategy=$2 p out arguments=()
    p=$(basename "$program" .kas)
    out=$work/$p-$strategy
    "$kasc" compile "$program" --lib "$root/tests/run/library" --strategy "$strategy" -o "$out" >/dev/null 2>&1
    nvcc "${nvcc_flags[@]}" -o "$out/main" "$out/$p.cu" "$out/${p}_reference.cpp" "$out/${p}_main.cpp"
    for argument in n=2001 nx=36 ny=19 nz=13 steps=3 px=3 py=3 pz=2; do
        grep -q " ${argument%%=*};" "$out/$p.h" && arguments+=("$argument")
    done
    local status=0
    sanitized "$out/log" "$out/main" "${arguments[@]}" || status=1
    echo "$p ($strategy):$verdict"
    return $status
}
export -f check
for program in "$root"/examples/*.kas "$root"/tests/run/programs/*.kas; do
    printf '%s\n' "$program exact" "$program none"
done | xargs -P "${KASC_JOBS:-$(nproc)}" -L 1 bash -c 'set -e; check "$@"' _
