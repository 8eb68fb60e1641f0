#!/usr/bin/env bash
# A comment begins with what it describes: none begins with "Of" or "It". A line that goes on with the comment above it, in the same column,
# may; so may the texts that programs write, as far as they are raw strings.
set -euo pipefail
cd "$(dirname "$0")/.."
find compiler runtime support include tests -not -path 'tests/golden/*' \( -name '*.[ch]pp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) |
    LC_ALL=C sort | LC_ALL=C xargs awk '
    # The column of the comment of a line, 0 without one. raw: what ends the raw string that the line is in, or ends in.
    function comment_at(line,    i, c, open) {
        for (i = 1; i <= length(line); i++) {
            if (raw != "") {
                if ((open = index(substr(line, i), raw)) == 0) return 0
                i += open + length(raw) - 2
                raw = ""
                continue
            }
            c = substr(line, i, 1)
            if (c == "/" && substr(line, i, 2) == "//") return i
            if (c == "\"" && substr(line, i - 1, 1) == "R" && (open = index(substr(line, i), "(")) > 0) {
                raw = ")" substr(line, i + 1, open - 2) "\""
                i += open - 1
            } else if (c == "\"" || (c == "\x27" && substr(line, i - 1, 1) !~ /[0-9A-Fa-f]/)) {
                for (i++; i <= length(line) && substr(line, i, 1) != c; i++) if (substr(line, i, 1) == "\\") i++
            }
        }
        return 0
    }
    FNR == 1 { files++; raw = ""; above = 0 }
    {
        line = $0
        gsub(/[\200-\277]/, "", line)  # a byte a character
        at = comment_at(line)
        text = substr(line, at)
        alone = substr(line, 1, at - 1) ~ /^ *$/
        if (at && !(alone && at == above) && text ~ /^\/\/+!?<? *(Of|It) /) {
            print "error: " FILENAME ":" FNR ": a comment begins with \"Of\" or \"It\": say what it describes"
            faults = 1
        }
        above = text ~ /^\/\/+!?<? *$/ ? 0 : at
    }
    END {
        if (faults) exit 1
        print files " sources, no comment begins with \"Of\" or \"It\""
    }'
