#!/usr/bin/env bash
# Installs what is missing on Debian 12 and builds kasc into build/ (or $KASC_BUILD). Sourced by demo.sh and
# tests/check.sh.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${KASC_BUILD:-$root/build}

packages=(g++ cmake ninja-build antlr4 libantlr4-runtime-dev libmuparserx-dev liblpsolve55-dev libsuitesparse-dev
    coinor-libclp-dev
    libboost-graph-dev libhdf5-dev libcli11-dev nlohmann-json3-dev libfmt-dev libsqlite3-dev libpng-dev libcairo2-dev fonts-dejavu-core libssl-dev
    libfftw3-dev libopenmpi-dev openmpi-bin libgtest-dev python3
    ${KASC_EXTRA_PACKAGES:-})
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
    echo "installing ${missing[*]}"
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

configure() { # the preset's name, then options for CMake
    local preset=$1
    shift
    cmake --preset "$preset" -S "$root" -B "$build" "$@" >"${TMPDIR:-/tmp}/kasc-configure.log" 2>&1 ||
        { cat "${TMPDIR:-/tmp}/kasc-configure.log" >&2; return 1; }
}
