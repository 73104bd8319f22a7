"""Clients that other generators make.

swagger-typescript-api and openapi-typescript-codegen make clients of the bundled
document, or of DOCUMENT.  The clients must compile, have a function for each
operation and a type for each schema, and no name twice.  GENERATORS=all of the
environment adds orval, which has hundreds of packages, and a document with faults
(PLANTED), each of which must be found.
"""
import collections
import copy
import glob
import json
import os
import re
import shutil
import subprocess

import pytest
from workshop import SECONDS, Workshop

HERE = os.path.dirname(os.path.abspath(__file__))

METHODS = ("get", "post", "put", "patch", "delete")

# Imports without ".js", and the fetch of browsers, as these clients have them.
TSCONFIG = {
    "compilerOptions": {
        "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
        "lib": ["es2022", "dom", "dom.iterable"], "types": [],
        "strict": True, "skipLibCheck": True, "noEmit": True},
    "include": ["client/**/*.ts"]}

NO_CHECK = re.compile(r"^// @ts-nocheck\n", re.M)
EXPORT = re.compile(r"^export (?:default |declare |abstract |async )*"
                    r"(interface|type|enum|const|class|function|namespace) (\w+)",
                    re.M)
REEXPORT = re.compile(r"^export (?:type )?\{ (\w+)(?: as (\w+))? \} from", re.M)


class Document:
    """The parts of the document that a client has to have."""

    def __init__(self, raw):
        self.raw = raw
        self.schemas = set(raw["components"]["schemas"])
        self.operations = [item[method] for item in raw["paths"].values()
                           for method in METHODS if method in item]

    def names(self):
        return {operation["operationId"] for operation in self.operations}

    def giving_json(self):
        """The names of the operations whose success is JSON."""
        shared = self.raw["components"]["responses"]
        for operation in self.operations:
            for status, response in operation["responses"].items():
                response = shared.get(response.get("$ref", "").split("/")[-1],
                                      response)
                if status.startswith("2") and \
                        "application/json" in response.get("content", {}):
                    yield operation["operationId"]


class Generator:
    """A generator; its client is in the folder "client" of a workshop."""

    def __init__(self, shop, compiler):
        self.shop, self.compiler = shop, compiler
        self.folder = os.path.join(shop.folder, self.package)
        self.client = os.path.join(self.folder, "client")

    def say(self, *command):
        done = subprocess.run(command, cwd=self.folder, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def sources(self):
        for path in glob.glob(self.client + "/**/*.ts", recursive=True):
            with open(path, encoding="utf-8") as file:
                yield path, file.read()

    def text(self):
        return "\n".join(text for _, text in self.sources())

    def generate(self, document):
        """The faults that the generator itself names."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for name, content in (("openapi.json", document.raw),
                              ("tsconfig.json", TSCONFIG)):
            with open(os.path.join(self.folder, name), "w",
                      encoding="utf-8") as file:
                json.dump(content, file, ensure_ascii=False)
        for command in self.commands:
            status, said = self.say(*self.shop.tool(*command))
            if status:
                yield f"status {status}: {said[-2000:]}"
            yield from re.findall(r".*(?:⚠|\bwarn|\berror).*", said, re.I)
        for path, text in self.sources():
            with open(path, "w", encoding="utf-8") as file:
                file.write(NO_CHECK.sub("", text))

    def compile(self, _):
        status, said = self.say(*self.compiler)
        return said.splitlines() if status else []

    def names(self, document):
        """Names that two things have, and schemas without a type."""
        there = set()
        for path, text in self.sources():
            names = EXPORT.findall(text)
            names += [("name", other or name)
                      for name, other in REEXPORT.findall(text)]
            there |= {name for _, name in names}
            for (kind, name), count in collections.Counter(names).items():
                if count > 1:
                    yield f"{os.path.basename(path)}: {count} times {kind} {name}"
        paths = collections.Counter(path.lower() for path, _ in self.sources())
        yield from (path for path, count in paths.items() if count > 1)
        yield from (f"no type {name}" for name in sorted(document.schemas - there))

    def operations(self, document):
        """Operations that cannot be called, or whose success is lost."""
        found = self.functions()
        for name in sorted(document.names() - set(found)):
            yield f"no function {name}"
        for name in document.giving_json():
            if not found.get(name, True):
                yield f"{name} returns no JSON"

    def faults(self, document):
        """All of them, by what they are about."""
        return {f"{self.package}: {what}": list(find(document)) for what, find in (
            ("it makes a client", self.generate),
            ("that compiles", self.compile),
            ("with a type for each schema, and no name twice", self.names),
            ("with a function for each operation, and its JSON",
             self.operations))}


class SwaggerTypescriptApi(Generator):
    package = "swagger-typescript-api"
    commands = [("swagger-typescript-api", "generate", "-p", "openapi.json",
                 "-o", "client", "-n", "api.ts")]
    name = re.compile(r"^ *(\w+)(?:: | = )\(", re.M)

    def functions(self):
        parts = self.text().split("this.request<")
        return {self.name.findall(before)[-1]:
                'format: "json"' in after.split("...params")[0]
                for before, after in zip(parts, parts[1:])}


class OpenapiTypescriptCodegen(Generator):
    package = "openapi-typescript-codegen"
    commands = [("openapi", "--input", "openapi.json", "--output", "client")]
    call = re.compile(r"^ *public static (\w+)\(.*?\): CancelablePromise<(.*?)> \{$",
                      re.S | re.M)

    def functions(self):
        return {name: given not in ("any", "void")
                for name, given in self.call.findall(self.text())}


class Orval(Generator):
    package = "orval"
    commands = [("orval", "-i", "openapi.json", "-o", f"client/{client}.ts",
                 "--client", client) for client in ("fetch", "zod")]
    call = re.compile(r"^export const (\w+) = async \(.*?\): Promise<\w+> => \{$",
                      re.S | re.M)

    def functions(self):
        return dict.fromkeys(self.call.findall(self.text()), True)


# --- a document with faults -------------------------------------------------------

def share_success(raw):
    success = raw["paths"]["/v1/games/{game_id}/start"]["post"]["responses"]
    raw["components"]["responses"]["Started"] = success["200"]
    success["200"] = {"$ref": "#/components/responses/Started"}


def name_twice(raw):
    parameters = raw["components"]["parameters"]
    parameters["Seat"] = parameters["SeatInPath"]
    raw["paths"]["/v1/games/{game_id}/players/{seat}"]["delete"]["parameters"].append(
        {"$ref": "#/components/parameters/Seat"})


def rename_header(raw):
    raw["paths"]["/v1/games/{game_id}/events"]["get"]["parameters"].append(
        {"name": "lastEventId", "in": "query", "schema": {"type": "string"}})


def say_enum(raw):
    looked = raw["components"]["schemas"]["Looked"]
    looked["enum"] = [looked.pop("const")]


def bound_words(raw):
    raw["components"]["schemas"]["Heist"]["properties"]["round"].update(
        minimum=1, maximum=4)


# A change of the document, and the fault that a generator then makes.
PLANTED = [
    ("a success that operations share", share_success, "startGame returns no JSON"),
    ("a parameter with the name of a schema", name_twice, "identifier 'Seat'"),
    ("two parameters that are one in camel case", rename_header,
     "identifier 'lastEventId'"),
    ("an enum of a boolean", say_enum, "TS18033"),
    ("an enum with bounds", bound_words, "Property 'min'"),
]


def check_planted(generators, document, tally):
    raw = copy.deepcopy(document.raw)
    for _, plant, _ in PLANTED:
        plant(raw)
    found = [fault for generator in generators
             for faults in generator.faults(Document(raw)).values()
             for fault in faults]
    for what, _, fault in PLANTED:
        tally.check(f"found: {what}", any(fault in each for each in found), found)


# ----------------------------------------------------------------------------------

def install(build, tally, name):
    """A workshop with the packages that the lock of a folder here names."""
    shop = Workshop(os.path.join(build, "sdk-" + name), tally)
    for entry in os.scandir(os.path.join(HERE, name)):
        if entry.is_file():
            shutil.copy(entry, shop.folder)
    if not shop.install():
        pytest.fail("the generators cannot be installed")
    return shop


def test_generators(tally, build):
    path = os.environ.get("DOCUMENT")
    with open(path or os.path.join(build, "gen/openapi.json"),
              encoding="utf-8") as file:
        document = Document(json.load(file))
    shop = install(build, tally, "generators")
    compiler = shop.tool("tsc")
    generators = [SwaggerTypescriptApi(shop, compiler),
                  OpenapiTypescriptCodegen(shop, compiler)]
    if os.environ.get("GENERATORS"):
        generators.append(Orval(install(build, tally, "orval"), compiler))
    for generator in generators:
        for what, faults in generator.faults(document).items():
            tally.check(what, not faults, "\n".join(["", *faults[:20]]))
    if os.environ.get("GENERATORS") and not path:
        check_planted(generators, document, tally)
