#!/usr/bin/env bash
# Random programs beyond the everyday test. $RANDOM_PROGRAMS names the built random_programs (build/tests of this tree).
# With --fields in front they are programs over fields, else over streams.
#   random.sh [FIRST [COUNT]]             checks COUNT seeds (100000) from FIRST (1000) on, on all cores; about 3 s of a
#                                         core a hundred. It prints which seeds are done: go on with the first that is not
#   random.sh --emitted [FIRST [COUNT]]   COUNT programs (12) as emitted code in checking mode, built with g++ and run
#   random.sh --compiles [FIRST [COUNT]]  COUNT programs (100) as CUDA, compiled by nvcc for sm_90; nothing is run
#   random.sh --cuda [FIRST [COUNT]]      COUNT programs (40) as CUDA: built with nvcc, run plainly and through
#                                         compute-sanitizer. A machine without kasc's libraries takes what
#                                         "random_programs [--fields] FIRST COUNT FOLDER cuda" wrote: RANDOM_EMITTED=FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mode=check
kind=()
if [ "${1:-}" = --fields ]; then kind=(--fields) && shift; fi
case "${1:-}" in --emitted | --compiles | --cuda) mode=${1#--} && shift ;; esac
first=${1:-}
count=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=$(realpath -m "${RANDOM_PROGRAMS:-$root/build/tests/random_programs}")

check() { # each core takes the next library's programs
    first=${first:-1000} count=${count:-100000}
    export programs work
    export kind_word="${kind[*]}"
    for ((seed = first; seed < first + count; seed = (seed / 125 + 1) * 125)); do
        end=$(((seed / 125 + 1) * 125))
        echo "$seed $(((end < first + count ? end : first + count) - seed))"
    done | xargs -P "$(nproc)" -L 1 bash -c '
        "$programs" $kind_word "$@" >"$work/$1" 2>&1 || touch "$work/failed"
        # grep is false where it passes no line on: a batch that says nothing else is a good one.
        grep -v -e " compiled functions$" -e " kernels$" -e " riders$" "$work/$1" || true
        rm -f "$work/$1"' check
    [ ! -e "$work/failed" ]
}

emitted() {
    emitted_for cpu-checking -O0
    # Walks of the CPU, built as `kasc run` builds them (runtime/building/build.cpp).
    if [ "${#kind[@]}" -gt 0 ]; then emitted_for cpu -O2 -march=native -fno-math-errno; fi
}

emitted_for() {
    local target=$1
    shift
    rm -f "$work"/*
    "$programs" "${kind[@]}" "${first:-0}" "${count:-12}" "$work" "$target"
    ls "$work"/group_*.cpp | xargs -P 2 -I{} ${CXX:-g++} -std=c++17 "$@" -w -ffp-contract=off -o {}.run {} ${kind:+-lfftw3f -lfftw3}
    run_groups
}

run_groups() { # a line a group that fails; false where one does
    local group failed=0
    for group in "$work"/group_*.run; do
        "$group" >"$group.log" 2>&1 || { failed=1 && grep -v -e "kernels took" -e "all words" "$group.log" | head -20; }
    done
    return $failed
}

compiles() {
    local nvcc
    nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc: skipped"; return 0; }
    "$programs" "${kind[@]}" "${first:-0}" "${count:-100}" "$work" cuda
    ls "$work"/group_*.cu | xargs -P "$(nproc)" -I{} "$nvcc" -std=c++17 -O1 --fmad=false -w -arch=sm_90 \
        -Xcompiler -fopenmp,-ffp-contract=off -c -o /dev/null {}
}

cuda() {
    source "$root/tests/gpu/sanitizer.sh"
    if [ -n "${RANDOM_EMITTED:-}" ]; then
        cp "$RANDOM_EMITTED"/* "$work"
    else
        "$programs" "${kind[@]}" "${first:-0}" "${count:-40}" "$work" cuda
    fi
    local flags="${nvcc_flags[*]}" failed=0 group
    ls "$work"/group_*.cu | xargs -P "$(nproc)" -I{} nvcc $flags -o {}.run {} ${kind:+-lcufft -lnvrtc}
    run_groups && echo "plain: ok" || { failed=1 && echo "plain: FAILED"; }
    export -f sanitized
    ls "$work"/group_*.run | xargs -P "$(nproc)" -I{} bash -c '
        status=0
        sanitized "$1" "$1" || status=1
        echo "$(basename "$1" .cu.run):$verdict"
        exit $status' _ {} || failed=1
    return $failed
}

$mode
