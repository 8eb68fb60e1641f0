#!/usr/bin/env bash
# clang-format and clang-tidy over our own code.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${KASC_BUILD:-$root/build}
cd "$root"
git ls-files '*.cpp' '*.hpp' | grep -v '^tests/fuzz/corpus' | xargs clang-format-14 --dry-run -Werror
git ls-files 'compiler/*.cpp' 'runtime/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy-14 -quiet -p "$build" --warnings-as-errors='*'
