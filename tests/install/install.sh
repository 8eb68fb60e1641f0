#!/usr/bin/env bash
# An installation works from where it was moved to: the command, and a program that finds libkasc by find_package.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
"$work/moved/bin/kasc" compile "$work/moved/share/kasc/examples/big_fusion.kas" -o "$work/out" | grep '5 calls fused' >/dev/null
# The page of an explanation has its own files among the data.
env -u KASC_DATA "$work/moved/bin/kasc" explain "$work/moved/share/kasc/examples/big_fusion.kas" --html "$work/page.html" >/dev/null
grep big_fusion_k0 "$work/page.html" >/dev/null
# In place of k-Wave's command: the program comes with the installation.
env -u KASC_DATA "$work/moved/bin/kasc-kwave" --target cpu -i "$here/../kwave/data/2d_p_dirichlet_one.input.h5" \
  -o "$work/out.h5" --benchmark 2 | grep '2 of 2 steps' >/dev/null
cmake -S "$here" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/consumer" >/dev/null
env -u KASC_DATA "$work/consumer/consumer"
