#!/usr/bin/env bash
# Line and branch coverage of our own code by the tests, as a table and as build-coverage/coverage.html.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
cmake --preset coverage -DKASC_BENCHMARKS=OFF >/dev/null
cmake --build build-coverage
find build-coverage -name '*.gcda' -delete
# Instrumented and unoptimised code misses limits of time, and its own files need the disk that one test fills.
ctest --test-dir build-coverage -j "$(nproc)" -E 'full_disk' >/dev/null || echo "not all tests pass when instrumented: check.sh judges"
gcovr --root "$root" --filter compiler/ --filter runtime/ --exclude-throw-branches --print-summary \
    --html build-coverage/coverage.html build-coverage
