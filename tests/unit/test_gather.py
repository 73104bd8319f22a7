"""internal/store/gather.def has the parameters of the gathered statements in sql/queries:
the number, the name and the type of each.
"""
import os
import re

import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
TYPES = {"BOOL": "boolean", "BYTEA": "bytea", "INT2": "smallint", "INT4": "integer",
         "TEXT": "text", "UUID": "uuid"}


def read(path):
    with open(f"{ROOT}/{path}", encoding="utf-8") as file:
        return file.read()


def read_query(name):
    return re.sub(r"--[^\n]*", "", read(f"sql/queries/{name}.sql"))


def read_table(macro):
    return [re.split(r",\s*", row) for row in re.findall(
        rf"^{macro}\((.*)\)$", read("internal/store/gather.def"), flags=re.M)]


def named(text):
    """The parameters that a text names: arguments of functions, comparisons with a
    column, and the columns that unnest() makes; by number, all their names."""
    names = {}
    for name, number in re.findall(r"\b(\w+) => \$(\d+)\b", text) + re.findall(
            r"\b\w+\.(\w+) = \$(\d+)\b", text):
        names.setdefault(int(number), set()).add(name)
    for arrays, columns in re.findall(
            r"unnest\(([^)]*)\)(?:\s+WITH ORDINALITY)?\s+AS \w+\(([^)]*)\)", text):
        numbers = re.findall(r"\$(\d+)", arrays)
        for number, name in zip(numbers, re.split(r",\s*", columns)):
            names.setdefault(int(number), set()).add(name.strip())
    return names


def cast(text):
    """The types that parameters are cast to, by number."""
    types = {}
    for number, kind in re.findall(r"\$(\d+)::(\w+(?:\[\])?)", text):
        types.setdefault(int(number), set()).add(kind)
    return types


def faults(text, rows):
    """The differences of a statement: rows are the name and the type, or None."""
    names, types = named(text), cast(text)
    count = max(map(int, re.findall(r"\$(\d+)", text)))
    if count != len(rows):
        yield f"{count} parameters, the table has {len(rows)}"
    for number, (name, kind) in enumerate(rows, 1):
        others = names.get(number, set()) - {name}
        # A place, or a count, is looked up in another array by $n.
        if others and not others <= {"loaded_versions", "events_counts", "games"}:
            yield f"${number} is {others}, the table says {name}"
        if number not in names and number not in types:
            yield f"${number} is not there"
        if kind and types.get(number, {kind}) != {kind}:
            yield f"${number} is {types[number]}, the table says {kind}"


def check(tally, name, rows, text=None):
    text = text or read_query(name)
    found = list(faults(text, rows))
    tally.check(f"{name}.sql has the parameters of the table", not found, found)
    for number in range(2, len(rows) + 1):
        swapped = {str(number): str(number - 1), str(number - 1): str(number)}
        planted = re.sub(r"\$(\d+)", lambda found: "$" + swapped.get(
            found.group(1), found.group(1)), text)
        if name != "load" and not list(faults(planted, rows)):
            tally.check(f"{name}.sql: ${number} and the one before, exchanged, "
                        "are found", False)


MOVES = [(name, None) for _, name in read_table("MOVE")]


def test_load(tally):
    check(tally, "load", [(name, None) for _, name in read_table("LOAD")])


def test_move(tally):
    check(tally, "commit_move", MOVES)


@pytest.mark.parametrize("name, macro", [("load_many", "LOADS"),
                                         ("commit_moves", "MOVES")])
def test_gathered(tally, name, macro):
    check(tally, name, [
        (column, TYPES[kind] + ("" if form == "FIRST" else "[]"))
        for form, kind, _, column in read_table(macro)])


def test_change_of_seats(tally):
    seats = read_query("change_seats")
    call = re.search(r"commit_and_record\(([^)]*)\)", seats).group(1)
    shared = [row for row in MOVES if row[0] not in ("loaded_revision",
                                                     "new_recent_keys")]
    check(tally, "change_seats", shared, call)
    tally.check("change_seats.sql has its others after them",
                sorted({int(number) for number in re.findall(r"\$(\d+)", seats)}) ==
                list(range(1, len(shared) + 22)))
