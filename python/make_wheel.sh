#!/usr/bin/env bash
# One wheel in dist/ with all that it needs beside Python: for other Linux machines with an equal or newer glibc.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
KASC_EXTRA_PACKAGES="patchelf python3-venv python3-dev"
source "$root/examples/setup.sh"
tools=$root/build-python/tools
[ -d "$tools" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q scikit-build-core nanobind; }
(cd "$root" && cmake --preset bundle && cmake --build --preset bundle)
PATH="$tools/bin:$PATH" "$tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$root/dist" \
    -C cmake.define.CMAKE_PREFIX_PATH="$root/bundle" -C build-dir="$root/build-python/extension" "$root"
ls "$root"/dist/*.whl
