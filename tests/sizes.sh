#!/usr/bin/env bash
# A source is read in one sitting: half of them have at most 150 lines, none has more than 450.
set -euo pipefail
cd "$(dirname "$0")/.."
find compiler runtime support include tests examples benchmarks -not -path 'tests/golden/*' \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) |
    LC_ALL=C sort | xargs awk '
    FNR == 1 { files++ }
    { lines[FILENAME]++ }
    END {
        for (file in lines) {
            counts[lines[file]]++
            if (lines[file] > 450) { print "error: " file " has " lines[file] " lines, at most are 450"; faults = 1 }
        }
        for (median = 0; 2 * passed < files; median++) passed += counts[median]
        median--
        if (median > 150) { print "error: the median source has " median " lines, at most are 150"; faults = 1 }
        print files " sources, the median of " median " lines"
        exit faults
    }'
