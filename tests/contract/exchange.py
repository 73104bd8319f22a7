"""Compares one HTTP exchange with the document."""

import json
import re

from document import PROBLEM, STREAM, compiled, faults_in

# Fields that HTTP itself needs; every other one must be documented.
HOP = {"date", "connection", "content-length", "content-type", "keep-alive",
       "transfer-encoding"}

# Fields for a page of another origin, on any answer.  An answer with them, or
# one of a daemon that admits such pages, may have an undocumented Vary: origin.
CORS = {"access-control-allow-origin", "access-control-expose-headers",
        "access-control-allow-methods", "access-control-allow-headers",
        "access-control-max-age"}

# Answers that belong to no operation: no such path, no such method, OPTIONS.
COMMON = {"x-request-id", "x-content-type-options", "cache-control"}
# Statuses of requests that are refused before their path or method is found.
BEFORE_ROUTING = {400, 413, 414, 431, 501}


def path_of(target):
    target = re.sub(r"^https?://[^/?]*", "", target, flags=re.I)
    return target.split("?", 1)[0] or "/"


def read_json(text):
    try:
        return json.loads(text), None
    except ValueError as error:
        return None, f"is no JSON: {error}"


def undocumented(exchange, documented):
    """Header fields that the document lacks."""
    sent = exchange["headers"]
    known = HOP | CORS | set(documented)
    if sent.get("vary") == "Origin":
        known.add("vary")
    for name in sorted(set(sent) - known):
        yield f"header {name} is not documented"
    origin = sent.get("access-control-allow-origin")
    if origin and origin not in exchange["request_headers"].values():
        yield f"{origin} is let in, which did not ask"


def stream_faults(document, text):
    """The faults of the events and the views of a stream."""
    validators = {"": compiled(document.schemas["Event"]),
                  "event: view\n": compiled(document.schemas["Game"])}
    for kind, version, data in re.findall(
            r"^(event: view\n|)id: (.*)\ndata: (.*)$", text, re.M):
        what = f"{'view' if kind else 'event'} {version}"
        value, fault = read_json(data)
        if fault:
            yield f"{what} {fault}"
            continue
        for fault in faults_in(validators[kind], value):
            yield f"{what}: {fault}"
        if str(value.get("version")) != version:
            yield f"{what} has another version"


class Checker:
    """Checks exchanges, and remembers what it has seen."""

    def __init__(self, document):
        self.document = document
        self.statuses = set()  # (operation's name, status)
        self.codes = set()

    def check(self, exchange):
        """The faults of the exchange."""
        template = self.document.find(path_of(exchange["target"]))
        methods = self.document.paths.get(template, {})
        method = exchange["method"]
        known = methods.get("GET" if method == "HEAD" else method)
        if known:
            faults = self._check_operation(exchange, known)
        else:
            faults = self._check_other(exchange, methods)
        if exchange["status"] >= 400 and method != "HEAD":
            faults += self._check_problem(exchange)
        return faults

    def _check_operation(self, exchange, operation):
        status = exchange["status"]
        self.statuses.add((operation.name, status))
        response = operation.responses.get(status)
        if not response:
            return [f"status {status} is not documented"]
        faults = self._check_headers(exchange, response.headers)
        faults += self._check_body(exchange, response)
        if 200 <= status < 300:
            faults += self._check_request(exchange, operation)
        return faults

    def _check_headers(self, exchange, documented):
        faults = []
        sent = exchange["headers"]
        for name, (required, schema) in documented.items():
            value = sent.get(name)
            if value is None:
                if required:
                    faults.append(f"header {name} is missing")
                continue
            if schema["type"] == "integer" and value.isdigit():
                value = int(value)
            faults += [f"header {name} {fault}"
                       for fault in faults_in(compiled(schema), value)]
        return faults + list(undocumented(exchange, documented))

    def _check_body(self, exchange, response):
        text = exchange["body"] or ""
        if exchange["method"] == "HEAD" or not response.media:
            return ["has a body"] if text else []
        kind = exchange["headers"].get("content-type", "").split(";")[0]
        if kind not in response.media:
            return [f"content type {kind!r} is not documented"]
        if kind == STREAM and not text.startswith("retry:"):
            # A later piece of a stream lacks the first line.
            text = "retry: 2000\n\n" + text
        if not kind.endswith("json"):
            return faults_in_list(response.media[kind], text) + (
                list(stream_faults(self.document, text))
                if kind == STREAM else [])
        value, fault = read_json(text)
        return [fault] if fault else faults_in_list(response.media[kind], value)

    def _check_request(self, exchange, operation):
        text = exchange["request_body"]
        if not text:
            return ["was accepted without the body it needs"] \
                if operation.body_required else []
        value, fault = read_json(text)
        if fault:
            return ["was accepted although the request's body " + fault]
        if not operation.body:
            return ["was accepted with a body that is not documented"] \
                if value != {} else []
        return [f"was accepted although in the request {fault}"
                for fault in faults_in(operation.body, value)]

    def _check_other(self, exchange, methods):
        status, sent = exchange["status"], exchange["headers"]
        faults = list(undocumented(exchange, COMMON | {"allow"}))
        if "x-request-id" not in sent:
            faults.append("header x-request-id is missing")
        if status in BEFORE_ROUTING:
            return faults
        if exchange["target"] == "*" and exchange["method"] == "OPTIONS":
            return faults + self._check_allow(sent, None, status == 204)
        # A path whose parameters can name nothing is 404 whatever the method.
        if not methods or status == 404:
            return faults + (
                [] if status == 404
                else [f"no such path, but status {status} and not 404"])
        if exchange["method"] == "OPTIONS":
            faults += self._check_allow(sent, methods, status == 204)
            return faults + (["has a body"] if exchange["body"] else [])
        return faults + self._check_allow(sent, methods, status == 405)

    def _check_allow(self, sent, methods, status_fits):
        if not status_fits:
            return ["the path lacks the method, and the status is wrong"]
        allow = set(re.split(r", *", sent.get("allow", "")))
        if methods is None:
            return [] if "OPTIONS" in allow else ["header allow is missing"]
        wanted = set(methods) | {"OPTIONS"}
        if "GET" in methods:
            wanted.add("HEAD")
        return [] if allow == wanted else [
            f"allow is {sorted(allow)} and not {sorted(wanted)}"]

    def _check_problem(self, exchange):
        """Check what every problem has in common."""
        kind = exchange["headers"].get("content-type", "").split(";")[0]
        if kind != PROBLEM:
            return [f"status {exchange['status']} without a problem document"]
        problem, fault = read_json(exchange["body"])
        if fault:
            return [fault]
        faults = faults_in_list(self.document.problem, problem)
        if faults:
            return faults
        self.codes.add(problem["code"])
        if problem["status"] != exchange["status"]:
            faults.append("the problem has another status than the answer")
        if problem["type"] != "/problems/" + problem["code"]:
            faults.append("the problem's type is not that of its code")
        expected = {405: "method_not_allowed", 501: "not_implemented"}
        if problem["code"] != expected.get(exchange["status"],
                                           problem["code"]):
            faults.append(f"status {exchange['status']} with the code "
                          f"{problem['code']}")
        return faults


def faults_in_list(validator, value):
    return list(faults_in(validator, value))
