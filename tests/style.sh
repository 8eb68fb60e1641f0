#!/usr/bin/env bash
# clang-format, black, sizes of sources, how comments begin and clang-tidy over our own code. clang-tidy reads the compile
# commands of the fuzzing build: those are clang's own. With --mend the formatters write what they want, and nothing else is looked at.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
how=(--dry-run -Werror) python=(--check)
[ "${1:-}" != --mend ] || how=(-i) python=()
# Not the library of elementary functions and its tests: tables of variants make text that is no C++ before a row is filled in, the
# published files stay as they were published, and what is faulty on purpose stays so.
git ls-files '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh' ':!elementlib' ':!tests/*.cu' ':!tests/*.cuh' |
    xargs clang-format-14 "${how[@]}"
git ls-files '*.py' | xargs black --quiet "${python[@]}"
[ "${1:-}" != --mend ] || exit 0
tests/sizes.sh
tests/comments.sh
cmake --preset fuzz -DKASC_UNITY=OFF -DKASC_PRECOMPILE=OFF >/dev/null
cmake --build build-fuzz --target kasc_grammar >/dev/null
git ls-files 'compiler/*.cpp' 'runtime/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy-14 -quiet -p build-fuzz 2>/dev/null
echo "style: ok"
