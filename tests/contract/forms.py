"""Checks that a value fits only one form of each oneOf.

Where objects may have undocumented members, a form accepts a value of another
form that has all its required members; then a strict client finds two fitting
forms where the document says one.
"""


def apart(one, other):
    """Whether no documented value fits both of two schemas."""
    for this, that in ((one, other), (other, one)):
        for key in ("oneOf", "anyOf"):
            if key in this:
                return all(apart(form, that) for form in this[key])
        if "allOf" in this:
            return any(apart(part, that) for part in this["allOf"])
    if "enum" in one and "enum" in other:
        return not set(one["enum"]) & set(other["enum"])
    types = types_of(one) & types_of(other)
    if types == {"object"}:
        return not lets_in(one, other) and not lets_in(other, one)
    if types == {"array"}:
        return bool(one.get("minItems") and other.get("minItems")
                    and apart(one["items"], other["items"]))
    return not types


def types_of(schema):
    types = schema.get("type", "object" if "properties" in schema else [
        "object", "array", "string", "integer", "number", "boolean", "null"])
    return set([types] if isinstance(types, str) else types)


def lets_in(form, meant):
    """Whether an object of one form may fit the other."""
    members, there = form["properties"], meant["properties"]
    needed, needed_there = (set(each.get("required", []))
                            for each in (form, meant))
    if not needed <= set(there):
        return False
    if form.get("additionalProperties") is False and \
            not needed_there <= set(members):
        return False
    if len(needed_there) > form.get("maxProperties", len(needed_there)):
        return False
    return not any(
        apart(members[name], there[name])
        for name in (needed | needed_there) & set(members) & set(there))


def alike(schema, where, seen):
    """Pairs of forms that fit the same, here and below, but for what was seen.
    """
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from alike(item, f"{where}/{index}", seen)
    if not isinstance(schema, dict) or id(schema) in seen:
        return
    seen.add(id(schema))
    branches = schema.get("oneOf", [])
    for index, form in enumerate(branches):
        for before in range(index):
            if not apart(branches[before], form):
                yield f"{where}: what fits form {before} may fit {index} too"
    for name, member in schema.get("properties", {}).items():
        yield from alike(member, f"{where}/{name}", seen)
    for key in ("items", "oneOf", "anyOf", "allOf"):
        yield from alike(schema.get(key), where, seen)
