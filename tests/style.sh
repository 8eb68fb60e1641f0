#!/usr/bin/env bash
# clang-format, sizes of sources and clang-tidy over our own code. clang-tidy reads the compile commands of the fuzzing build: those are
# clang's own.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 --dry-run -Werror
tests/sizes.sh
cmake --preset fuzz -DKASC_UNITY=OFF -DKASC_PRECOMPILE=OFF >/dev/null
cmake --build build-fuzz --target kasc_grammar >/dev/null
git ls-files 'compiler/*.cpp' 'runtime/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy-14 -quiet -p build-fuzz 2>/dev/null
echo "style: ok"
