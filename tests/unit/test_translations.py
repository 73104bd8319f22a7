"""The changes of a .po file that translators may make, and those that stop
the build.

deploy/build/texts.py reads the files; here each row spoils one of two
small ones, and says what it must tell.
"""

import glob
import os
import subprocess
import tempfile

import polib
import pytest
import texts  # deploy/build/texts.py

HERE = os.path.dirname(os.path.abspath(__file__))
MAKER = os.path.join(HERE, "../../deploy/build/texts.py")
SOURCES = os.path.join(HERE, "../../internal")
TEXTS = os.path.join(HERE, "../../internal/service/texts")
NO_BREAK_SPACE, ZERO_WIDTH_SPACE = "\u00a0", "\u200b"

HEAD = '''# A comment.
msgid ""
msgstr ""
"Language: %s\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
'''
EN = HEAD % "en" + '''
#. for who translates
msgid "mode.basic.name"
msgstr "Basic"

msgid "mode.basic.text"
msgstr ""
"Just you, "
"and the chips."
'''
DE = HEAD % "de" + '''
#: elsewhere.c:12
#, c-format
msgid "mode.basic.name"
msgstr "Grundspiel"

msgid "mode.basic.text"
msgstr "Nur ihr und die Chips."
'''

# (change, text of de.po, its replacement, the text that is read then)
FINE = [
    ("nothing", "", "", "Nur ihr und die Chips."),
    ("lines of Windows", "\n", "\r\n", "Nur ihr und die Chips."),
    ("no blank line between", "\n\nmsgid", "\nmsgid",
     "Nur ihr und die Chips."),
    ("what was translated before", "Chips.\"\n",
     "Chips.\"\n\n#~ msgid \"a.b.c\"\n#~ msgstr \"alt\"\n",
     "Nur ihr und die Chips."),
    ("what it was before", "msgid \"mode.basic.text\"",
     "#| msgid \"mode.basic.words\"\nmsgid \"mode.basic.text\"",
     "Nur ihr und die Chips."),
    ("a blank that does not break", "Nur ihr", f"Nur{NO_BREAK_SPACE}ihr",
     f"Nur{NO_BREAK_SPACE}ihr und die Chips."),
]

# (change, text of de.po, its replacement, the message with its line)
WRONG = [
    ("a text is missing",
     "\nmsgid \"mode.basic.text\"\nmsgstr \"Nur ihr und die Chips.\"\n", "",
     "de.po:1: mode.basic.text: missing"),
    ("a text too many", "Chips.\"\n",
     "Chips.\"\nmsgid \"mode.basic.hint\"\nmsgstr \"Hm.\"\n",
     "de.po:1: mode.basic.hint: not in en.po or a table"),
    ("a text that is fuzzy", "#, c-format", "#, fuzzy, c-format",
     "de.po:7: mode.basic.name: fuzzy"),
    ("a text that is empty", "\"Grundspiel\"", "\"\"",
     "de.po:7: mode.basic.name: empty"),
    ("nothing but a blank", "\"Grundspiel\"", "\" \"",
     "de.po:7: mode.basic.name: empty"),
    ("a blank at the end", "Grundspiel", "Grundspiel ",
     "de.po:7: mode.basic.name: extra blanks"),
    ("two blanks", "Nur ihr", "Nur  ihr",
     "de.po:12: mode.basic.text: extra blanks"),
    ("a new line", "Nur ihr", r"Nur\nihr",
     "de.po:12: mode.basic.text: an invisible character"),
    ("a blank without width", "Nur ihr", f"Nur{ZERO_WIDTH_SPACE}ihr",
     "de.po:12: mode.basic.text: an invisible character"),
    ("letters in pieces", "Grund", "Gru\u0308nd",
     "de.po:7: mode.basic.name: not in Unicode's normal form C"),
    ("a text twice", "mode.basic.text", "mode.basic.name",
     "de.po:12: mode.basic.name: twice"),
    ("no identifier", "mode.basic.name", "Basic",
     "de.po:7: Basic: expected an identifier KIND.CODE.PART"),
    ("another language", "Language: de", "Language: nl",
     "de.po:1: the header's Language is not de"),
    ("another encoding", "UTF-8", "ISO-8859-1",
     "de.po:1: the header's Content-Type"),
    ("no header", DE[:DE.index("#:")], "",
     "de.po:1: the header's Language is not de"),
    ("an empty file", DE, "", "de.po:1: the header's Language is not de"),
    ("bytes that are not UTF-8", "Grundspiel", "Gr\udcfcndspiel",
     "de.po:1: not UTF-8"),
    ("a quote too few", "\"Grundspiel\"", "\"Grundspiel",
     "de.po:10: expected a string in double quotes"),
    ("a quote too many", "Grundspiel", "Grund\"spiel",
     "de.po:10: expected a string in double quotes"),
    ("an invalid escape", "Grundspiel", r"Grund\qspiel",
     "de.po:7: mode.basic.name: a backslash"),
    ("a plural", "msgstr \"Grundspiel\"", "msgid_plural \"Grundspiele\"",
     "de.po:12: syntax error"),
    ("two identifiers", "msgstr \"Grundspiel\"", "msgid \"Grundspiel\"",
     "de.po:10: syntax error"),
    ("a text without an identifier", "msgid \"mode.basic.name\"", "",
     "de.po:10: syntax error"),
    ("an identifier without a text",
     "msgstr \"Nur ihr und die Chips.\"\n", "",
     "de.po:12: mode.basic.text: empty"),
    ("a straight quote", "Nur ihr", "Nur 'ihr'",
     "de.po:12: mode.basic.text: a straight quote"),
    ("a placeholder that English does not have", "Nur ihr", "Nur {seat}",
     "de.po:1: mode.basic.text: placeholders ['seat']; "
     "expected those of en.po, []"),
    ("a placeholder twice", "Nur ihr", "{count}, {count}",
     "de.po:12: mode.basic.text: a placeholder twice"),
    ("half a place", "Nur ihr", "Nur {ihr",
     "de.po:12: mode.basic.text: a brace outside a placeholder"),
    ("a string that belongs to nothing", "#: elsewhere", "#: x\n\"y\"\n#",
     "de.po:8: syntax error"),
]

# (texts of a language, the messages about them)
TYPOGRAPHY = [
    ("fr", "L’alarme\u202f: «\u202fva\u202f» !", "narrow space before"),
    ("fr", "L’alarme\u202f: «va\u202f»", "narrow space after"),
    ("fr", "L’alarme : là", "narrow space before"),
    ("fr", "L’alarme\u00a0: là", "narrow space before"),
    ("fr", "L’alarme; là", "narrow space before"),
    ("fr", "L'alarme", "straight quote"),
    ("fr", "L’alarme\u202f: «\u202fva\u202f»\u202f!", "nothing"),
    ("ru", "Так \"говорят\"", "straight quote"),
    ("ru", "Так «говорят»: да!", "nothing"),
    ("en", "It's \"so\": yes!", "nothing"),
]

# The texts that a table needs, as its comment says.
NEEDS = {
    "mode.def": "mode.*.name mode.*.text",
    "event.def": "event.*.text",
    "specialist.def": "specialist.*.name specialist.*.text\n"
                      " * announcement.*.text",
    "sentence.def": "KIND.CODE.PART, of the first three columns",
    "err.def": "problem.*.title problem.*.text",
}

# (rows of tables, the messages when English has "mode.basic" alone)
TABLE_ROWS = [
    ("mode.def", 'MODE(BASIC, 1, "basic", .vaults = 3)', "nothing"),
    ("mode.def", 'MODE(HARD, 2, "hard",\n     .vaults = 3)',
     "en.po:1: mode.hard.name: missing"),
    ("event.def", 'EVENT(TAKEN, 35, "chip_taken")',
     "de.po:1: event.chip_taken.text: missing"),
    ("specialist.def", 'SPECIALIST(X, 1, "hacker", .a = b)',
     "en.po:1: announcement.hacker.text: missing"),
    ("sentence.def", 'SENTENCE("event", "chip_taken", "center", "from", '
     '"\\"center\\"")',
     "en.po:1: event.chip_taken.center: missing"),
    ("err.def", 'ERR(GONE, "gone", MISSING, "Gone",\n    "It is \\"gone\\".")',
     "de.po:1: problem.gone.title: missing"),
    ("err.def", 'ERR(OK, "ok", NONE, "OK", "Nothing went wrong.")', "nothing"),
]

# (language, id, a native reader's correction, words that must not come back)
OURS = [
    ("de", "challenge.motion_detector.text", "schlägt der Bewegungsmelder an",
     "schlägt er an"),
    ("de", "specialist.con_artist.text", "werden sämtliche Handkarten",
     "werden sie"),
    ("de", "announcement.con_artist.text", "Alle Handkarten werden",
     "werden sie"),
    ("de", "family.famiglia.text",
     "Schon Rang 0 bringt einen Punkt, Rang 4 fünfzehn", "schon der Rang"),
    ("de", "ranking.flush.text", "(Pik, Herz, Karo oder Kreuz)", "\""),
    ("fr", "mode.master_thief.text",
     "la carte Effraction qui porte le plus petit numéro", "celle"),
    ("fr", "mode.advanced.text",
     "corse le braquage suivant avec une carte Effraction",
     "suivant d’une carte"),
    ("fr", "challenge.motion_detector.text",
     "le gangster qui a le jeton blanc", "gangster au jeton"),
    ("fr", "challenge.retina_scan.text", "le gangster qui a le jeton rouge",
     "gangster au jeton"),
    ("fr", "challenge.laser_tripwires.text",
     "le gangster qui a le jeton blanc", "gangster au jeton"),
    ("fr", "family.brutes.text",
     "le rang d’une carte de la rue baisse de 1 ou plus, au maximum du rang "
     "de la brute", "d’autant"),
    ("fr", "specialist.muscle.text",
     "bat toutes les mains du même type de combinaison", "toutes celles"),
    ("fr", "ranking.pair.text", "de même rang", "valeur"),
    ("ru", "challenge.motion_detector.name", "Датчик движения", "Детектор"),
    ("ru", "challenge.motion_detector.text",
     "на флопе есть валет, дама или король: игрок, у которого белая фишка с "
     "одной звездой", "во флопе"),
    ("ru", "challenge.laser_tripwires.text", "на флопе", "во флопе"),
    ("ru", "specialist.getaway_driver.name", "Водитель", "для побега"),
    ("ru", "specialist.con_artist.name", "Мошенница", "Мошенник"),
    ("ru", "family.famiglia.name", "La Famiglia", "Фамилья"),
    ("ru", "family.mercenaries.text", "пару карт её семьи", "две карты"),
    ("ru", "family.accountants.text", "обменяйте карты с руки на столько же",
     "между рукой и рядом"),
]

# Words that no text of a language has.
BANNED = [("fr", "étalage"), ("fr", "valeur"), ("fr", "gangster au jeton"),
          ("ru", "Детектор"), ("ru", "во флопе"), ("ru", "Фамилья")]


def spoil(old, new):
    assert old in DE
    return DE.replace(old, new).encode("utf-8", "surrogateescape")


def read(german):
    return texts.read_all([("en.po", EN.encode()), ("de.po", german)])


def told(german):
    try:
        read(german)
    except texts.Broken as broken:
        return str(broken)
    return "nothing"


def check_fine():
    for name, old, new, wanted in FINE:
        got = read(spoil(old, new))["de"]["mode.basic.text"]
        yield name, got == wanted, got
    got = read(DE.encode())["en"]["mode.basic.text"]
    yield "strings are put together", got == "Just you, and the chips.", got
    got = texts.read("en", EN.replace("Just", r"\"Just\""))
    got = got["mode.basic.text"]
    yield "quotes", got.startswith('"Just" you'), got


def check_wrong():
    for name, old, new, wanted in WRONG:
        got = told(spoil(old, new))
        yield name, wanted in got, got
    got = told(spoil("Grundspiel", "").replace(b"Nur", b"  Nur"))
    yield "all faults at once", got.count("\n") == 1, got


def check_typography():
    for tag, text, wanted in TYPOGRAPHY:
        entry = polib.POEntry(msgid="a.b.c", msgstr=text)
        got = "; ".join(texts.check_text(tag, entry)) or "nothing"
        yield f"{tag}: {text}", wanted in got, got


def table(name, rows):
    return f"/*\n * A table.\n *\n * Texts: {NEEDS[name]}\n */\n{rows}\n".encode()


def check_folders():
    """The service and a game have a file each; a text is in one of them."""
    theirs = DE.replace("mode.basic", "mode.hard").encode()
    english = EN.replace("mode.basic", "mode.hard").encode()
    files = [("s/texts/en.po", EN.encode()), ("s/texts/de.po", DE.encode()),
             ("g/x/texts/en.po", english)]
    row = table("mode.def", 'MODE(SOFT, 3, "soft")')
    for name, more, wanted in (
            ("both are read", [("g/x/texts/de.po", theirs)], "hard"),
            ("a game lacks a language", [],
             "s/texts/de.po:1: mode.hard.name: missing"),
            ("a text is in two files", [("g/x/texts/de.po", DE.encode())],
             "de.po:1: mode.basic.name: another file has it too"),
            ("the file near the table is named",
             [("g/x/texts/de.po", theirs), ("g/x/mode.def", row)],
             "g/x/texts/de.po:1: mode.soft.name: missing")):
        tables = [file for file in more if file[0].endswith(".def")]
        try:
            got = str(texts.read_all(
                files + [file for file in more if file not in tables], tables))
        except texts.Broken as broken:
            got = str(broken)
        yield name, wanted in got, got


def check_tables():
    files = [("en.po", EN.encode()), ("de.po", DE.encode())]
    for name, row, wanted in TABLE_ROWS:
        try:
            texts.read_all(files, [(f"a/{name}", table(name, row))])
            got = "nothing"
        except texts.Broken as broken:
            got = str(broken)
        yield row, wanted in got, got
    try:
        got = texts.read_all(files, [("a/mode.def", b"/*\n * Modes.\n */\n")])
    except texts.Broken as broken:
        got = str(broken)
    yield "a table says which texts it needs", 'expected "Texts:"' in got, got
    english = texts.read("en", EN)
    texts.take_tables([("err.def", table("err.def", TABLE_ROWS[5][1]))],
                      english)
    got = english["problem.gone.text"]
    yield "a problem's English is that of its row", got == 'It is "gone".', got


def files_of(tag):
    """The files of a language: that of the service, and those of the games."""
    return [os.path.join(TEXTS, tag + ".po"),
            *glob.glob(os.path.join(SOURCES, "games/*/texts", tag + ".po"))]


def check_ours():
    read = {}
    for tag in ("de", "fr", "ru"):
        read[tag] = {}
        for path in files_of(tag):
            with open(path, encoding="utf-8") as file:
                read[tag].update(texts.read(tag, file.read()))
    for tag, key, right, wrong in OURS:
        text = read[tag][key]
        yield f"{tag} {key}", right in text and wrong not in text, text
    for tag, word in BANNED:
        found = [key for key, text in read[tag].items() if word in text]
        yield f"{tag} without {word}", not found, found


def check_literals():
    for text, wanted in (("a", '"a"'), ('"', r'"\""'), ("\\", r'"\\"'),
                         ("what??!", r'"what\?\?!"')):
        yield f"{text} in C", texts.literal(text) == wanted, \
            texts.literal(text)


def make(out, *paths):
    return subprocess.run([MAKER, out, *paths], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check_program():
    ours = [path for tag in ("en", "de", "fr", "ru")
            for path in files_of(tag)]
    tables = []
    for path in glob.glob(os.path.join(SOURCES, "**/*.def"), recursive=True):
        with open(path, encoding="utf-8") as file:
            if " * Texts: " in file.read():
                tables.append(path)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        broken = os.path.join(folder, "de.po")
        with open(broken, "wb") as file:
            file.write(spoil("Grundspiel", ""))
        english = os.path.join(folder, "en.po")
        with open(english, "w", encoding="utf-8") as file:
            file.write(EN)
        done = make(out, english, broken)
        yield "a broken file ends it", done.returncode == 1, done
        yield "and is told", broken + ":7: mode.basic.name: empty" in \
            done.stderr, done
        yield "and nothing is written", not os.path.exists(out), done
        done = make(out, *ours, *tables)
        yield "ours are fine", done.returncode == 0, done
        with open(out, encoding="utf-8") as file:
            rows = [line for line in file if line.startswith("TEXT(")]
        yield "in order", rows and rows == sorted(rows), len(rows)


@pytest.mark.parametrize("check", [
    check_fine, check_wrong, check_typography, check_folders, check_tables,
    check_ours, check_literals, check_program], ids=lambda check: check.__name__[6:])
def test_texts(tally, check):
    for name, good, seen in check():
        tally.check(name, good, seen)
