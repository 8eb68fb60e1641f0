#!/usr/bin/env bash
# One wheel in dist/ with all that it needs beside Python: for other Linux machines with an equal or newer glibc. It is
# for the version of Python that makes it, $PYTHON or python3, from 3.12 on for later ones as well.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
KASC_EXTRA_PACKAGES="patchelf python3-venv python3-dev"
source "$root/examples/setup.sh"
python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print("{}.{}".format(*sys.version_info))')
tools=$root/build-python/tools-$version
[ -d "$tools" ] || { "$python" -m venv "$tools" && "$tools/bin/pip" install -q scikit-build-core nanobind; }
rm -rf "$root/bundle" # libraries of former versions stay there else
(cd "$root" && cmake --preset bundle && cmake --build --preset bundle)
PATH="$tools/bin:$PATH" "$tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$root/dist" \
    -C cmake.define.CMAKE_PREFIX_PATH="$root/bundle" -C build-dir="$root/build-python/extension-$version" "$root"
ls "$root"/dist/*.whl
