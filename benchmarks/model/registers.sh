#!/usr/bin/env bash
# registers.sh KASC [PROGRAM.kas…]   what the model says a thread of each kernel takes in registers beside what ptxas gives it:
# the first plan of each program (all examples), compiled by nvcc for sm_90. No GPU is needed. A line a kernel
#
#     program  kernel  streams|field  predicted  given  spilled bytes
#
# with --table in front a table in Markdown. Status 77 where there is no nvcc. With $KASC_REMEMBERED set,
# what was compiled before is not compiled again (tests/remember.sh).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
table=
[ "${1:-}" != --table ] || { table=yes && shift; }
kasc=$1
shift
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc" >&2; exit 77; }
[ $# -gt 0 ] || set -- "$root"/examples/*.kas "$root"/examples/kwave/kwave.kas
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel, kind, registers: what stands before the next best plans
predicted() {
    "$kasc" explain "$1" | awk '
        /^next best/ { exit }
        /^[A-Za-z_0-9]+_k[0-9]+: / { kernel = $1; sub(":", "", kernel) }
        /^  predicted .* registers,/ { match($0, /[0-9]+ registers/); n = substr($0, RSTART, RLENGTH) + 0 }
        kernel != "" && n > 0 && /^  (field kernel|kernel:)/ {
            print kernel, (/field kernel/ ? "field" : "streams"), n; kernel = ""; n = 0 }'
}

# kernel, registers, bytes that are spilled: the kernels as chosen, not those beside them for other extents
given() {
    awk -v program="$1" '
         /Compiling entry function/ { name = match($0, program "_k[0-9]+E") ? substr($0, RSTART, RLENGTH - 1) : ""; spilled = 0 }
         /bytes spill stores/ { match($0, /[0-9]+ bytes spill stores/); spilled = substr($0, RSTART, RLENGTH) + 0 }
         name != "" && /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5), spilled
                                                 name = "" }'
}

lines() {
    local program name
    for program; do
        name=$(basename "$program" .kas)
        "$kasc" compile "$program" -o "$work/$name" >/dev/null
        # In the words of tests/gpu/compiles.sh, which may have compiled it.
        "$root/tests/remember.sh" "$nvcc" -std=c++17 -O3 --fmad=false -Werror all-warnings -Xptxas -v \
            -gencode arch=compute_90,code=sm_90 -c -o "$work/$name.o" "$work/$name/$name.cu" 2>&1 | given "$name" | sort >"$work/$name.given"
        predicted "$program" | sort | join - "$work/$name.given" | sort -V | sed "s/^/$name /"
    done
}
if [ -z "$table" ]; then
    lines "$@"
    exit
fi
echo "| program | kernel | of | the model | ptxas | spilled bytes |"
echo "|---|---|---|---|---|---|"
lines "$@" | sed 's/ / | /g; s/^/| /; s/$/ |/'
