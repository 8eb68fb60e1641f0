#!/usr/bin/env bash
# wheel.sh BUILD: the package of Python, made of what was built there, installed from its wheel into a fresh virtual
# environment, and tested from there. Skipped (77) where Python's own packages are not to be had.
set -euo pipefail
build=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

tools=$build/tests/python/tools # and what was compiled stay for the next time
if [ ! -e "$tools/complete" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools" && "$tools/bin/pip" install -q scikit-build-core nanobind >"$work/log" 2>&1 ||
        { cat "$work/log" && exit 77; }
    touch "$tools/complete"
fi
installed=$build/tests/python/installed
rm -rf "$installed" && cmake --install "$build" --prefix "$installed" >/dev/null
PATH="$tools/bin:$PATH" "$tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$work/dist" \
    -C cmake.define.CMAKE_PREFIX_PATH="$installed" -C build-dir="$build/tests/python/extension" "$root"
# A pip of its own, and bytecode of what is run once, would take more time than the tests.
python3 -m venv --without-pip "$work/fresh"
"$tools/bin/pip" --python "$work/fresh/bin/python" install -q --no-compile "$work"/dist/*.whl pandas
cd "$work"
"$work/fresh/bin/python" "$root/tests/python/test_kasc.py"
"$work/fresh/bin/python" "$root/tests/python/test_gpu.py"
"$work/fresh/bin/kasc" --version
