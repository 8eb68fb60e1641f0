"""man_pages.py KASC FOLDER   writes kasc.1 and a page for each of its commands, from what the command says of itself.
`kasc-kwave`, which takes the command line of `kasc kwave`, has its page by that name.

A page has no date, so that the same command gives the same bytes.
"""
import pathlib
import sys

import help_text


def escaped(text):
    """Plain text for troff: no request at the start of a line, hyphens that are hyphens when copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def remarks(entry):
    """What the head of an entry says beside its names, as sentences."""
    if entry.bounds:
        yield f"From {entry.bounds[0]} to {entry.bounds[1]}."
    if entry.default:
        yield f"Default: {entry.default}."
    if entry.required:
        yield "Required."
    if entry.needs:
        yield f"Only with {entry.needs}."
    if entry.excludes:
        yield f"Not with {entry.excludes}."


def head(entry):
    value = "|".join(entry.words) if entry.words and entry.value in ("", "TEXT", "STAGE") else entry.value
    value = f"\\fI{escaped(value)}\\fR".replace("|", "|\\:") if value else ""  # a line may end behind a bar
    names = ", ".join(bold(name) for name in entry.names)
    if entry.optional_value:
        return f"{names}[={value}]"
    return f"{names} {value}".rstrip() + (" ..." if entry.repeated else "")


def entry_lines(entry):
    yield ".TP"
    yield head(entry)
    for number, line in enumerate(entry.text):
        if number:
            yield ".br"
        yield escaped(line)
    extra = " ".join(remarks(entry))
    if extra:
        yield ".br"
        yield escaped(extra)


def page(helped, version, others):
    name = helped.name.replace(" ", "-")
    yield f'.TH {name.upper()} 1 "" "kasc {version}" "kasc"'
    yield ".SH NAME"
    yield f"{escaped(name)} \\- {escaped(helped.description.removeprefix('kasc ').rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield bold(helped.name) + escaped(helped.usage[len(helped.name) :])
    if helped.footer:
        yield ".SH DESCRIPTION"
        yield from map(escaped, helped.footer)
    for title, entries in helped.sections:
        yield f'.SH "{escaped(title).upper()}"'
        for entry in entries:
            yield from entry_lines(entry)
    if helped.examples:
        yield ".SH EXAMPLES"
        yield ".nf"
        yield from map(escaped, helped.examples)
        yield ".fi"
    yield ".SH SEE ALSO"
    yield ", ".join(f"{bold(other)}(1)" for other in others if other != name)


def main(command, folder):
    helps = help_text.read(command)
    version = help_text.version(command)
    names = [helped.name.replace(" ", "-") for helped in helps.values()]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for page_of_former_command in folder.glob("*.1"):
        page_of_former_command.unlink()
    for name, helped in zip(names, helps.values()):
        (folder / f"{name}.1").write_text("\n".join(page(helped, version, names)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
