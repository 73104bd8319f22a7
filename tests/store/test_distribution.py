"""That the tables can be spread over servers.

Citus is not among Debian's packages, so this test reads: it runs the scripts of
deploy/citus on a plain PostgreSQL, with stand-ins for the functions of Citus, and
holds schema, statements and functions against the rules of deploy/citus/README.md, and
against what Citus is known to refuse.  Each rule is shown to be able to fail by faults
that are planted.  "make test-citus" runs on Citus itself.
"""
import os
import re
import subprocess

import gangd
import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
ROLES = ("gangd_app", "gangd_migrate", "gangd_owner", "gangd_push")
# The settings of gangd_app and gangd_push.
NESTED = "citus.allow_nested_distributed_execution=on"
SETTINGS = (NESTED, "client_connection_check_interval=1s", "lock_timeout=360ms",
            "tcp_keepalives_count=3", "tcp_keepalives_idle=5s",
            "tcp_keepalives_interval=5s")

STAND_INS = """
CREATE TABLE public.call (
	number integer GENERATED ALWAYS AS IDENTITY, what text, name text,
	key text, colocated text);
CREATE FUNCTION public.create_distributed_table(t regclass, key text,
	colocate_with text) RETURNS void LANGUAGE sql AS $$
	INSERT INTO public.call (what, name, key, colocated)
	VALUES ('table', t::text, key, colocate_with) $$;
CREATE FUNCTION public.create_reference_table(t regclass) RETURNS void
	LANGUAGE sql AS $$
	INSERT INTO public.call (what, name) VALUES ('reference', t::text) $$;
CREATE FUNCTION public.citus_add_local_table_to_metadata(t regclass) RETURNS void
	LANGUAGE sql AS $$
	INSERT INTO public.call (what, name) VALUES ('local', t::text) $$;
CREATE FUNCTION public.create_distributed_function(f regprocedure,
	key text DEFAULT NULL, colocate_with text DEFAULT NULL) RETURNS void
	LANGUAGE sql AS $$
	INSERT INTO public.call (what, name, key, colocated)
	VALUES ('function', f::text, key, colocate_with) $$;
"""


def run_file(name):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-o",
                    "/dev/null", "-f", f"{ROOT}/deploy/citus/{name}", gangd.superuser()],
                   check=True)


def lines_of(sql, columns, rest):
    """The rows of a query, as lists of texts; a NULL is empty."""
    columns = ", ".join(f"coalesce(({column})::text, '')" for column in columns)
    text = sql.ask(f"SELECT coalesce(string_agg(concat_ws(E'\\x01', {columns}), "
                   f"E'\\x02'), '') {rest}")
    return [row.split("\x01") for row in text.split("\x02")] if text else []


# --- the schema ----------------------------------------------------------------

class Schema:
    """The tables with the columns that they are distributed by, and functions."""

    def __init__(self, sql):
        calls = lines_of(sql, ("what", "name", "key", "colocated"),
                         "FROM public.call")
        self.calls = calls
        self.keys = {name: key for what, name, key, _ in calls if what == "table"}
        self.groups = {name: name if group == "none" else group
                       for what, name, _, group in calls if what == "table"}
        self.references = {name for what, name, _, _ in calls
                           if what == "reference"}
        self.functions = {
            name: (first, arguments.split(","), source) for
            name, first, arguments, source in lines_of(
                sql, ("proname", "proargnames[1]",
                      "array_to_string(proargnames, ',')",
                      "translate(regexp_replace(prosrc, '--[^\n]*', '', 'g'),"
                      " E'\n\t|', '   ')"),
                "FROM pg_proc WHERE pronamespace = 'gangd'::regnamespace")}
        self.languages = dict(lines_of(
            sql, ("proname", "lanname"), "FROM pg_proc JOIN pg_language AS l "
            "ON l.oid = prolang WHERE pronamespace = 'gangd'::regnamespace"))
        self.volatile = {name for name, in lines_of(
            sql, ("proname",), "FROM (SELECT DISTINCT proname FROM pg_proc "
            "WHERE provolatile = 'v') AS v")}
        self.mutable = {name for name, in lines_of(
            sql, ("proname",), "FROM (SELECT proname FROM pg_proc GROUP BY proname "
            "HAVING every(provolatile <> 'i')) AS m")}


def script_faults(sql, schema):
    """The names that the scripts leave out, or have twice or wrong."""
    tables = [name for name, in lines_of(
        sql, ("oid::regclass",), "FROM pg_class WHERE relkind = 'r' "
        "AND relnamespace = 'gangd'::regnamespace")]
    named = [name for what, name, _, _ in schema.calls if what != "function"]
    for table in tables:
        if named.count(table) != 1:
            yield f"{table}: named {named.count(table)} times by distribute.sql"
    for what, name, key, group in schema.calls:
        if what == "table" and group not in ("none", *named[:named.index(name)]):
            yield f"{name}: its group is not there yet"
    functions = lines_of(sql, ("oid::regprocedure", "proargnames[1]"),
                         "FROM pg_proc "
                         "WHERE pronamespace = 'gangd'::regnamespace")
    for function, first in functions:
        calls = [call[2:] for call in schema.calls if call[1] == function]
        group = "gangd.game" if first == "the_game" else ""
        if calls != [[first if group else "", group]]:
            yield f"{function}: distributed as {calls}"


def catalogue_faults(sql, schema):
    for table, index, column in lines_of(
            sql, ("indrelid::regclass", "indexrelid::regclass", "attname"),
            "FROM pg_index JOIN pg_class ON pg_class.oid = indrelid "
            "JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] "
            "WHERE relnamespace = 'gangd'::regnamespace AND indisunique"):
        if table in schema.keys and column != schema.keys[table]:
            yield f"{index}: begins with {column}"
    for table, other, columns in lines_of(
            sql, ("conrelid::regclass", "confrelid::regclass",
                  "conkey[1] || ' ' || confkey[1]"),
            "FROM pg_constraint WHERE contype = 'f' "
            "AND connamespace = 'gangd'::regnamespace"):
        if columns != "1 1" or not schema.groups.get(table) or \
                schema.groups[table] != schema.groups.get(other):
            yield f"{table}: refers to {other} ({columns})"
    for trigger, in lines_of(
            sql, ("tgname",), "FROM pg_trigger JOIN pg_class ON tgrelid = "
            "pg_class.oid WHERE relnamespace = 'gangd'::regnamespace "
            "AND NOT tgisinternal"):
        yield f"{trigger}: a trigger"
    for sequence, in lines_of(
            sql, ("relname",), "FROM pg_class WHERE relkind = 'S' "
            "AND relnamespace = 'gangd'::regnamespace"):
        yield f"{sequence}: a sequence"
    for table, default in lines_of(
            sql, ("adrelid::regclass", "pg_get_expr(adbin, adrelid)"),
            "FROM pg_attrdef JOIN pg_class ON adrelid = pg_class.oid "
            "WHERE relnamespace = 'gangd'::regnamespace"):
        for name in calls_in(default) & schema.volatile:
            yield f"{table}: a default calls {name}"


# --- statements ----------------------------------------------------------------

def calls_in(text):
    return set(re.findall(r"\b(\w+)\s*\(", text))


def blocks(text):
    """The queries in a text: a part in parentheses that begins with a verb is a
    query of its own."""
    own, depth, begin = "", 0, 0
    found = []
    for place, letter in enumerate(text):
        if letter == "(":
            if depth == 0:
                begin = place + 1
            depth += 1
        if depth == 0:
            own += letter
        if letter == ")":
            depth -= 1
            if depth == 0:
                inner = text[begin:place]
                if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", inner):
                    found += blocks(inner)
                    own += "()"
                else:
                    first, *others = blocks(inner)
                    own += f"({first})"
                    found += others
    assert depth == 0, text
    return [own, *found]


TABLE = re.compile(r"\b(FROM|JOIN|UPDATE|INTO)\s+(gangd\.\w+)(?:\s+AS\s+(\w+))?")
INSERT = re.compile(r"INTO\s+(gangd\.\w+)\s*\(\s*(\w+)[^)]*\)\s*"
                    r"(?:VALUES\s*\(|SELECT)\s*([\w$]+)")


def block_faults(block, parameter, schema):
    """The tables that one query touches without naming its game."""
    tables = TABLE.findall(block)
    written = re.findall(r"\b(gangd\.\w+)\b(?!\s*\(|\.)", INSERT.sub(r"\1", block))
    known = {*schema.keys, *schema.references}
    if len([name for name in written if name in known]) != len(
            [name for _, name, _ in tables if name in known]):
        yield "a table that is not read by this test"
    for verb, table, alias in tables:
        key = schema.keys.get(table)
        if not key:
            continue
        if verb == "INTO":
            into = {name: (column, value)
                    for name, column, value in INSERT.findall(block)}
            column, value = into.get(table, ("", ""))
            if column != key or not re.fullmatch(parameter, value):
                yield f"inserts into {table} by {column} = {value}"
            continue
        names = [alias, table.split(".")[1]] if alias else [table.split(".")[1]]
        if len(tables) == 1:
            names.append("")
        if not any(re.search(
                r"(?<![\w.])" + (name + r"\." if name else "") + key +
                rf"\s*=\s*(?:{parameter})(?!\w)", block) for name in names):
            yield f"touches {table} not by {key} = a parameter"
    if "UPDATE" in block:
        for name in calls_in(re.sub(r"RETURNING.*", "", block, flags=re.S)) \
                & schema.volatile:
            yield f"an UPDATE calls {name}"


def text_faults(text, parameter, schema):
    for block in blocks(text):
        yield from block_faults(block, parameter, schema)
    for name, argument in re.findall(
            r"\bgangd\.(\w+)\s*\(\s*(?:\w+ => )?([\w$.]*)", text):
        first = schema.functions.get(name, ("",))[0]
        if first == "the_game" and not re.fullmatch(parameter, argument):
            yield f"calls {name} for the game {argument}"
    if "ask_games(" in text:
        yield "asks all games"
    if re.search(r"\bFOR (NO KEY )?(UPDATE|SHARE)\b", text) and \
            not re.search(rf"game_id\s*=\s*(?:{parameter})(?!\w)", text):
        yield "locks rows of several games"


def statement_faults(queries, schema, listed):
    """The statements and functions that span games and are not listed, and those
    that are listed and do not."""
    faults = {}
    for name, text in queries.items():
        text = re.sub(r"--[^\n]*", "", text)
        faults[name] = list(text_faults(text, r"\$\d+", schema))
    for name, (_, arguments, source) in schema.functions.items():
        found = [fault for text in source.split(";")
                 for fault in text_faults(text, "|".join(arguments) or "-",
                                          schema)]
        faults.setdefault(name, []).extend(found)
    for name, found in faults.items():
        if found and name not in listed:
            yield f"{name}: {found[0]}"
    for name in listed:
        if not faults.get(name):
            yield f"{name}: listed, but does not span games"


# --- what Citus refuses ---------------------------------------------------------

def parts(text, opening, closing):
    """The texts between words such as CASE and END, of which there may be several
    within each other."""
    depth, begin = 0, 0
    for word in re.finditer(rf"\b(?:{opening}|{closing})", text, flags=re.I):
        if re.match(opening, word[0], flags=re.I):
            begin = begin if depth else word.end()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield text[begin:word.start()]


def coalesced(text):
    """The arguments of each coalesce()."""
    for call in re.finditer(r"\bcoalesce\s*\(", text):
        depth, place = 1, call.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
        yield text[call.end():place - 1]


def refusals_of(text, schema):
    """Why Citus would refuse a statement."""
    for block in blocks(text):
        if re.match(r"\s*(WITH\b.*)?(UPDATE|DELETE)\b", block, flags=re.S):
            change, _, returning = block.partition("RETURNING")
            for where, piece in (
                    *(("in a CASE", part) for part in parts(change, "CASE", "END")),
                    *(("in a COALESCE", part) for part in coalesced(change)),
                    ("after RETURNING", returning)):
                for name in calls_in(piece) & schema.mutable:
                    yield f"calls {name}() {where} of a change"
    for lateral in re.finditer(r"\bLATERAL\s*\(", text):
        depth, place = 1, lateral.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
        if re.search(r"\bLIMIT\b", text[lateral.end():place]):
            yield "LIMIT in a LATERAL"


def refusals(queries, schema, unsent):
    """The statements that are sent, and the functions, that Citus would refuse."""
    for name, text in queries.items():
        if name not in unsent:
            for fault in refusals_of(re.sub(r"--[^\n]*", "", text), schema):
                yield f"{name}: {fault}"
    for name, (first, _, source) in schema.functions.items():
        if name in unsent:
            continue
        for text in source.split(";"):
            text = re.sub(r".*\b(BEGIN|THEN|ELSE|LOOP)\s+(?=(UPDATE|DELETE|WITH)\b)", "",
                          text, flags=re.S)
            for fault in refusals_of(text, schema):
                yield f"{name}: {fault}"
        if schema.languages[name] == "sql" and first and any(
                table in schema.keys for _, table, _ in TABLE.findall(source)):
            yield f"{name}: a function in SQL with parameters reads a spread table"


def texts_of_programs():
    """The texts in the sources of gangctl, each with what C joins to it."""
    folder = f"{ROOT}/internal/admin"
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            source = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for text in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*',
                               source):
            yield name, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))


def mixtures(texts, schema):
    """Texts that join a spread table with a view of the server's statistics."""
    for name, text in texts:
        if re.search(r"\bpg_(stat|class|locks|database_size)", text) and any(
                table in schema.keys for _, table, _ in TABLE.findall(text)):
            yield f"{name}: {text[:80]}"


# --- faults that must be found --------------------------------------------------

PLANTED_IN_SCHEMA = (
    ("CREATE UNIQUE INDEX planted ON gangd.seat (token_hash)", "begins with"),
    ("ALTER TABLE gangd.event ADD FOREIGN KEY (game_id) REFERENCES "
     "gangd.game (game_id), ADD COLUMN other uuid REFERENCES gangd.game",
     "refers to"),
    ("CREATE FUNCTION public.planted() RETURNS trigger LANGUAGE plpgsql AS "
     "'BEGIN RETURN NULL; END'; CREATE TRIGGER planted AFTER UPDATE ON "
     "gangd.seat EXECUTE FUNCTION public.planted()", "a trigger"),
    ("CREATE SEQUENCE gangd.planted", "a sequence"),
    ("ALTER TABLE gangd.seat ADD COLUMN planted double precision DEFAULT "
     "random()", "a default calls"),
)
PLANTED_TABLES = (
    ("CREATE TABLE gangd.planted (game_id uuid PRIMARY KEY)", "named 0 times"),
    ("INSERT INTO public.call (what, name, key, colocated) VALUES ('table', "
     "'gangd.seat', 'game_id', 'gangd.game')", "named 2 times"),
    ("CREATE FUNCTION gangd.planted(the_game uuid) RETURNS uuid LANGUAGE sql "
     "AS 'SELECT the_game'", "distributed as"),
)
PLANTED_STATEMENTS = (
    ("SELECT s.name FROM gangd.game AS g JOIN gangd.seat AS s "
     "ON s.game_id = g.game_id WHERE g.game_id = $1", "touches gangd.seat"),
    ("SELECT (SELECT count(*) FROM gangd.seat AS s WHERE s.game_id = g.game_id) "
     "FROM gangd.game AS g WHERE g.game_id = $1", "touches gangd.seat"),
    ("SELECT game_id FROM gangd.game WHERE game_id = ANY($1)", "touches"),
    ("SELECT 1 FROM gangd.ask_games('SELECT game_id FROM @game')",
     "asks all games"),
    ("SELECT 1 FROM gangd.game, gangd.seat WHERE game.game_id = $1",
     "not read by this test"),
    ("SELECT gangd.pack_seats(g.game_id) FROM gangd.game AS g "
     "WHERE g.game_id = $1", "calls pack_seats"),
    ("UPDATE gangd.game SET updated_at = clock_timestamp() WHERE game_id = $1",
     "an UPDATE calls clock_timestamp"),
    ("INSERT INTO gangd.seat (seat, game_id) VALUES ($1, $2)", "inserts into"),
    ("WITH old AS (SELECT 1 FROM gangd.game WHERE version = $1 FOR UPDATE) "
     "SELECT 1 FROM old", "touches"),
)


PLANTED_REFUSALS = (
    ("UPDATE gangd.game SET bot_due_at = CASE WHEN bots > 0 THEN now() END "
     "WHERE game_id = $1", "calls now() in a CASE"),
    ("UPDATE gangd.game SET updated_at = coalesce($2, now()) WHERE game_id = $1",
     "calls now() in a COALESCE"),
    ("WITH done AS (UPDATE gangd.game SET version = $2 WHERE game_id = $1 "
     "RETURNING now() AS at) SELECT at FROM done", "calls now() after RETURNING"),
    ("DELETE FROM gangd.seat WHERE game_id = $1 RETURNING clock_timestamp()",
     "calls clock_timestamp() after RETURNING"),
    ("SELECT 1 FROM gangd.game CROSS JOIN LATERAL (SELECT seat FROM gangd.seat "
     "WHERE seat.game_id = $1 LIMIT 1) AS s WHERE game.game_id = $1",
     "LIMIT in a LATERAL"),
)


PLANTED_FUNCTIONS = (
    ("sql", "DELETE FROM gangd.event WHERE game_id = the_game",
     "a function in SQL with parameters reads a spread table"),
    ("plpgsql", "BEGIN IF FOUND THEN UPDATE gangd.game SET bot_due_at = CASE WHEN "
     "bots > 0 THEN now() END WHERE game_id = the_game; END IF; END",
     "calls now() in a CASE of a change"),
)


def read_listed(unsent=False):
    """The statements of the guide's table; or those that are not sent."""
    with open(f"{ROOT}/deploy/citus/README.md", encoding="utf-8") as file:
        rest = "not sent" if unsent else "."
        return re.findall(rf"^\| `(\w+)` \| {rest}", file.read(), flags=re.M)


def read_queries():
    folder = f"{ROOT}/sql/queries"
    queries = {}
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            queries[name.removesuffix(".sql")] = file.read()
    return queries


def check_planted(tally, sql, schema):
    for what, faults, planted in (
            ("schema", catalogue_faults, PLANTED_IN_SCHEMA),
            ("scripts", script_faults, PLANTED_TABLES)):
        for statement, expected in planted:
            sql.ask(f"BEGIN; {statement}; SELECT 1")
            found = list(faults(sql, Schema(sql)))
            sql.ask("ROLLBACK; SELECT 1")
            tally.check(f"a fault planted in the {what} is found: {expected}",
                        any(expected in fault for fault in found), found)
    for statement, expected in PLANTED_STATEMENTS:
        found = list(statement_faults({"planted": statement}, schema, ()))
        tally.check(f"a planted statement is found: {expected}",
                    any(fault.startswith("planted: ") and expected in fault
                        for fault in found), found)
    for statement, expected in PLANTED_REFUSALS:
        found = list(refusals({"planted": statement}, schema, ()))
        tally.check(f"a planted refusal is found: {expected}",
                    f"planted: {expected}" in "".join(found), found)
    found = list(mixtures([("a.c", "SELECT count(*) FROM gangd.game, pg_stat_activity")],
                          schema))
    tally.check("a planted mixture is found", len(found) == 1, found)
    for language, body, expected in PLANTED_FUNCTIONS:
        sql.ask("BEGIN; CREATE FUNCTION gangd.planted(the_game uuid) RETURNS void "
                f"LANGUAGE {language} AS $${body}$$; SELECT 1")
        found = list(refusals({}, Schema(sql), ()))
        sql.ask("ROLLBACK; SELECT 1")
        tally.check(f"a planted function is found: {expected}",
                    f"planted: {expected}" in found, found)
    found = list(statement_faults({"one": "SELECT 1"}, schema, ("one",)))
    tally.check("a list that names too many is found",
                "one: listed, but does not span games" in found, found)


@pytest.fixture(scope="module")
def sql(build, cluster):
    for _ in range(2):
        run_file("roles.sql")
    gangd.migrate(build)
    os.environ["GANGD_MIGRATE_URL"] = gangd.superuser()  # of Sql from here on
    sql = gangd.Sql()
    sql.do(STAND_INS)
    run_file("distribute.sql")
    run_file("functions.sql")
    yield sql
    sql.close()


def test_roles(tally, sql):
    roles = lines_of(sql, ("rolname",), "FROM (SELECT rolname FROM pg_roles "
                     "WHERE rolname LIKE 'gangd%' AND rolcanlogin "
                     "ORDER BY rolname) AS role")
    tally.check("all roles can log in", roles == [[role] for role in ROLES],
                roles)
    settings = lines_of(sql, ("rolname", "unnest"), "FROM (SELECT rolname, "
                        "unnest(setconfig) FROM pg_db_role_setting JOIN pg_roles "
                        "ON pg_roles.oid = setrole ORDER BY 1, 2) AS setting")
    for role in ROLES:
        found = tuple(setting for name, setting in settings if name == role)
        tally.check(f"{role} has its settings", found == (
            SETTINGS if role in ("gangd_app", "gangd_push") else
            (NESTED,) if role == "gangd_migrate" else ()), found)
    run_file("../systemd/push-role.sql")
    tally.check("gangd_push has its grants, and reads no card", sql.ask(
        "SELECT has_table_privilege('gangd_push', 'gangd.notification', "
        "'DELETE') AND has_column_privilege('gangd_push', 'gangd.game', "
        "'push_seats', 'UPDATE') AND NOT has_column_privilege('gangd_push', "
        "'gangd.game', 'state', 'SELECT')") == "t")


def test_distribution(tally, sql):
    schema = Schema(sql)
    tally.check("the scripts name every table and function",
                *nothing(script_faults(sql, schema)))
    tally.check("the schema can be spread", *nothing(catalogue_faults(sql, schema)))
    queries = read_queries()
    tally.check("statements and functions name their game, or are listed",
                len(queries) > 30, len(queries))
    for fault in statement_faults(queries, schema, read_listed()):
        tally.check("statement", False, fault)
    tally.check("Citus refuses none of what is sent", *nothing(
        refusals(queries, schema, read_listed(unsent=True))))
    texts = list(texts_of_programs())
    tally.check("gangctl joins no spread table with statistics",
                *nothing(mixtures(texts, schema)))
    tally.check("the texts of gangctl are found", any(
        "gangd.game" in text for _, text in texts), len(texts))
    check_planted(tally, sql, schema)


def nothing(faults):
    faults = list(faults)
    return not faults, faults
