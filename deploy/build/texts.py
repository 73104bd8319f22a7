#!/usr/bin/python3
"""Compile the translations into rows of C.

    texts.py OUT FILE.po... TABLE.def...

A .po file is named by the tag of its language, and a folder has one for each
language: that of the service, and that of each game.  All others have the same
identifiers as the English ones.  Each row of a table has a code, which needs
texts: those after "Texts:" in the comment of the table, as KIND.*.PART, where the
code is the first string of a row.  With KIND.CODE.PART a row has the three parts
of the identifier itself.  The rows of err.def hold the English texts of the
problems themselves.
Nothing is written if a file is damaged, or if a text is missing, unknown, empty
or fuzzy (so translators' tools mark a text that is not ready), has other
placeholders than the English one, or breaks its language's typography
(TYPOGRAPHY).
"""

import os
import re
import sys
import unicodedata

import polib

LINE = re.compile(r'(?:msg[a-z]+ )?"')
WHOLE_LINE = re.compile(r'(?:msg[a-z]+ )?"(?:[^"\\]|\\.)*"')
KEY = re.compile(r"[a-z_]+\.[a-z_]+\.[a-z_]+([1-9])?")

# A placeholder, which the client fills in: {count}.
PLACE = re.compile(r"\{([a-z_]+)\}")
BRACE = re.compile(r"[{}]")

ENGLISH = "en"

# The comment of a table lists the texts that the table needs.
NEEDS = re.compile(r"^ \* Texts: ((?:.*\n)*?) \*(?:/|\n)", re.M)
NEED = re.compile(r"[a-z_]+\.\*\.[a-z_]+1?")
OF_COLUMNS = "KIND.CODE.PART"
ROW = re.compile(r"^[A-Z]+\((.*?)\)$", re.M | re.S)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')

# The row of err.def that is not a problem.
NO_PROBLEM = "ok"

# Typography that a language does not use: a pattern, and the message for it.
THIN = "\u202f"
TYPOGRAPHY = {
    "de": [("['\"]", "a straight quote: „…“ and ’")],
    "fr": [
        ("['\"]", "a straight quote: « … » and ’"),
        (f"[^{THIN}:;!?][:;!?»]", "no narrow space before : ; ! ? or »"),
        (f"«[^{THIN}]", "no narrow space after «"),
    ],
    "ru": [("['\"]", "a straight quote: «…»")],
}


class Broken(Exception):
    """The faults, one a line."""


def unescape(string):
    """A string of a table, without its quotes."""
    return re.sub(r"\\(.)", r"\1", string)


def check_header(tag, fields):
    if fields.get("Language") != tag:
        yield f"the header's Language is not {tag}"
    if fields.get("Content-Type") != "text/plain; charset=UTF-8":
        yield "the header's Content-Type is not text/plain; charset=UTF-8"


def check_text(tag, entry):
    """The faults of one text."""
    text = entry.msgstr
    for wrong, what in TYPOGRAPHY.get(tag, []):
        if re.search(wrong, text):
            yield what
    if "\\" in text:
        yield "a backslash"
    if BRACE.search(PLACE.sub("", text)):
        yield "a brace outside a placeholder such as {count}"
    if len(PLACE.findall(text)) > len(set(PLACE.findall(text))):
        yield "a placeholder twice"
    if entry.fuzzy:
        yield "fuzzy"
    if not text.strip():
        yield "empty"
    elif text != text.strip() or "  " in text:
        yield "extra blanks"
    if any(unicodedata.category(letter).startswith("C") for letter in text):
        yield "an invisible character"
    if text != unicodedata.normalize("NFC", text):
        yield "not in Unicode's normal form C"


def parse(text):
    """The entries of a file.  polib forgives a string without its end."""
    for number, line in enumerate(text.splitlines(), 1):
        if LINE.match(line) and not WHOLE_LINE.fullmatch(line.rstrip()):
            raise Broken(f"{number}: expected a string in double quotes")
    try:
        return polib.pofile(text)
    except OSError as fault:  # "Syntax error in po file (line 3)"
        line = re.search(r"\(line (\d+)\)", str(fault))
        raise Broken(f"{line[1] if line else 1}: syntax error") from None


def read(tag, text):
    """The texts of a language by their identifiers; or Broken."""
    texts, faults = {}, []
    file = parse(text)
    for entry in file:
        if entry.obsolete:  # "#~": a text of before
            continue
        wrong = list(check_text(tag, entry))
        if not KEY.fullmatch(entry.msgid):
            wrong.append("expected an identifier KIND.CODE.PART")
        if entry.msgid in texts:
            wrong.append("twice")
        texts[entry.msgid] = entry.msgstr
        faults += [f"{entry.linenum}: {entry.msgid}: {fault}" for fault in wrong]
    faults += [f"1: {fault}" for fault in check_header(tag, file.metadata)]
    if faults:
        raise Broken("\n".join(faults))
    return texts


def table_rows(text):
    """The strings of each row of a table, unquoted."""
    for row in ROW.findall(text):
        yield [unescape(string) for string in STRING.findall(row)]


def needs_of(path, text):
    """The texts that a table needs, as KIND.*.PART; None: of its columns."""
    found = NEEDS.search(text)
    if not found:
        raise Broken(f'{path}:1: expected "Texts:" in the first comment')
    if OF_COLUMNS in found[1]:
        return None
    return NEED.findall(found[1])


def take_tables(tables, english):
    """Add the English texts of problems; returns the identifiers needed, each
    with the path of its table."""
    wanted = {}
    for path, content in tables:
        name = os.path.basename(path)
        text = content.decode("utf-8")
        needs = needs_of(path, text)
        for code, *strings in table_rows(text):
            if needs is None:
                keys = [".".join([code, *strings[:2]])]
            else:
                keys = [key.replace("*", code) for key in needs]
            if name == "err.def" and code == NO_PROBLEM:
                continue
            if name == "err.def":
                english.update(zip(keys, strings))
            for key in keys:
                wanted.setdefault(key, path)
    return wanted


def check_places(english, texts):
    """A text has the placeholders of the English one, in any order."""
    for key in sorted(set(english) & set(texts)):
        own, others = (sorted(PLACE.findall(each[key]))
                       for each in (texts, english))
        if own != others:
            yield f"{key}: placeholders {own}; expected those of en.po, {others}"


def read_files(files):
    """From [(path, bytes)] the texts by path, English ones first."""
    read_ones, faults = {}, []
    for path, content in sorted(files, key=lambda file: (
            tag_of(file[0]) != ENGLISH, tag_of(file[0]))):
        try:
            read_ones[path] = read(tag_of(path), content.decode("utf-8"))
        except UnicodeDecodeError as fault:
            faults.append(f"{path}:1: not UTF-8: {fault.reason}")
        except Broken as broken:
            faults += [f"{path}:{fault}" for fault in str(broken).split("\n")]
    if faults:
        raise Broken("\n".join(faults))
    return read_ones


def tag_of(path):
    return os.path.basename(path).removesuffix(".po")


def put_together(read_ones):
    """The texts of each language, of all its files; or Broken."""
    languages, faults = {}, []
    for path, texts in read_ones.items():
        whole = languages.setdefault(tag_of(path), {})
        faults += [f"{path}:1: {key}: another file has it too"
                   for key in sorted(set(whole) & set(texts))]
        whole.update(texts)
    if faults:
        raise Broken("\n".join(faults))
    return languages


def near(path, paths):
    """The one of some paths that shares the most folders with a path."""
    folders = os.path.dirname(path).split("/")
    return max(paths, key=lambda other: len(os.path.commonprefix(
        [folders, os.path.dirname(other).split("/")])))


def homes(read_ones, wanted):
    """The English file that has a text; of others the one near its table."""
    english = [path for path in read_ones if tag_of(path) == ENGLISH]
    home = {key: path for path in english for key in read_ones[path]}
    for key, table in wanted.items():
        home.setdefault(key, near(table, english))
    return home


def read_all(files, tables=()):
    """From [(path, bytes)] the texts of each language by its tag; or Broken."""
    read_ones = read_files(files)
    languages = put_together(read_ones)
    english = languages[ENGLISH]
    wanted = take_tables(tables, english)
    home = homes(read_ones, wanted)
    wanted = set(wanted) | set(english)
    faults = []
    for tag, texts in languages.items():
        paths = [path for path in read_ones if tag_of(path) == tag]
        for key in sorted(wanted - set(texts)):
            where = near(home[key], paths) if key in home else paths[0]
            faults.append(f"{where}:1: {key}: missing")
        for path in paths:
            faults += [f"{path}:1: {key}: not in {ENGLISH}.po or a table"
                       for key in sorted(set(read_ones[path]) - wanted)]
            faults += [f"{path}:1: {fault}"
                       for fault in check_places(english, read_ones[path])]
    if faults:
        raise Broken("\n".join(faults))
    return languages


def literal(text):
    """A string of C.  Question marks are escaped: two may be a trigraph."""
    for char, escaped in (("\\", r"\\"), ('"', r"\""), ("?", r"\?")):
        text = text.replace(char, escaped)
    return f'"{text}"'


def rows(languages):
    """The rows, sorted by identifier, since texts.c searches by bisection."""
    yield "/* Made by texts.py of the files in texts folders. */"
    for tag in languages:
        yield f"LANGUAGE({literal(tag)})"
    for key in sorted(next(iter(languages.values()))):
        columns = [key] + [texts[key] for texts in languages.values()]
        yield f"TEXT({', '.join(map(literal, columns))})"
    yield "#undef LANGUAGE"
    yield "#undef TEXT"


def main():
    out, *paths = sys.argv[1:]
    files, tables = [], []
    for path in paths:
        with open(path, "rb") as file:
            (tables if path.endswith(".def") else files).append(
                (path, file.read()))
    try:
        text = "\n".join(rows(read_all(files, tables))) + "\n"
    except Broken as broken:
        sys.exit(str(broken))
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
