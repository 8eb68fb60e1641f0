#!/bin/bash
# remember.sh COMPILER WORD…   calls the compiler and keeps what it made; the same call again copies that, and says what was
# said. The same is: the words but for the folders of files, the text of the sources and of what these include by "…", the
# compiler's version and, with -march=native, the machine. Calls that fail or make no file of sources are not kept.
#
# kasc has a cache of its own (docs/cache.md), which is off in tests: they call compilers in other ways, too, from scripts
# and through stand-ins, so that this one serves them all.
#
# Tests build the same emitted code many times over, and again the next time: as CXX, "tests/remember.sh g++". What is kept
# lies in the folder $KASC_REMEMBERED, for a week from when it was last asked for; without that nothing is.
# $KASC_BUILD_MORE: words behind all others, such as -O0.
store=${KASC_REMEMBERED:-}
read -ra more <<<"${KASC_BUILD_MORE:-}"
made='' sources=() folders=() words=("${more[@]}") before=''
for word; do
    case $word in
    *) [ "$before" != -o ] || made=$word ;;& # and what fits below
    *.cpp | *.cu | *.o) [ "$before" = -o ] || { sources+=("$word") && words+=("${word##*/}"); } ;;
    -I*) folders+=("${word#-I}") ;;
    -march=native) words+=("$word" "$(grep -m 1 flags /proc/cpuinfo)") ;;
    *) [ "$before" = -o ] || words+=("$word") ;;
    esac
    before=$word
done
if [ -z "$store" ] || [ -z "$made" ] || [ ${#sources[@]} -eq 0 ]; then exec "$@" "${more[@]}"; fi

declare -A seen
texts() { # of a file and of what it includes
    local name folder
    [ -z "${seen[$1]:-}" ] || return 0
    seen[$1]=1
    cat "$1"
    case $1 in *.o) return ;; esac
    while read -r name; do
        for folder in "$(dirname "$1")" "${folders[@]}"; do
            [ ! -f "$folder/$name" ] || { texts "$folder/$name" && break; }
        done
    done < <(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$1")
}
key=$({
    "$1" --version
    printf '%s\n' "${words[@]}"
    for source in "${sources[@]}"; do texts "$source"; done
} 2>/dev/null | sha256sum | cut -c 1-40)
kept=$store/$key
if [ ! -f "$kept.said" ]; then
    mkdir -p "$store" && new=$(mktemp "$store/new.XXXXXX") || exec "$@" "${more[@]}"
    find "$store" -maxdepth 1 -type f -mtime +7 -delete
    status=0
    "$@" "${more[@]}" >"$new" 2>&1 || status=$?
    cat "$new" >&2
    # What cannot be kept is none the worse.
    [ $status -eq 0 ] && cp "$made" "$new.made" && mv "$new.made" "$kept.made" && mv "$new" "$kept.said"
    rm -f "$new" "$new.made"
    exit $status
fi
touch "$kept.made" "$kept.said" && cp "$kept.made" "$made" && cat "$kept.said" >&2
