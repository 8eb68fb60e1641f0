#!/usr/bin/env bash
# Everything that a change must pass: set-up, build with warnings as errors, all tests. On two cores some ten minutes
# after the first build, eight where what tests build of emitted code is there from before (tests/remember.sh). With
# --full also all of k-Wave's cases, all kernels at all extents, all of many tests alike in place of a fixed sample, programs
# changed at random through all stages (built by clang), clang-format, black, clang-tidy and a report of line and branch
# coverage (more than an hour).
KASC_EXTRA_PACKAGES="clang-14 libclang-rt-14-dev python3-h5py python3-venv python3-dev dpkg-dev file mkdocs"
[ "${1:-}" != --full ] || KASC_EXTRA_PACKAGES+=" clang-format-14 clang-tidy-14 black gcovr"
source "$(dirname "${BASH_SOURCE[0]}")/../examples/setup.sh"

configure release -DKASC_TESTS=ON -DKASC_BENCHMARKS=ON
cmake --build "$build"
[ "${1:-}" = --full ] && labels=() || labels=(-LE full)
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "${labels[@]}"
"$root/tests/fuzz/fuzz.sh" "${KASC_FUZZ_SECONDS:-15}"

if [ "${1:-}" = --full ]; then
    KASC_FULL=1 "$build/tests/random_programs" --field-files "$root"/tests/random/fields/*.kas
    RANDOM_PROGRAMS="$build/tests/random_programs" "$root/tests/random.sh" 375 625
    RANDOM_PROGRAMS="$build/tests/random_programs" "$root/tests/random.sh" --fields --emitted 3 9
    RANDOM_PROGRAMS="$build/tests/random_programs" "$root/tests/random.sh" --fields --compiles
    RANDOM_PROGRAMS="$build/tests/random_programs" "$root/tests/random.sh" --fields 120 380
    KASC_FULL=1 "$build/tests/unit_lower"
    KASC_FULL=1 "$build/tests/unit_driver" --gtest_filter='Example*:Plans.*:*SearchWork*:StrategiesOnPrograms.*:*Nvrtc*'
    KASC_FULL=1 "$build/tests/command" --gtest_filter='CellsLibrary.*:Command.CompilesAnyExample*:*Processes*'
    KASC_FULL=1 "$build/tests/unit_runtime" --gtest_filter='HostileFile*'
    KASC_FULL=1 "$build/tests/mutation"
    KASC_FULL=1 "$root/tests/with_numpy.sh" "$root/tests/language/walls.py" "$build/bin/kasc"
    KASC_FULL=1 "$build/tests/golden" --gtest_filter='*RoundTrip*'
    KASC_FULL=1 "$build/tests/run" --gtest_filter='*Run*.Equals*'
    "$root/tests/fuzz/fuzz.sh" 300 compile
    "$root/tests/gpu/compiles.sh" "$build/bin/kasc" --full || [ $? = 77 ]
    "$root/tests/gpu/registers.sh" "$build/bin/kasc" --full || [ $? = 77 ]
    KASC_ALL_KWAVE=1 "$build/tests/command" --gtest_filter='*KWave*'
    "$root/tests/style.sh"
    "$root/tests/coverage.sh"
fi
