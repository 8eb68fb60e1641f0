#!/usr/bin/env bash
# A short libFuzzer run on each reader of user input, from the committed corpus. New inputs are thrown away; an input that
# fails stays in build-fuzz/ as crash-…: mend the cause and add it to the corpus.
#   fuzz.sh [seconds [target…]]    all at the same time; targets: frontend, library, and compile and editor, which build all of kasc
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-30}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(frontend library)
command -v clang++-14 >/dev/null || { echo "no clang++-14: fuzzing is skipped"; exit 0; }
cd "$root"
# The longest check also finds the file that does not include what it uses (cmake/build_time.cmake).
together=ON
[[ " ${targets[*]} " != *" compile "* ]] || together=OFF
cmake --preset fuzz -DKASC_UNITY=$together -DKASC_PRECOMPILE=$together >/dev/null
cmake --build build-fuzz --target "${targets[@]/#/fuzz_}"
cd build-fuzz
fuzz() { # target: for so many seconds, beside the others
    local target=$1 found=found_$1 corpora=("$root/tests/fuzz/corpus/$1")
    mkdir -p "$found"
    # What is compiled is a program that stands: those of other tests are good beginnings.
    [ "$target" != compile ] || corpora+=("$root"/tests/fuzz/corpus/frontend "$root"/tests/{random/fields,run/programs,exact/programs})
    [ "$target" != editor ] || corpora=("$root"/tests/fuzz/corpus/frontend)
    if ! tests/fuzz/fuzz_$target -max_total_time=$seconds -timeout=90 -rss_limit_mb=2048 -max_len=4096 \
        "$found" "${corpora[@]}" >$target.log 2>&1; then
        tail -40 $target.log
        return 1
    fi
    echo "$target: $(grep -E '^Done' $target.log)"
    rm -rf "$found"
}
echo "fuzzing ${targets[*]} for $seconds s"
running=()
for target in "${targets[@]}"; do
    fuzz "$target" &
    running+=($!)
done
for job in "${running[@]}"; do wait "$job"; done # set -e: one that fails ends this
