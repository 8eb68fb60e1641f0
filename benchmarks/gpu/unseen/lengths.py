"""What an emitted program asks for beside arrays: lengths of axes and parameters, as the text of the program says them."""

import re


def scalars_of(text, dims, header):
    """By name, for Emitted.arguments. `dims`: lengths that a user gives."""
    text = re.sub(r"//.*", "", text)
    known = {**dims}
    for several in re.findall(r"\bparam (?:float|int|double) ([^;]*);", text):
        for name, value in (one.split("=") for one in several.split(",")):
            known[name.strip()] = eval(value, {}, dict(known))
    for name, value in re.findall(r"^axis (\w+) = ([^;]*);", text, re.M):
        if value.startswith("staggered"):
            known[name] = known[re.search(r"\((\w+)", value).group(1)] + ("same" not in value)
        else:
            known[name] = eval(re.sub(r"extent\((\w+)\)", r"\1", value).replace("/", "//"), {}, dict(known))
    scalars = {**{f"n{a}": n for a, n in known.items()}, **known}
    scalars.update({member: 0 for kind, member, _ in header.members if member.endswith("_rows")})  # series lie in memory as wholes
    return scalars


def compulsory_bytes(header, scalars):
    """Every input read once, every result written once."""
    total = 0
    for kind, name, _ in header.members:
        if kind in ("in", "out"):
            words = 1
            for n in header.shape(name, scalars):
                words *= n
            total += words * header.cells[name].itemsize
    return total
