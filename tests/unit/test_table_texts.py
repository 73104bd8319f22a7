"""The texts of the table in the browser, api/table/text_*.js, are complete.

All languages have the same keys, in each text the same members, and the plural
forms of the language.  None is left in English; French has its blanks.  Modules
use each key, no other one, and no text of their own.  Words of the game are those
of the service's .po files.  A fault is planted for each of these: it must be reported.
"""

import glob
import os
import re

import games
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

TABLE = os.path.join(HERE, "../../api/table")

# The forms of Intl.PluralRules.
FORMS = {"en": "one other", "de": "one other", "fr": "one many other",
         "ru": "one few many other"}

# Texts that are the same in English: names, and these of a language.
NAMES = re.compile(r"title|the_gang|famiglia|gangster|rank_[2-9T]")
SAME = {"de": "host word_pre_flop word_flop word_turn word_river "
              "word_showdown word_hand",
        "fr": "mode menu points word_flop word_turn", "ru": ""}

# Words that a text has only if it is English.
ENGLISH = re.compile(r"\b(the|you|your|and|with|of|is|are|has|not)\b", re.I)
# Latin letters that a Russian text may have.
LATIN = re.compile(r"The Gang|Famiglia|gangd|QR")

# The keys that t(variable) can look up, by the variable's last part.
VARIABLES = {"ruleset": "the_gang famiglia", "code": "the_gang famiglia",
             "status": "won lost", "label": "you_give you_get",
             "name": "vaults alarms"}

# Literals of modules that look like a text but are not.
NO_TEXT = {"7K2M-9QXA", "Ks", "Ah", "gangd.seat.", "input, textarea, select, "
           "dialog *", "PushManager", "gangd", "translate(px, px) scale(1.15)", "AbortError",
           "translate(px, px) scale()",
           " bytes are too many for a code"}

ROW = re.compile(r'^\t(\w+): (?:"((?:[^"\\]|\\.)*)"|\{ (.*) \}),$')
FORM = re.compile(r'(\w+): "((?:[^"\\]|\\.)*)"(?:, )?')
MEMBER = re.compile(r"\{(\w+)\}")
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)',
                     re.S)


def read(text):
    """The texts of a file by key, each as forms by name; and the faults."""
    texts, faults = {}, []
    for line in text.split("export const text = {\n")[1].split("\n"):
        row = ROW.match(line)
        if not row:
            if line not in ("", "};") and not line.startswith("\t//"):
                faults.append(f"no row: {line.strip()}")
            continue
        key, plain, forms = row.groups()
        if key in texts:
            faults.append(f"{key}: twice")
        texts[key] = {"": plain} if forms is None else dict(FORM.findall(forms))
        if forms is not None and FORM.sub("", forms):
            faults.append(f"{key}: no forms: {forms}")
    return texts, faults


def members(forms):
    return set(MEMBER.findall(" ".join(forms.values())))


def is_plural(forms):
    return "" not in forms


def check_forms(language, key, forms):
    wanted = FORMS.get(language, "").split()
    if not wanted:
        return [f"{language}: FORMS of this test does not know its forms"]
    if is_plural(forms) and sorted(forms) != sorted(wanted):
        return [f"{key}: the forms are {' '.join(forms)}, not "
                f"{' '.join(wanted)}"]
    faults = [f"{key}: {form or 'it'} is empty" for form, text in forms.items()
              if not text.strip()]
    return faults + [f"{key}: {form} has other members" for form, text in
                     forms.items() if set(MEMBER.findall(text)) != members(forms)]


def check_language(language, key, forms, english):
    """A text that is English, or breaks the rules of its language."""
    faults = []
    plain = MEMBER.sub("0", " / ".join(forms.values()))
    is_same = set(map(str.casefold, forms.values())) & \
        set(map(str.casefold, english.values())) != set()
    if NAMES.fullmatch(key) or not re.search(r"\w", plain):
        return []
    if is_same != (key in SAME.get(language, "").split()):
        faults.append(f"{key}: the same as in English, or SAME of this test "
                      "says so")
    if ENGLISH.search(plain):
        faults.append(f"{key}: English: {ENGLISH.search(plain)[0]}")
    if language == "ru" and re.search("[A-Za-z]", LATIN.sub("", plain)):
        faults.append(f"{key}: Latin letters")
    if language == "fr" and re.search(r"(?<!\u202f)[:;!?»]|«(?!\u202f)", plain):
        faults.append(f"{key}: no narrow blank at : ; ! ? « »")
    if "'" in plain or "  " in plain or "..." in plain:
        faults.append(f"{key}: a straight quote, two blanks or three points")
    return faults


def check_texts(languages):
    """The faults of the languages' files, against English."""
    faults = []
    parsed = {code: read(text) for code, text in languages.items()}
    english = parsed["en"][0]
    for code, (texts, found) in parsed.items():
        found = list(found)
        found += [f"{key}: missing" for key in english if key not in texts]
        for key, forms in texts.items():
            if key not in english:
                found.append(f"{key}: not in text_en.js")
                continue
            found += check_forms(code, key, forms)
            if is_plural(forms) != is_plural(english[key]):
                found.append(f"{key}: forms in one of the languages only")
            if members(forms) != members(english[key]):
                found.append(f"{key}: the members are not those of English")
            if code != "en":
                found += check_language(code, key, forms, english[key])
        faults += [f"{code}: {fault}" for fault in found]
    return faults


def check_words(languages, words):
    """Words of the game are those of the service; `words` has its files."""
    faults = []
    for code, text in languages.items():
        named = dict(re.findall(r'msgid "word\.(\w+)\.name"\nmsgstr "(.*)"',
                                words.get(code, "")))
        for key, forms in read(text)[0].items():
            word = key.removeprefix("word_")
            if word != key and forms.get("") != named.get(word):
                faults.append(f"{code}: {key}: the service says "
                              f"{named.get(word)}")
    return faults


# --- modules -------------------------------------------------------------------

def without_comments(module):
    return LITERAL.sub(lambda found: found[1] or "", module)


def masked(module):
    """The module with its literals blanked out, at the same length."""
    return LITERAL.sub(lambda found: found[0][0] + "_" * (len(found[0]) - 2)
                       + found[0][-1], module)


def arguments(module, blank, at):
    """The arguments of the call whose opening bracket is at `at`."""
    depth, begin, found = 0, at + 1, []
    for place in range(at, len(blank)):
        letter = blank[place]
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or depth == 0:
            found.append(module[begin:place].strip())
            begin = place + 1
        if depth == 0:
            break
    return found


def calls(module, name):
    """The arguments of each call of a function."""
    blank = masked(module)
    for found in re.finditer(rf"(?<![\w.]){name}\(", blank):
        yield arguments(module, blank, found.end() - 1)
    # A literal with places may call it too.
    for literal in LITERAL.findall(module):
        if literal.startswith("`"):
            for inner in re.findall(r"\$\{(.*?)\}(?!\))", literal, re.S):
                yield from calls(inner, name)


def keys_of(argument, keys):
    """The keys that an argument of t() can be; and its fault, or nothing."""
    if argument.startswith("`"):
        pattern = re.sub(r"\$\{.*?\}", r"\\w+", argument[1:-1])
        found = [key for key in keys if re.fullmatch(pattern, key)]
        return found, None if found else f"no key is like {pattern}"
    found = re.findall('"(.*?)"', argument.split("?", 1)[-1])
    if not found:
        found = VARIABLES.get(argument.split(".")[-1], "").split()
        if not found:
            return [], f"t({argument}): VARIABLES of this test lacks it"
    gone = [key for key in found if key not in keys]
    return found, f"no text for {', '.join(gone)}" if gone else None


def is_sentence(text):
    """Whether a literal looks like words for people."""
    return re.search(r"^[A-ZÄ-Ü][a-zä-ü]+|[a-z] [A-Za-z]+ [a-z]|[a-z]{2}[.!?…]$|"
                     r"[a-z], [a-z]", text) is not None


def own_texts(module):
    """Literals of a module that people would see."""
    found = set()
    for function, part in ("h", slice(2, None)), ("toast", slice(1)), \
            ("announce", slice(1)), ("openSheet", slice(1)):
        for given in calls(module, function):
            found |= {literal for argument in given[part]
                      for literal in re.findall(r'^"([^"]*[A-Za-z]{2}[^"]*)"$',
                                                argument)}
    found |= set(re.findall(r'(?:"aria-label"|\btitle|\bplaceholder|\balt): '
                            r'["`]([^"`]*[A-Za-z]{2}[^"`]*)["`]', module))
    for at in LITERAL.finditer(module):
        text = re.sub(r"\$\{[^}]*\}", "", (at[1] or "")[1:-1])
        is_look = re.search(r"\b(class: |classes = )[^,:]*$",
                            module[:at.start()][-60:])
        if not is_look and is_sentence(text):
            found.add(text)
    return found - NO_TEXT


def check_modules(modules, keys):
    """The faults of the modules, by file."""
    faults, used = [], set()
    for name, module in modules.items():
        module = without_comments(module)
        for argument, *_ in [*calls(module, "t"), *calls(module, "known")]:
            found, fault = keys_of(argument, keys)
            used |= set(found)
            faults += [f"{name}: {fault}"] if fault else []
        faults += [f"{name}: a text of its own: {text}"
                   for text in sorted(own_texts(module))]
    return faults + [f"en: {key}: no module uses it" for key in keys
                     if key not in used]


# --- planted faults ------------------------------------------------------------

# (what is wrong, the file, its text, the replacement, what must be reported)
WRONG = [
    ("a text is missing", "de", '\tback: "Zurück",\n', "", "de: back: missing"),
    ("a text too many", "fr", '\tback: "Retour",\n',
     '\tback: "Retour",\n\tbeck: "Retour",\n', "fr: beck: not in text_en.js"),
    ("a text twice", "fr", '\tback: "Retour",\n',
     '\tback: "Retour",\n\tback: "Retour",\n', "fr: back: twice"),
    ("an invalid row", "fr", '\tback: "Retour",\n', "\tback: Retour,\n",
     "fr: no row: back"),
    ("a member of another name", "de", "mit {names}", "mit {name}",
     "de: with: the members are not"),
    ("a member too few", "ru", "Ход {number}", "Ход",
     "ru: turn: the members are not"),
    ("a form is missing", "ru", 'few: "{count} очка", ', "",
     "ru: points: the forms are one many other"),
    ("a form of another language", "de", '{ one: "{count} Punkt", ',
     '{ one: "{count} Punkt", few: "{count} Punkte", ',
     "de: points: the forms are one few other"),
    ("no forms", "de", '{ one: "{count} Punkt", other: "{count} Punkte" }',
     '"{count} Punkte"', "de: points: forms in one"),
    ("a form without the member", "fr", 'one: "{count} point"',
     'one: "un point"', "fr: points: one has other members"),
    ("an empty text", "fr", '"Retour"', '" "', "fr: back: it is empty"),
    ("a text in English", "fr", '"Retour"', '"Back"', "fr: back: the same"),
    ("half in English", "de", "Neuer Tisch", "Neuer Tisch of yours",
     "de: create_table: English: of"),
    ("Latin letters", "ru", '"Назад"', '"Нaзад"', "ru: back: Latin"),
    ("a blank that breaks", "fr", "Qui\u202f?", "Qui ?",
     "fr: ask_seat: no narrow blank"),
    ("a straight quote", "fr", "D’accord", "D'accord",
     "fr: agree: a straight quote"),
    ("another word of the game", "fr", "word_street: \"rue\"",
     "word_street: \"route\"", "fr: word_street: the service says rue"),
]

# (what is wrong, a module, what must be reported)
WRONG_MODULES = [
    ("a key that is not there", 't("bakc")', "no text for bakc"),
    ("one of two keys", 't(a === "x" ? "back" : "bakc", { a })',
     "no text for bakc"),
    ("keys that are not there", "t(`bakc_${a}`)", "no key is like bakc_"),
    ("a key in a literal", "`${t(\"bakc\")}`", "no text for bakc"),
    ("a variable that is not known", "t(anything)", "VARIABLES"),
    ("a text in an element", 'h("p", {}, "back")', "of its own: back"),
    ("a text in an attribute", 'h("p", { title: "back" })',
     "of its own: back"),
    ("a text for screen readers", '{ "aria-label": `go ${a}` }',
     "of its own: go"),
    ("a note", 'toast("copied")', "of its own: copied"),
    ("a sentence", 'const a = b ? "It is your turn" : "";',
     "of its own: It is your turn"),
    ("a sentence with a place", "const a = `${b} has left the table`;",
     "of its own:  has left the table"),
]
FINE_MODULES = [
    ("classes and paths", 'h("p", { class: "primary big" }, s("path", '
     '{ d: "M1 2h3" }), t("back"))'),
    ("a comment", '// t("bakc")\n/* "It is a text." */'),
    ("members with brackets", 't("with", { names: f("a", [1]) })'),
]


def our_files():
    languages = {}
    for path in glob.glob(TABLE + "/text_*.js"):
        with open(path, encoding="utf-8") as file:
            languages[re.search(r"text_(\w+)\.js", path)[1]] = file.read()
    words = {}
    for code in languages:
        text = games.read(f"texts/{code}.po")
        if text:
            words[code] = text
    modules = {}
    for path in glob.glob(TABLE + "/**/*.js", recursive=True):
        name = os.path.relpath(path, TABLE)
        if not name.startswith("text"):
            with open(path, encoding="utf-8") as file:
                modules[name] = file.read()
    return languages, words, modules


def check_planted(check, languages, words):
    for what, code, old, new, wanted in WRONG:
        assert old in languages[code], old
        spoiled = {**languages, code: languages[code].replace(old, new, 1)}
        told = check_texts(spoiled) + check_words(spoiled, words)
        check(what + " is told", any(wanted in fault for fault in told), told)
    told = check_texts({**languages, "xx": languages["de"]})
    check("a language of unknown forms is told",
          any("xx: xx: FORMS" in fault for fault in told), told[:3])


def check_planted_modules(check, modules, keys):
    for what, module, wanted in WRONG_MODULES:
        told = check_modules({"a.js": module}, keys)
        check(what + " is told", any(wanted in fault for fault in told), told)
    for what, module in FINE_MODULES:
        told = [fault for fault in check_modules({"a.js": module}, keys)
                if fault.startswith("a.js")]
        check(what + " are no fault", not told, told)
    told = check_modules(modules, {**keys, "beck": {"": "Beck"}})
    check("a key that nobody uses is told",
          told == ["en: beck: no module uses it"], told)


@pytest.fixture(scope="module")
def files():
    """The texts and the words of each language, and the modules."""
    return our_files()


@pytest.fixture(scope="module")
def keys(files):
    return read(files[0]["en"])[0]


def test_languages_are_complete(files):
    assert not check_texts(files[0])


def test_words_of_the_game_are_those_of_the_service(files):
    languages, words, _ = files
    assert not check_words(languages, words)


def test_modules_use_the_texts_and_have_none(files, keys):
    assert not check_modules(files[2], keys)


def test_text_js_knows_the_languages(files):
    with open(TABLE + "/text.js", encoding="utf-8") as file:
        rows = re.findall(r"^\t(\w\w): \{ name:", file.read(), re.M)
    assert sorted(rows) == sorted(files[0])


def test_planted_texts(tally, files):
    languages, words, _ = files
    check_planted(tally.check, languages, words)


def test_planted_modules(tally, files, keys):
    check_planted_modules(tally.check, files[2], keys)
