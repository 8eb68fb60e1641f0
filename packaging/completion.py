"""completion.py KASC FOLDER   writes what completes kasc's words in a shell, from what the command says of itself:
FOLDER/kasc for bash, FOLDER/_kasc for zsh, FOLDER/kasc.fish.
"""
import pathlib
import re
import sys

import help_text

MADE = "# Made from `kasc --help` by packaging/completion.py."


def kind(entry):
    """What completes an option's value or an argument: words, "folder", "file" with an ending, or None: nothing does."""
    if entry.words:
        return "words", entry.words
    if entry.value == "DIR":
        return "folder", ""
    ending = re.fullmatch(r"(?:\w+\|)?\w+\.(\w+)", entry.value)
    if ending:
        return "file", ending.group(1)
    return ("file", "") if "FILE" in entry.value and "=" not in entry.value else None


def takes_value(entry):
    return entry.is_option and not entry.optional_value and bool(entry.value or entry.words)


def single_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def short_text(entry):
    """What a list of options has room for."""
    return re.split("[;:]", entry.text[0])[0] if entry.text else ""


# bash


def bash_answer(what):
    if what is None:
        return ":"
    if what[0] == "words":
        return f"_kasc_words '{' '.join(what[1])}'"
    return "_kasc_folders" if what[0] == "folder" else f"_kasc_files '{what[1]}'"


def bash_command(name, helped):
    yield f"    {name or chr(39) * 2})"
    answers = {"$before": {}, "${before%=}": {}}  # of values that a sign must stand before, and of all others
    for entry in helped.entries(options=True):
        if entry.optional_value:
            answers["$before"].setdefault(bash_answer(kind(entry)), []).extend(f"{n}=" for n in entry.names)
        elif takes_value(entry):
            answers["${before%=}"].setdefault(bash_answer(kind(entry)), []).extend(entry.names)
    for word, by_answer in answers.items():
        if by_answer:
            yield f"        case {word} in"
            yield from (f"        {' | '.join(names)}) {answer}; return ;;" for answer, names in by_answer.items())
            yield "        esac"
    options = " ".join(n for entry in helped.entries(options=True) for n in entry.names)
    yield f"        if [[ $word == -* ]]; then _kasc_words '{options}'; return; fi"
    if not name:
        yield f"        _kasc_words '{' '.join(e.names[0] for e in helped.entries(options=False))}'"
    else:
        arguments = helped.entries(options=False)
        yield f"        {bash_answer(kind(arguments[0]) if arguments else None)}"
    yield "        ;;"


def bash(helps):
    commands = "|".join(name for name in helps if name)
    yield "# Completion of kasc's words in bash."
    yield MADE
    yield f"""
_kasc_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }}

_kasc_folders() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
}}

_kasc_files() {{ # with the ending, if any, and folders, which may hold some
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <({{ compgen -d -- "$word"; compgen -f -X "!*${{1:+.$1}}" -- "$word"; }} | sort -u)
}}

_kasc() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' k
    COMPREPLY=()
    # bash takes --target=cpu for three words.
    if [[ $word == = ]]; then
        word='' before=$before=
    elif [[ $before == = && $COMP_CWORD -ge 2 ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}=
    fi
    case ${{COMP_WORDS[0]##*/}} in
    kasc-kwave) command=kwave ;;
    *)
        for ((k = 1; k < COMP_CWORD; k++)); do
            case ${{COMP_WORDS[k]}} in {commands}) command=${{COMP_WORDS[k]}} && break ;; esac
        done
        ;;
    esac
    case $command in"""
    for name, helped in helps.items():
        yield from bash_command(name, helped)
    yield "    esac"
    yield "}"
    yield ""
    yield "complete -F _kasc kasc kasc-kwave"


# zsh


def zsh_action(entry):
    what = kind(entry)
    if what is None:
        return " "
    if what[0] == "words":
        return f"({' '.join(what[1])})"
    return "_files -/" if what[0] == "folder" else f'_files -g "*.{what[1]}"' if what[1] else "_files"


def zsh_escaped(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_entry(entry):
    """Lines for _arguments: '(-o --output)'{-o,--output}'[where the files go]:DIR:_files -/'"""
    if not entry.is_option:
        yield single_quoted(f"{'*' if entry.repeated else ''}:{entry.names[0]}:{zsh_action(entry)}")
        return
    value = entry.value or "value"
    behind = f":{zsh_escaped(value)}:{zsh_action(entry)}" if takes_value(entry) or entry.words else ""
    for name in entry.names:
        sign = "=-" if entry.optional_value else "=" if takes_value(entry) and name.startswith("--") else ""
        again = "*" if entry.repeated or entry.optional_value else f"({' '.join(entry.names)})"
        colons = ":" + behind if entry.optional_value else behind
        yield single_quoted(f"{again}{name}{sign}[{zsh_escaped(short_text(entry))}]{colons}")


def zsh_arguments(helped, indent):
    lines = [line for entry in helped.entries(True) + helped.entries(False) for line in zsh_entry(entry)]
    yield f"{indent}_arguments \\"
    yield from (f"{indent}    {line}{' ' + chr(92) if line is not lines[-1] else ''}" for line in lines)


def zsh(helps):
    yield "#compdef kasc kasc-kwave"
    yield "# Completion of kasc's words in zsh."
    yield MADE
    yield """
_kasc() {
    local state line context
    if [[ $service == kasc-kwave ]]; then
        _kasc_command kwave
        return
    fi
    _arguments -C '(- *)'{-h,--help}'[Print this help message and exit]' '(- *)--version[Say the version and exit]' \\
        ':command:->command' '*::word:->words'
    case $state in
    command)
        local -a commands=("""
    for entry in helps[""].entries(options=False):
        yield "            " + single_quoted(f"{entry.names[0]}:{zsh_escaped(short_text(entry))}")
    yield """        )
        _describe command commands
        ;;
    words) _kasc_command $line[1] ;;
    esac
}

_kasc_command() {
    case $1 in"""
    for name, helped in helps.items():
        if name:
            yield f"    {name})"
            yield from zsh_arguments(helped, "        ")
            yield "        ;;"
    yield "    esac"
    yield "}"
    yield ""
    yield '_kasc "$@"'


# fish


def fish_entry(entry, condition):
    words = [f"complete -c kasc -n {single_quoted(condition)}"]
    for name in entry.names:
        words.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if takes_value(entry):
        words.append("-r")
        what = kind(entry)
        if what is None:
            words.append("-f")
        elif what[0] == "words":
            words.append("-f -a " + single_quoted(" ".join(what[1])))
        elif what[0] == "folder":
            words.append("-f -a '(__fish_complete_directories)'")
        elif what[1]:
            words.append(f"-f -a '(__fish_complete_suffix .{what[1]})'")
    words.append("-d " + single_quoted(short_text(entry)))
    return " ".join(words)


def fish(helps):
    yield "# Completion of kasc's words in fish."
    yield MADE
    yield ""
    yield "complete -c kasc -f"
    for entry in helps[""].entries(options=True):
        yield fish_entry(entry, "__fish_use_subcommand")
    for entry in helps[""].entries(options=False):
        yield f"complete -c kasc -n __fish_use_subcommand -a {entry.names[0]} -d {single_quoted(short_text(entry))}"
    for name, helped in helps.items():
        if not name:
            continue
        yield ""
        condition = f"__fish_seen_subcommand_from {name}"
        arguments = helped.entries(options=False)
        what = kind(arguments[0]) if arguments else None
        if what:
            action = "__fish_complete_directories" if what[0] == "folder" else f"__fish_complete_suffix .{what[1]}"
            yield f"complete -c kasc -n {single_quoted(condition)} -a '({action})'"
        for entry in helped.entries(options=True):
            yield fish_entry(entry, condition)
    yield ""
    yield "complete -c kasc-kwave -w 'kasc kwave'"


def main(command, folder):
    helps = help_text.read(command)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("kasc", bash(helps)), ("_kasc", zsh(helps)), ("kasc.fish", fish(helps))):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
