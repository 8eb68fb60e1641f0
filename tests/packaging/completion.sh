#!/usr/bin/env bash
# completion.sh BUILD/help/completion   What the shells offer behind words of kasc: bash is asked, fish and zsh where they are.
set -euo pipefail
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir mylib
touch heat.kas in.h5 note.txt

# shellcheck source=/dev/null
source "$folder/kasc"
faults=0
offers() { # what is expected, then the words, the last of which is being written
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _kasc 2>/dev/null || true # compopt wants to be called by a completion
    if [ "${COMPREPLY[*]}" != "$expected" ]; then
        echo "error: $* offers '${COMPREPLY[*]}', expected is '$expected'" && faults=1
    fi
}
offers run kasc ru
offers 'compile run kwave kwave-prepare explain tune bench check-lib cache batch view format lsp' kasc ''
offers '--check --checkpoint' kasc run --check
offers 'auto cuda cpu' kasc run heat.kas --target ''
offers 'cuda cpu' kasc run heat.kas --target = c # --target=c
offers 'text json' kasc run --timing =
offers 'exact greedy beam random none' kasc explain --strategy ''
offers 'heat.kas mylib' kasc compile ''
offers 'in.h5 mylib' kasc run heat.kas --in ''
offers mylib kasc check-lib ''
offers '' kasc compile heat.kas --seed ''
offers '--p_max --p_max_all' kasc-kwave --p_max

if command -v fish >/dev/null; then
    export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work # where fish keeps its own
    fish -c "source '$folder/kasc.fish'; complete -C 'kasc ru'" | grep -q '^run' || { echo "error: fish" && faults=1; }
    fish -c "source '$folder/kasc.fish'; complete -C 'kasc run --che'" | grep -q '^--checkpoint' || { echo "error: fish" && faults=1; }
fi
if command -v zsh >/dev/null; then
    zsh -n "$folder/_kasc" || faults=1
    grep -q -- "--checkpoint=\[" "$folder/_kasc" || { echo "error: zsh" && faults=1; }
fi
exit $faults
