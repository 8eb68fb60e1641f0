#!/usr/bin/env bash
# Every emitted .cu compiles for sm_80 and sm_90 without a warning; those of plans without spills of more than two words, and their kernels over fields need
# about the registers that the model says; nothing is run. Skipped (77) where there is no nvcc. The host side, the same code for a program's fused and unfused kernels and two thirds of the time, is
# compiled for the fused examples only; of the others, the device code. With $KASC_REMEMBERED set, what was compiled before is
# not compiled again (tests/remember.sh).
# One program of nine; with --full all, unfused and for sm_80 as well.
set -euo pipefail
kasc=$1
full=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The largest number of registers of a program's kernels over fields, or of its loops in cells, as ptxas gives it for sm_90, is at most 24 more than
# predicted, the farthest is 21 for three steps of a loop in two rows of four cells, and at most 36 less: 34 for three steps of
# a stencil of doubles, whose words die sooner; of larger kernels it is within 40 %: 92 where 144 are predicted of a kernel that
# stores 22 words a cell.
registers() { # a program, ptxas' log, options
    local program=$1 log=$2 predicted used kernels
    shift 2
    read -r predicted kernels <<<"$("$kasc" explain "$program" --lib "$root/tests/run/library" "$@" | awk '
        /^[A-Za-z0-9_]+: / { kernel = substr($1, 1, length($1) - 1) }
        / predicted .* registers,/ { match($0, /[0-9]+ registers/); n = substr($0, RSTART, RLENGTH) + 0 }
        /^next best/ { next_best = 1 }
        /field kernel over|loop in each cell/ && !next_best { kernels = kernels "|" kernel; if (n > most) most = n }
        END { print most + 0, substr(kernels, 2) }')"
    [ "$predicted" -gt 0 ] || return 0
    # What is held beside slow paths is not priced: twenty quotients behind each other, of four rows, 96 for 54. Cells that end
    # by themselves hold less than all that they would compute, and integers of 64 bits are priced as if they were of 32. Numbers of
    # cells that entries of lists add to are stored one after the other, none of them waits for another.
    [[ "$program" != */cell_loops.kas && "$program" != */cell_conditions.kas && "$program" != */long_integers.kas && "$program" != */adding.kas ]] || return 0
    used=$(awk -v kernels="[0-9]($kernels)(_wide)?E" '/Compiling entry/ { counts = /sm_90/ && $0 ~ kernels }
                counts && /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); n = substr($0, RSTART + 5, RLENGTH - 5) + 0
                                                    if (n > most) most = n }
                END { print most + 0 }' <<<"$log")
    ((used - predicted <= 24 && predicted - used <= 36)) && return
    ((10 * used <= 14 * predicted && 10 * used >= 6 * predicted)) && return
    echo "$program needs $used registers, $predicted were predicted"
    return 1
}

check() { # a program, a name for its folder, what nvcc makes, options
    local program=$1 name=$2 made=$3 log plan=yes
    shift 3
    # Kernels that nobody runs for speed.
    [[ "$*" != *"--strategy none"* && "$program" != */staggered.kas ]] || plan=
    # Two steps of its stencil in blocks of 1024 threads spill 22 words of 64 registers: the model does not know.
    [[ "$program" != */linear_steps.kas ]] || plan=
    # Pipelines that take nearly all registers that their threads can have, which the model knows to some of them: six, twelve,
    # two and two words of 168, 168, 128 and 168 spill.
    [[ "$program" != */programs/@(cells|time_levels).kas && "$program" != */@(heat3d|elastic_waves).kas ]] || plan=
    "$kasc" compile "$program" --lib "$root/tests/run/library" -o "$work/$name" "$@" >/dev/null
    log=$("$root/tests/remember.sh" "$nvcc" -std=c++17 -O3 --fmad=false -Werror all-warnings -Xptxas -v \
        ${full:+-gencode arch=compute_80,code=sm_80} -gencode arch=compute_90,code=sm_90 \
        "$made" -o "$work/$name.o" "$work/$name/$(basename "$program" .kas).cu" 2>&1) || { echo "$name: $log"; return 1; }
    # Where a kernel divides, ptxas (13.0) stops at 38 or 96 registers, and spills up to two words, which may be loaded twice. Sines of large numbers have
    # an array of 32 bytes, sine and cosine beside each other up to 72. Kernels for lines of any length keep the lanes of their
    # parts in arrays.
    if [ -n "$plan" ] && awk '/Compiling entry/ { any_length = /_longE/ } !any_length' <<<"$log" |
        grep -vE ' (32|40|72) bytes stack frame, 0 bytes spill stores| 8 bytes stack frame, 8 bytes spill stores' |
        grep -E '([1-9][0-9]+|9) bytes (spill|stack)'; then echo "$name spills or uses the stack"; return 1; fi
    [ -z "$plan" ] || registers "$program" "$log" "$@" || return 1
    echo "$name: ok"
}
# The same with the calls behind transforms as functions that cuFFT calls.
storing() {
    local program=$root/tests/run/programs/storing.kas
    check "$program" storing_callbacks -c --plan \
        "u_spectrum_fft+u_spectrum: storing; u_ifft+u+p: storing; v_spectrum_fft+v_spectrum: storing; v_ifft+v.2+w: storing"
}
storing

# A shared library of emitted code exports what its header declares, and nothing else.
exports() { # program, options
    local program=$1 name header library
    name=$(basename "$program" .kas)
    shift
    "$kasc" compile "$program" -o "$work/exports_$name" "$@" >/dev/null
    header=$work/exports_$name/$name.h library=$work/exports_$name/$name.so
    "$root/tests/remember.sh" "$nvcc" -std=c++17 -O3 --fmad=false -arch=sm_90 -shared -Xcompiler -fPIC -o "$library" \
        "$work/exports_$name/$name.cu" -lcufft -lnvrtc
    diff <(nm -D --defined-only "$library" | awk '{ print $3 }' | sort) \
        <(sed -nE 's/^(int|long long|const char \*) ?([a-z0-9_]+)\(.*/\2/p' "$header" | grep -v _reference_ | sort) ||
        { echo "$name exports other names than its header's"; return 1; }
    echo "$name exports its header's names"
}
exports "$root/examples/st_venant_inner.kas"
exports "$root/examples/heat2d.kas" --graph always
exports "$root/tests/run/programs/storing.kas" --graph always

calling() {
    "$kasc" compile "$root/examples/rotate_scale.kas" -o "$work/calling" >/dev/null
    "$root/tests/remember.sh" "$nvcc" -std=c++17 -O3 --fmad=false -arch=sm_90 -Werror all-warnings -I"$work/calling" -o "$work/in_a_graph" \
        "$root/examples/calling/in_a_graph.cu" "$work/calling/rotate_scale.cu"
    echo "examples/calling: ok"
}
calling
export -f check registers
export kasc root nvcc work full
count=0
for program in "$root"/examples/*.kas "$root"/tests/run/programs/*.kas; do
    [ -e "$program" ] || continue
    # Each takes some seconds of a core: every day one of nine.
    [ -n "$full" ] || [ $((count++ % 9)) = 0 ] || continue
    name=$(basename "$program" .kas)
    case $program in */examples/*) made=-c ;; *) made=-fatbin ;; esac
    echo "$program $name $made"
    [ "$made" = -fatbin ] && [ -z "$full" ] || echo "$program ${name}_unfused -fatbin --strategy none"
done | xargs -P "$(nproc)" -L 1 bash -c 'check "$@"' _
