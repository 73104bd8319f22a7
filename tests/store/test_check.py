"""Gangctl check finds the faults that are planted.

Each round plants faults in the server, its roles or the settings, and expects
exactly the checks that name them.  The advice that gangctl prints is then pasted
into psql, after which nothing but "ok" may be left.  The connection strings have
a password, which may never be printed.
"""
import json
import os
import re
import subprocess
import tempfile
import time

import gangd

HERE = os.path.dirname(os.path.abspath(__file__))

PUSH_ROLE = os.path.join(HERE, "..", "..", "deploy", "systemd", "push-role.sql")
CLUSTER = os.path.join(HERE, "..", "..", "deploy", "local", "cluster.sh")
PASSWORD = "Tr0ub4dor-and-3"
WAIT_SECONDS = 20
# with-cluster.sh makes clusters that do not survive a crash.
FAST = {"fsync", "synchronous_commit", "full_page_writes"}

PARAMETERS = {
    "log_parameter_max_length": "-1",
    "log_parameter_max_length_on_error": "-1",
    "log_error_verbosity": "default",
    "log_statement": "all",
    "log_min_duration_statement": "0",
    "log_min_duration_sample": "0",
    "log_min_messages": "debug1",
    "password_encryption": "md5",
    "default_transaction_isolation": "serializable",
    "idle_session_timeout": "10min",
    "autovacuum": "off",
    "jit": "on",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "debug_print_plan": "on",
    "session_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
}
# The checks that are not named like the parameter.
CHECKS_OF = {"debug_print_plan": "debug_print",
             "session_preload_libraries": None,
             "auto_explain.log_min_duration": "auto_explain"}

ROLES = {
    "role": "ALTER ROLE gangd_app CREATEDB",
    "connection_limits": "ALTER ROLE gangd_app CONNECTION LIMIT 3",
    "role_creates": "GRANT CREATE ON SCHEMA public TO gangd_app",
    "owner": "ALTER ROLE gangd_owner LOGIN",
    "migrator": "REVOKE gangd_owner FROM gangd_migrate",
    "grants": "REVOKE INSERT, SELECT ON gangd.event FROM gangd_app",
    "grants_too_many": "GRANT SELECT ON gangd.address_secret TO gangd_app",
    "functions": "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd FROM gangd_app",
    "functions_public": "GRANT EXECUTE ON FUNCTION gangd.hash_address TO PUBLIC",
    "slots": "SELECT pg_create_physical_replication_slot('forgotten', true)",
}

PUSH_FAULTS = (
    "REVOKE DELETE ON gangd.push_subscription FROM gangd_push",
    "REVOKE SELECT (last_seen) ON gangd.seat FROM gangd_push",
    "GRANT SELECT (avatar) ON gangd.seat TO gangd_push",
    "GRANT SELECT ON gangd.game TO gangd_push",
    "GRANT INSERT ON gangd.event TO gangd_push",
)

# The role that sees less than pg_monitor does.
BLIND = {"disk": "REVOKE pg_monitor FROM gangd_migrate"}

# Changes of the schema; each is undone.
SCHEMA = [
    ("an older migration", "UPDATE gangd.schema_migration SET digest = '\\x00'"
     " WHERE name LIKE '0001%'", {"schema"}),
    ("a later release", "INSERT INTO gangd.schema_migration (name, digest)"
     " VALUES ('9999_later.sql', '\\x00')", {"schema"}),
    ("a lost function", "DROP FUNCTION gangd.hash_address CASCADE",
     {"statements"}),
    ("no use of the schema", "REVOKE USAGE ON SCHEMA gangd FROM gangd_app",
     {"schema", "statements", "grants"}),
]


class Server:
    """The cluster that with-cluster.sh made, as its superuser sees it."""

    def __init__(self):
        url = os.environ["GANGD_DATABASE_URL"]
        self.folder = os.path.dirname(url.split("host=")[1].split()[0])
        self.superuser = url.replace("gangd_app", "postgres")

    def start(self):
        """Start it as for real use."""
        subprocess.run([CLUSTER, "start", self.folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sql(self, *statements):
        command = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1",
                   self.superuser]
        for statement in ("SET client_min_messages = warning", *statements):
            command += ["-c", statement]
        return subprocess.run(command, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()

    def wait_for(self, query):
        """Wait until a query says "t"."""
        deadline = time.monotonic() + WAIT_SECONDS
        while self.sql(query) != "t":
            if time.monotonic() > deadline:
                raise SystemExit("never true: " + query)
            time.sleep(0.05)

    def reload(self):
        """Wait until new connections have what ALTER SYSTEM has set."""
        before = self.sql("SELECT pg_conf_load_time()", "SELECT pg_sleep(0.01)",
                          "SELECT pg_reload_conf()").split("\n")[0]
        self.wait_for(f"SELECT pg_conf_load_time() > '{before}'")


class Report:
    """The report of one run of gangctl check."""

    def __init__(self, run):
        self.status = run.returncode
        self.text = run.stdout + run.stderr
        self.json = json.loads(run.stdout) if run.stdout else {"checks": []}
        # The disk of the machine that tests may be nearly full.
        self.found = {check["name"]: check for check in self.json["checks"]
                      if check["level"] != "ok" and
                      not (check["name"] == "disk" and
                           " free; " in check["found"])}

    def advice(self):
        return [check["fix"] for check in self.found.values()]


class Scene:
    def __init__(self, tally, build):
        self.tally = tally
        self.gangctl = build + "/bin/gangctl"
        self.server = Server()
        self.said = ""

    def run(self, *words, **settings):
        environment = dict(os.environ, GANGD_QUOTAS="on",
                           GANGD_DATABASE_CONNECTIONS="16")
        for name in ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL"):
            environment[name] += " password=" + PASSWORD
        environment["PATH"] = gangd.STAND_INS + ":" + environment["PATH"]
        environment.update(settings)
        run = subprocess.run([self.gangctl, "check", *words],
                             env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said += run.stdout + run.stderr
        return run

    def check(self, *words, **settings):
        return Report(self.run("--json", *words, **settings))

    def expect(self, what, report, names):
        levels = {check["level"] for check in report.found.values()}
        status = 1 if "fail" in levels else 2 if "unknown" in levels else 0
        return self.tally.check(
            what, set(report.found) == set(names) and
            report.status == status, f"{report.status}: {report.text}")

    def follow(self, report):
        """Paste the advice into psql, as a person does: a line each."""
        subprocess.run(["psql", "-X", "-q", "-o", "/dev/null", "-v",
                        "ON_ERROR_STOP=1", self.server.superuser],
                       input="\n".join(["SET client_min_messages = warning;",
                                        *report.advice()]), check=True, text=True)
        self.server.reload()


def check_parameters(test):
    test.server.sql("LOAD 'auto_explain'", *(
        f"ALTER SYSTEM SET {name} = '{value}'"
        for name, value in PARAMETERS.items()))
    test.server.reload()
    report = test.check()
    names = {CHECKS_OF.get(name, name) for name in PARAMETERS} - {None}
    test.expect("each parameter that is wrong is found", report, names)
    test.follow(report)
    test.expect("and the advice that is printed helps", test.check(), ())


def check_roles(test):
    test.server.sql(*ROLES.values())
    report = test.check()
    # The role that migrates does not see the keys of stored values, either.
    test.expect("each role and grant that is wrong is found", report,
                {*ROLES, "stored_keys"})
    test.follow(report)
    test.expect("and the advice that is printed helps", test.check(), ())
    test.server.sql(*BLIND.values())
    report = test.check()
    test.expect("a role that may not see the disk says so", report,
                {"disk", "wal"})
    test.follow(report)


def check_urls(test):
    url = os.environ["GANGD_DATABASE_URL"] + " password=" + PASSWORD
    owner = url.replace("gangd_app", "gangd_migrate")
    test.expect("a daemon that may change the schema",
                test.check(GANGD_DATABASE_URL=owner),
                {"role_owns", "role_creates", "grants_too_many"})
    report = test.check(
        GANGD_DATABASE_URL=url.replace("gangd_app", "postgres"))
    test.tally.check("a daemon that is a superuser",
                     {"role", "role_owns"} <= set(report.found), report.text)
    test.expect("any server will do",
                test.check(GANGD_DATABASE_URL=url +
                           " target_session_attrs=any"),
                {"target_session_attrs"})
    socket = url.split("host=")[1].split()[0]
    test.expect("one of two hosts is away",
                test.check(GANGD_DATABASE_URL=url.replace(
                    socket, "/nonexistent," + socket)), {"hosts"})
    test.expect("the role that migrates is another",
                test.check(GANGD_MIGRATE_URL=owner.replace(
                    "gangd_migrate", "nobody_here")),
                {"migrator", "disk", "wal"})
    report = test.check(GANGD_DATABASE_URL=url.replace(
        "gangd_app", "nobody_here"))
    test.expect("no connection", report, {"connect"})
    test.tally.check("nothing else is judged then",
                     report.json.get("skipped", 0) > 30 and
                     len(report.json["checks"]) == 4, report.text)
    test.expect("more daemons than connections",
                test.check("--daemons", "13"), {"connections"})
    test.expect("more connections than the server has",
                test.check(GANGD_DATABASE_CONNECTIONS="250"), {"connections"})
    test.expect("no quotas", test.check(GANGD_QUOTAS="off"), {"quotas"})
    for words in (["--daemons"], ["--daemons", "0"], ["--yaml"],
                  ["--env-file", "/nonexistent"],
                  ["--push-env-file", "/nonexistent"],
                  ["--env-file", "/"]):
        run = test.run(*words)
        test.tally.check(" ".join(words) + " is refused",
                         run.returncode == 1 and "expected" in run.stderr and
                         not run.stdout, run.stdout + run.stderr)


class PushFile:
    """An environment file of gangd-push, with lines after a comment."""

    def __init__(self, folder):
        self.path = folder + "/push.env"
        self.write()

    def write(self, *lines, mode=0o600):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(("# gangd-push", *lines, "")))
        os.chmod(self.path, mode)
        return "--push-env-file", self.path

    def write_role(self, role, mode=0o600):
        url = os.environ["GANGD_DATABASE_URL"].replace("gangd_app", role)
        return self.write(f'GANGD_DATABASE_URL="{url} password={PASSWORD}"',
                          mode=mode)


def make_push_role(test):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", PUSH_ROLE,
                    test.server.superuser], check=True)


def check_privileges(test):
    """gangctl migrate sets the privileges of functions that have not changed."""
    test.server.sql(
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd TO PUBLIC",
        "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd FROM gangd_push")
    gangd.migrate(os.path.dirname(os.path.dirname(test.gangctl)))
    may = test.server.sql(*(
        f"SELECT count(*) FROM pg_proc WHERE pronamespace = 'gangd'::regnamespace "
        f"AND prosecdef = {runs_as_owner} "
        f"AND has_function_privilege('{role}', oid, 'EXECUTE') <> {may}"
        for role, runs_as_owner, may in (
            ("public", False, False), ("public", True, False),
            ("gangd_push", False, True), ("gangd_push", True, False),
            ("gangd_app", False, True), ("gangd_app", True, True))))
    test.tally.check("gangctl migrate gives and takes the privileges again",
                     may.split() == ["0"] * 6, may)


def check_push(test):
    """The role of gangd-push: the daemon's, its own, and one with faults."""
    with tempfile.TemporaryDirectory() as folder:
        file = PushFile(folder)
        test.expect("gangd-push has the daemon's role",
                    test.check(*file.write()), {"push_role"})
        make_push_role(test)
        report = test.check(*file.write_role("gangd_push"))
        test.expect("gangd-push has a role of its own", report, ())
        test.tally.check("and its checks are done", report.json["skipped"] == 4,
                         report.text)
        test.expect("others may read its file", test.check(
            *file.write_role("gangd_push", 0o644)), {"push_env_file_mode"})
        test.expect("its role cannot log in", test.check(
            *file.write_role("nobody_here")), {"push_connect"})
        report = test.check(*file.write_role("postgres"))
        test.expect("its role may do everything", report,
                    {"push_role", "push_grants"})
        for plant in PUSH_FAULTS:
            test.server.sql(plant)
            test.expect(plant, test.check(*file.write_role("gangd_push")),
                        {"push_grants"})
            make_push_role(test)
        test.expect("push-role.sql fixes each", test.check(
            *file.write_role("gangd_push")), ())
        check_privileges(test)
        text = test.run().stdout
        test.tally.check("without its file the area is left out",
                         "gangd-push\n" not in text and
                         "4 not done without --push-env-file" in text, text)


def store_state(test, state):
    """A game with a state, whose columns mean nothing here."""
    test.server.sql("DELETE FROM gangd.game", f"""
        INSERT INTO gangd.game (game_id, version, ruleset, rules_version, mode,
            status, is_public, spectators, seats_max, seats_count, host,
            invite_code, state)
        VALUES (gen_random_uuid(), 2, 1, 1, 'basic', 'playing', false, false, 3, 3,
            1, 'AAAAAAAA', '\\x{state}')""")


def check_keys(test):
    """The key file, and the keys that stored values need."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/keys"
        keys = [subprocess.run([test.gangctl, "new-key", number], check=True,
                               stdout=subprocess.PIPE, text=True).stdout
                for number in ("7", "8")]

        def check(lines, mode=0o600):
            with open(path, "w", encoding="ascii") as file:
                os.fchmod(file.fileno(), mode)
                file.writelines(lines)
            return test.check(GANGD_KEY_FILE=path)

        store_state(test, "ff07" + "00" * 50)
        test.expect("a value under a key, and no file", test.check(),
                    {"stored_keys"})
        test.expect("the file has the key", check(keys), ())
        test.expect("another key comes first", check(keys[::-1]), {"stored_keys"})
        test.expect("the file lacks the key", check(keys[1:]), {"stored_keys"})
        test.expect("everybody may read the file", check(keys, 0o644),
                    {"key_file", "stored_keys"})
        test.expect("a line is no key", check(keys + ["8 zz\n"]),
                    {"key_file", "stored_keys"})
        store_state(test, "02" * 50)
        report = check(keys)
        test.expect("a value that is not encrypted", report, {"stored_keys"})
        test.tally.check("no key is printed", not any(
            key.split()[1] in report.text for key in keys), report.text)
        test.expect("and no file", test.check(), ())
    test.server.sql("DELETE FROM gangd.game")


def check_schema(test):
    for what, plant, names in SCHEMA:
        test.server.sql("DROP DATABASE IF EXISTS kept",
                        "CREATE DATABASE kept TEMPLATE gangd "
                        "OWNER gangd_owner")
        kept = {name: os.environ[name].replace("dbname=gangd", "dbname=kept")
                for name in ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL")}
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
                        "-c", plant, test.server.superuser.replace(
                            "dbname=gangd", "dbname=kept")],
                       check=True, stderr=subprocess.DEVNULL)
        test.expect(what, test.check(**kept), names)
    test.server.sql("DROP DATABASE kept")


def check_env_file(test):
    url = os.environ["GANGD_DATABASE_URL"] + " password=" + PASSWORD
    with tempfile.TemporaryDirectory() as folder:
        # systemd would expand this name, but is not given it.
        path = folder + "/gangd %n*[a].env"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# the daemon\nGANGD_DATABASE_URL=\"{url}\"\n")
        os.chmod(path, 0o600)
        report = test.check("--env-file", path, GANGD_QUOTAS="off",
                            GANGD_DATABASE_URL="host=/nonexistent",
                            PGOPTIONS="-c jit=on")
        test.expect("the file stands for the environment", report, ())
        test.tally.check("and all checks but gangd-push's are done",
                         report.json["skipped"] == 4, report.text)
        with open(path, "a", encoding="utf-8") as file:
            file.write("GANGD_LOOPZ=3\nGANGD_LIMIT_GAME=7\n"
                       f"GANGD_MIGRATE_URL='{url}'\nGANGD_QUOTAS=\"o\\\nff\"\n")
        os.chmod(path, 0o640)
        report = test.check("--env-file", path)
        test.expect("faults of the file", report,
                    {"env_file_mode", "migrate_url", "unknown_variables",
                     "old_names", "quotas"})
        test.tally.check("are named", "GANGD_LOOPZ" in report.text and
                         "GANGD_LIMIT_GAME" in report.text, report.text)


# Answers of systemd-run (NULs are written as "!"), and the refusals of gangctl.
NO_ANSWERS = {
    "exit 1": "has failed",
    "echo GANGD_QUOTAS=on! | tr ! '\\0'; kill $$": "has failed",
    "": "is not complete",
    "printf GANGD_QUOTAS=o": "is not complete",
    "head -c 200000 /dev/zero": "longer than 128 KiB",
}


def check_no_systemd(test):
    """Without an answer of systemd nothing is judged."""
    with tempfile.TemporaryDirectory() as folder:
        def check(expected, path):
            for word in ("--env-file", "--push-env-file"):
                run = test.run(word, "/etc/passwd", PATH=path)
                test.tally.check(f"{word}: {expected}", run.returncode == 1 and
                                 not run.stdout and expected in run.stderr and
                                 "elsewhere run" in run.stderr, run)

        script = folder + "/systemd-run"
        for does, expected in NO_ANSWERS.items():
            with open(script, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{does}\n")
            os.chmod(script, 0o700)
            check(expected, folder + ":" + os.environ["PATH"])
        os.remove(script)
        check("is not installed", folder)


def check_restart(test):
    """Settings that a server reads only when it starts."""
    test.server.sql("ALTER SYSTEM SET archive_mode = 'on'",
                    "ALTER SYSTEM SET archive_command = 'false'",
                    "ALTER SYSTEM SET max_connections = 15")
    test.server.start()
    test.server.sql("SELECT pg_switch_wal() FROM pg_logical_emit_message("
                    "true, '', 'x')")
    test.server.wait_for("SELECT failed_count > 0 FROM pg_stat_archiver")
    test.expect("too few connections, and an archive that fails",
                test.check(), {"connections", "archiver"})


def check_text(test):
    """The text has the checks of the JSON, in its order."""
    text = test.run().stdout
    names = re.findall(r"^  (?:ok|warn|fail|unknown) +(\w+): \S", text, re.M)
    of_json = [check["name"] for check in test.check().json["checks"]]
    test.tally.check("the text says the same", names == of_json and
                     len(names) >= 45, text)
    test.tally.check("and counts", re.search(
        r"^\d+ ok, \d warn, \d fail, 0 unknown, 4 not done without --env-file, "
        r"4 not done without --push-env-file$", text, re.M), text)


def test_check(tally, build, cluster):
    test = Scene(tally, build)
    test.expect("a cluster to be thrown away, without a schema", test.check(),
                FAST | {"schema", "statements"})
    test.server.start()
    gangd.migrate(build)
    test.expect("all is well with the cluster of make run", test.check(), ())
    check_text(test)
    check_parameters(test)
    check_roles(test)
    check_urls(test)
    check_push(test)
    check_keys(test)
    check_schema(test)
    check_env_file(test)
    check_no_systemd(test)
    check_restart(test)
    test.tally.check("no password was printed", PASSWORD not in test.said)
