#!/usr/bin/env bash
# man_pages.sh KASC BUILD/help/man   Each command has a page, with all of its options; troff has nothing to object to.
set -euo pipefail
kasc=$1
folder=$2
faults=0
commands=$("$kasc" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 9 ] || { echo "error: no commands in kasc --help" && exit 1; }
for command in '' $commands; do
    page=$folder/kasc${command:+-$command}.1
    [ -f "$page" ] || { echo "error: no page $page" && faults=1 && continue; }
    plain=$(sed 's/\\-/-/g' "$page")
    # shellcheck disable=SC2086 # no command is no word
    for option in $("$kasc" $command --help | sed -n 's/^  \(-[^ {]*\).*/\1/p' | tr , ' '); do
        grep -q -- "\\\\fB$option\\\\fR" <<<"$plain" || { echo "error: $page lacks $option" && faults=1; }
    done
    for section in NAME SYNOPSIS OPTIONS; do
        grep -q "^.SH \"\?$section" "$page" || { echo "error: $page lacks $section" && faults=1; }
    done
    if command -v man >/dev/null && man --warnings -l /dev/null >/dev/null 2>&1; then
        warnings=$(MANWIDTH=100 man --warnings -l "$page" 2>&1 >/dev/null) || true
        [ -z "$warnings" ] || { echo "error: $page: $warnings" && faults=1; }
    fi
done
exit $faults
