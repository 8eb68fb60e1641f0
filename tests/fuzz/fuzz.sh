#!/usr/bin/env bash
# A short libFuzzer run on each reader of user input, from the committed corpus. New inputs are thrown away; an input that
# fails stays in build-fuzz/ as crash-…: mend the cause and add it to the corpus.
#   fuzz.sh [seconds of all targets together]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-30}
command -v clang++-14 >/dev/null || { echo "no clang++-14: fuzzing is skipped"; exit 0; }
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --target fuzz_frontend fuzz_library
cd build-fuzz
for target in frontend library; do
    mkdir -p found
    echo "fuzzing $target for $((seconds / 2)) s"
    if ! tests/fuzz/fuzz_$target -max_total_time=$((seconds / 2)) -timeout=5 -rss_limit_mb=2048 -max_len=4096 \
        found "$root/tests/fuzz/corpus/$target" >$target.log 2>&1; then
        tail -40 $target.log
        exit 1
    fi
    grep -E '^Done' $target.log
    rm -rf found
done
