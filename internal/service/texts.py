#!/usr/bin/python3
"""Compile the translations into rows of C.

    texts.py OUT en.po OTHER.po... TABLE.def...

A .po file is a language, named by its tag.  The first is English; all others
have the same identifiers.  Each row of a table has a code, which needs texts
(TABLES); the rows of err.def hold the English texts of the problems themselves.
Nothing is written if a file is damaged, or if a text is missing, unknown, empty
or fuzzy (so translators' tools mark a text that is not ready), has other
placeholders than the English one, or breaks its language's typography
(TYPOGRAPHY).
"""

import os
import re
import sys
import unicodedata

KEY = re.compile(r"[a-z_]+\.[a-z_]+\.[a-z_]+([1-9])?")
LINE = re.compile(r'(?:(msgid|msgstr) )?("(?:[^"\\]|\\.)*")')
ESCAPES = {r"\"": '"', r"\\": "\\", r"\n": "\n", r"\t": "\t"}

# A placeholder, which the client fills in: {count}.
PLACE = re.compile(r"\{([a-z_]+)\}")
BRACE = re.compile(r"[{}]")

# The texts that a table needs, as KIND.*.PART; the code is the first string
# of a row.  A row of sentence.def has the three parts of the identifier itself.
TABLES = {
    "mode.def": ["mode.*.name", "mode.*.text"],
    "challenge.def": ["challenge.*.name", "challenge.*.text"],
    "specialist.def": ["specialist.*.name", "specialist.*.text",
                       "announcement.*.text"],
    "ranking.def": ["ranking.*.name", "ranking.*.text"],
    "family.def": ["family.*.name", "family.*.text"],
    "guide.def": ["guide.*.title", "guide.*.text_1"],
    "word.def": ["word.*.name", "word.*.text"],
    "action.def": ["action.*.name", "action.*.text"],
    "event.def": ["event.*.text"],
    "gang_event.def": ["event.*.text"],
    "famiglia_event.def": ["event.*.text"],
    "status.def": ["status.*.text"],
    "sentence.def": [],
    "err.def": ["problem.*.title", "problem.*.text"],
}
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


class Entry:
    """One text, and its line in the file."""

    def __init__(self, line):
        self.line = line
        self.fuzzy = False
        self.parts = {}


def unescape(string):
    def one(match):
        if match[0] not in ESCAPES:
            raise ValueError(f"unknown escape {match[0]}")
        return ESCAPES[match[0]]

    return re.sub(r"\\.", one, string[1:-1])


def take_line(entry, word, line):
    """Add a line to an entry; returns the word that a string continues."""
    match = LINE.fullmatch(line)
    if not match:
        raise ValueError("expected msgid, msgstr or a string")
    if match[1] in entry.parts or (match[1] == "msgstr" and word != "msgid"):
        raise ValueError(f"{match[1]} is out of order here")
    word = match[1] or word
    if word is None:
        raise ValueError("a string before any msgid or msgstr")
    entry.parts[word] = entry.parts.get(word, "") + unescape(match[2])
    return word


def entries(text):
    """The entries of a file, in any order, with or without blank lines."""
    entry, word = Entry(1), None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        starts = line.startswith(("msgid", "#"))
        if starts and "msgstr" in entry.parts:
            yield entry
            entry, word = Entry(number), None
        if line.startswith("#,"):
            entry.fuzzy = "fuzzy" in line
        elif line and not line.startswith("#"):
            try:
                word = take_line(entry, word, line)
            except ValueError as fault:
                raise Broken(f"{number}: {fault}") from None
            if "msgstr" not in entry.parts:
                entry.line = number
    if "msgstr" not in entry.parts and entry.parts:
        raise Broken(f"{entry.line}: msgid without msgstr")
    if entry.parts:
        yield entry


def check_header(tag, header):
    fields = dict(line.split(": ", 1) for line in header.split("\n")
                  if ": " in line)
    if fields.get("Language") != tag:
        yield f"the header's Language is not {tag}"
    if fields.get("Content-Type") != "text/plain; charset=UTF-8":
        yield "the header's Content-Type is not text/plain; charset=UTF-8"


def check_text(tag, entry):
    """The faults of one text."""
    text = entry.parts["msgstr"]
    for wrong, what in TYPOGRAPHY.get(tag, []):
        if re.search(wrong, text):
            yield what
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


def read(tag, text):
    """The texts of a language by their identifiers; or Broken."""
    texts, faults, header = {}, [], ""
    for entry in entries(text):
        key = entry.parts["msgid"]
        if key == "":
            header = entry.parts["msgstr"]
            continue
        wrong = list(check_text(tag, entry))
        if not KEY.fullmatch(key):
            wrong.append("expected an identifier KIND.CODE.PART")
        if key in texts:
            wrong.append("twice")
        texts[key] = entry.parts["msgstr"]
        faults += [f"{entry.line}: {key}: {fault}" for fault in wrong]
    faults += [f"1: {fault}" for fault in check_header(tag, header)]
    if faults:
        raise Broken("\n".join(faults))
    return texts


def table_rows(text):
    """The strings of each row of a table, unquoted."""
    for row in ROW.findall(text):
        yield [unescape(f'"{string}"') for string in STRING.findall(row)]


def take_tables(tables, english):
    """Add the English texts of problems; returns the identifiers needed."""
    wanted = set()
    for path, content in tables:
        name = os.path.basename(path)
        for code, *strings in table_rows(content.decode("utf-8")):
            keys = [key.replace("*", code) for key in TABLES[name]]
            if name == "sentence.def":
                keys = [".".join([code, *strings[:2]])]
            elif name == "err.def" and code == NO_PROBLEM:
                continue
            elif name == "err.def":
                english.update(zip(keys, strings))
            wanted.update(keys)
    return wanted


def check_places(english, texts):
    """A text has the placeholders of the English one, in any order."""
    for key in sorted(set(english) & set(texts)):
        own, others = (sorted(PLACE.findall(each[key]))
                       for each in (texts, english))
        if own != others:
            yield f"{key}: placeholders {own}; expected those of en.po, {others}"


def read_all(files, tables=()):
    """From [(path, bytes)] the tags, and the texts of each; or Broken."""
    languages, faults = {}, []
    for path, content in files:
        tag = os.path.basename(path).removesuffix(".po")
        try:
            languages[tag] = read(tag, content.decode("utf-8"))
        except UnicodeDecodeError as fault:
            faults.append(f"{path}:1: not UTF-8: {fault.reason}")
        except Broken as broken:
            faults += [f"{path}:{fault}" for fault in str(broken).split("\n")]
    if faults:
        raise Broken("\n".join(faults))
    english = next(iter(languages.values()))
    wanted = take_tables(tables, english) | set(english)
    for (path, _), texts in zip(files, languages.values()):
        faults += [f"{path}:1: {key}: missing"
                   for key in sorted(wanted - set(texts))]
        faults += [f"{path}:1: {key}: not in en.po or a table"
                   for key in sorted(set(texts) - wanted)]
        faults += [f"{path}:1: {fault}"
                   for fault in check_places(english, texts)]
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
    yield "/* Made by service/texts.py of the files in service/texts. */"
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
