#!/usr/bin/python3
"""Make the page at /docs from its template.

    page.py TEMPLATE OPENAPI.json EXAMPLES.md OUT.html

The template has places (<!-- put NAME -->) for
  NAME.svg      a drawing next to the template
  version       of the document
  examples      the requests of EXAMPLES.md: curl next to JavaScript
  side          the links to the operations by group
  operations    a table of them, until the viewer takes its place
  guide, parts  the prose of the document's info, and the links to its parts
so the page can be read, and linked to, before any script has run.
"""

import html
import json
import os
import re
import sys

METHODS = ("get", "post", "put", "patch", "delete")
LANGUAGES = {"sh": "curl", "js": "JavaScript"}

# Comments, then strings: what the examples show in another colour.
TOKENS = re.compile(r"""(?P<comment>(?<![\w:'"])(?://|\#)\s.*$)|"""
                    r"""(?P<string>"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)""", re.M)

ITEM = re.compile(r"(- |\d+\. )(.*)", re.S)
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^]]+)\]\(([^)]+)\)")
UNKNOWN = re.compile(r"(```|\||>|###|<|\* )")


def slug(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# --- prose --------------------------------------------------------------------

def inline(text):
    """Code, bold words and links of one paragraph."""
    def put(match):
        code, bold, label, target = match.groups()
        if code:
            return f"<code>{html.escape(code, quote=False)}</code>"
        if bold:
            return f"<strong>{html.escape(bold, quote=False)}</strong>"
        return f'<a href="{html.escape(target)}">{html.escape(label)}</a>'

    pieces, end = [], 0
    for match in INLINE.finditer(text):
        pieces += [html.escape(text[end:match.start()], quote=False),
                   put(match)]
        end = match.end()
    return "".join(pieces) + html.escape(text[end:], quote=False)


def item_list(block):
    """A list; the lines of an item after its first are indented."""
    items = [ITEM.match(item) for item in
             re.split(r"\n(?=- |\d+\. )", block)]
    kind = "ul" if items[0][1] == "- " else "ol"
    rows = "\n".join(f"<li>{inline(item[2])}</li>" for item in items)
    return f"<{kind}>\n{rows}\n</{kind}>"


def is_code(block):
    return all(line.startswith("    ") or not line
               for line in block.split("\n"))


def blocks_of(text):
    """Its blocks; a list's items and a code's parts may have blanks between."""
    blocks = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        if blocks and is_code(block) and is_code(blocks[-1]):
            blocks[-1] += "\n\n" + block
        elif blocks and ITEM.match(block) and ITEM.match(blocks[-1]):
            blocks[-1] += "\n" + block
        else:
            blocks.append(block)
    return blocks


def prose(text, prefix):
    """The Markdown of the document as HTML, and its headings by anchor."""
    out, headings = [], {}
    for block in blocks_of(text):
        if UNKNOWN.match(block):
            raise SystemExit("page.py: cannot show this Markdown: " + block)
        if block.startswith("## "):
            anchor = f"{prefix}-{slug(block[3:])}"
            headings[anchor] = block[3:]
            out.append(f'<h3 id="{anchor}">{inline(block[3:])}</h3>')
        elif is_code(block):
            code = re.sub(r"^    ", "", block, flags=re.M)
            out.append(f'<pre tabindex="0"><code>{html.escape(code, False)}'
                       "</code></pre>")
        elif ITEM.match(block):
            out.append(item_list(block))
        else:
            out.append(f"<p>{inline(block)}</p>")
    return "\n".join(out), headings


# --- examples -----------------------------------------------------------------

def coloured(code):
    """The code, with its strings and comments marked."""
    pieces, end = [], 0
    for match in TOKENS.finditer(code):
        pieces += [html.escape(code[end:match.start()], quote=False),
                   f'<span class="{match.lastgroup}">',
                   html.escape(match[0], quote=False), "</span>"]
        end = match.end()
    return "".join(pieces) + html.escape(code[end:], quote=False)


def example(section, hrefs):
    """A section of EXAMPLES.md: "Title: operation, ...", a paragraph, code."""
    heading, rest = section.split("\n", 1)
    title, names = heading.split(": ")
    codes = re.findall(r"^```(\w+)\n(.*?)\n```$", rest, re.M | re.S)
    if [language for language, _ in codes] != list(LANGUAGES):
        raise SystemExit(f"page.py: {title} is not in each language")
    text = rest[:rest.index("```")].strip()
    links = ", ".join(f'<a href="{hrefs[name]}">{name}</a>'
                      for name in names.split(", "))
    shown = "\n".join(
        f'<div class="code" data-language="{language}"><h4>'
        f'{LANGUAGES[language]}</h4>\n<pre tabindex="0"><code>'
        f"{coloured(code)}</code></pre></div>" for language, code in codes)
    return (f'<section class="example" id="example-{slug(title)}">\n'
            f"<h3>{html.escape(title)}</h3>\n"
            f"<p>{inline(text)} <span>Operation: {links}</span></p>\n"
            f"{shown}\n</section>")


def examples(path, hrefs):
    with open(path, encoding="utf-8") as file:
        return "\n".join(example(section, hrefs) for section in
                         re.split(r"^## ", file.read(), flags=re.M)[1:])


# --- operations ---------------------------------------------------------------

def groups(document):
    """The operations of each tag: (method, path, operation)."""
    found = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                found[item[method]["tags"][0]].append(
                    (method, path, item[method]))
    return found


def href(operation):
    return f"#/{operation['tags'][0]}/{operation['operationId']}"


def method_of(method):
    return f'<b class="{method}">{method.upper()}</b>'


def side(found):
    out = []
    for tag, operations in found.items():
        links = "\n".join(
            f'<li><a href="{href(operation)}">{method_of(method)} '
            f"{inline(operation['summary'])}</a></li>"
            for method, _, operation in operations)
        out.append(f"<h3>{tag}</h3>\n<ul>\n{links}\n</ul>")
    return "\n".join(out)


def table(found):
    rows = "\n".join(
        f"<tr><td>{method_of(method)}</td><td><code>{html.escape(path)}</code>"
        f"</td><td>{inline(operation['summary'])}</td></tr>"
        for operations in found.values()
        for method, path, operation in operations)
    return f"<table>\n{rows}\n</table>"


def drawing(folder, name):
    """An SVG; a page of HTML needs no namespaces."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().replace(' xmlns="http://www.w3.org/2000/svg"', "")


def main():
    template, contract, examples_path, out = sys.argv[1:]
    with open(contract, encoding="utf-8") as file:
        document = json.load(file)
    found = groups(document)
    hrefs = {operation["operationId"]: href(operation)
             for operations in found.values() for *_, operation in operations}
    guide, headings = prose(document["info"]["description"], "guide")
    places = {
        "version": document["info"]["version"],
        "examples": examples(examples_path, hrefs),
        "side": side(found),
        "operations": table(found),
        "guide": guide,
        "parts": "\n".join(f'<li><a href="#{anchor}">{inline(title)}</a></li>'
                           for anchor, title in headings.items()),
    }

    def put(match):
        name = match[1]
        if name.endswith(".svg"):
            return drawing(os.path.dirname(template), name)
        return places[name]

    with open(template, encoding="utf-8") as file:
        page = re.sub(r"<!-- put ([\w.]+) -->\n?", put, file.read())
    with open(out, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
