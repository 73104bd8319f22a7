"""A client in Java, whose classes a generator makes.

The document that the daemon serves becomes OpenAPI 3.0 (api/openapi30.py), that
becomes classes (openapi-generator, which npm has with all it needs), and with
them Play.java is compiled, without a warning, and plays.  Where the document
has another name than Play.java, the compiler says so.
"""
import filecmp
import glob
import json
import os
import re
import shutil
import subprocess

from gangd import Daemon

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.join(HERE, "../..")

SECONDS = 400
JACKSON = ":".join(f"/usr/share/java/jackson-{part}.jar"
                   for part in ("annotations", "core", "databind"))
GENERATOR = "node_modules/@openapitools/openapi-generator-cli/bin/" \
    "openapi-generator.jar"

# Java starts fast rather than compiling itself well.
JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
JAVAC = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]

# Only models, and words that need no other library.
MODELS = ["-Dmodels", "-DmodelDocs=false", "-DmodelTests=false"]
OPTIONS = ["-g", "java", "--library", "native", "--skip-validate-spec",
           "--model-package", "gangd.model", "--type-mappings",
           "OffsetDateTime=String,UUID=String,AnyType=Object",
           "--additional-properties", "hideGenerationTimestamp=true"]

# Annotations of libraries that Debian lacks; they only describe.
FOREIGN = re.compile(r"^import io\.swagger\..*\n|^ *@(ApiModel|javax\.).*\n",
                     re.M)


def run(tally, folder, name, *command):
    """Whether it ends well."""
    done = subprocess.run(command, cwd=folder, text=True, timeout=SECONDS,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode or "Play" in command[-2:]:
        print(done.stdout[-6000:], end="")
    return tally.check(name, done.returncode == 0, done.returncode)


def install(tally, folder):
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    lock = os.path.join(folder, "package-lock.json")
    installed = os.path.join(folder, "node_modules/.installed")
    if os.path.exists(installed) and filecmp.cmp(lock, installed, False):
        return True
    if not run(tally, folder, "npm ci", "npm", "ci", "--ignore-scripts",
               "--no-audit", "--no-fund", "--silent"):
        return False
    shutil.copy(lock, installed)
    return True


def generate(tally, folder, document):
    """The classes of the document, in "made"."""
    document = json.loads(document)
    # Each class would begin with all of it.
    document["info"]["description"] = "gangd"
    with open(os.path.join(folder, "openapi.json"), "w",
              encoding="utf-8") as file:
        json.dump(document, file)
    shutil.rmtree(os.path.join(folder, "made"), ignore_errors=True)
    shutil.rmtree(os.path.join(folder, "classes"), ignore_errors=True)
    return run(tally, folder, "the document in OpenAPI 3.0",
               os.path.join(REPO, "api/openapi30.py"), "openapi.json",
               "openapi30.json") and \
        run(tally, folder, "classes of the document", *JAVA, *MODELS, "-jar",
            GENERATOR, "generate", "-i", "openapi30.json", "-o", "made",
            *OPTIONS)


def compile_all(tally, folder):
    sources = glob.glob(os.path.join(folder, "made/src/**/*.java"),
                        recursive=True)
    for path in sources:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(FOREIGN.sub("", text))
    return run(tally, folder, f"{len(sources)} classes and a client compile",
               *JAVAC, "-encoding", "UTF-8", "-Xlint:all,-rawtypes,-serial",
               "-Werror", "-proc:none", "-cp", JACKSON, "-d", "classes",
               *sources, os.path.join(HERE, "Play.java"))


def test_java(tally, build, database):
    folder = os.path.join(build, "java")
    daemon = Daemon(build)
    daemon.wait_ready()
    document = daemon.client().get("/openapi.json").body.decode()
    if install(tally, folder) and generate(tally, folder, document) and \
            compile_all(tally, folder):
        run(tally, folder, "it plays both games", *JAVA, "-cp",
            JACKSON + ":classes", "Play", daemon.url)
    tally.end_well(daemon)
