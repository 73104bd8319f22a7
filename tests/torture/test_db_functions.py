"""A server that lets sessions in and cannot run functions.

Each row plants a fault in the server: the library of plpgsql is gone, as after an
upgrade of the package under a running server; a function may not be called, or was
dropped.  Changes must be refused with store_refused, which says that nothing has
changed, and nothing may have; the daemon must get unready, say why in its log and
come back by itself; gangctl check must name the fault.  A request that was refused
is then carried out once under its Idempotency-Key.
"""
import secrets
import time

import gangd
import pytest
import servers

pytestmark = pytest.mark.waiting

CONNECTIONS = 4
READY_SECONDS = 20
PLANTED = "SET allow_system_table_mods = on"
HANDLERS = ("UPDATE pg_proc SET probin = '$libdir/{}' WHERE proname IN ("
            "'plpgsql_call_handler', 'plpgsql_inline_handler',"
            " 'plpgsql_validator')")

# The fault, what removes it (None: gangctl migrate), the SQLSTATE of a
# refused creation, what the log and gangctl check say.
FAULTS = (
    ("the library of plpgsql is gone",
     HANDLERS.format("gone"), HANDLERS.format("plpgsql"),
     "58P01", "restart PostgreSQL", "systemctl restart postgresql"),
    ("a function may not be called",
     "REVOKE EXECUTE ON FUNCTION gangd.seat_players FROM gangd_app",
     "GRANT EXECUTE ON FUNCTION gangd.seat_players TO gangd_app",
     "42501", "seat_players", "GRANT EXECUTE ON ALL FUNCTIONS"),
    ("a function that others call was dropped",
     "DROP FUNCTION gangd.copy_seats", None,
     "42883", "copy_seats", "gangctl migrate"),
)


class Scene:
    def __init__(self, build):
        self.build = build
        self.server = servers.take_over()
        self.server.start()
        self.urls = {"GANGD_DATABASE_URL": self.server.url("gangd_app"),
                     "GANGD_MIGRATE_URL": self.server.url("gangd_migrate")}
        self.gangctl("migrate")
        self.daemon = gangd.Daemon(
            build, GANGD_DRAIN_MS="0", GANGD_LOOPS="1", GANGD_BOTS="off",
            GANGD_DATABASE_URL=self.urls["GANGD_DATABASE_URL"],
            GANGD_DATABASE_CONNECTIONS=str(CONNECTIONS))
        self.daemon.wait_ready()

    def gangctl(self, *words):
        return gangd.gangctl(self.build, *words, **self.urls).stdout

    def create(self, key):
        return self.daemon.client().post(
            "/v1/games", {"name": "Ada"}, headers={"Idempotency-Key": key})

    def wait_ready(self, wanted):
        """True when /readyz has that status within the time."""
        return gangd.wait_for(lambda: self.daemon.client().get(
            "/readyz").status == wanted, READY_SECONDS)

    def games(self):
        return self.server.sql("SELECT count(*) FROM gangd.game")

    def logged(self, begin):
        return "".join(self.daemon.lines[begin:])

    def wait_logged(self, begin, word):
        return gangd.wait_for(lambda: word in self.logged(begin), READY_SECONDS)


def refuse_until_unready(scene, key):
    """Ask until the daemon is not ready; the answers."""
    answers = [scene.create(key)]
    deadline = time.monotonic() + READY_SECONDS
    while scene.daemon.client().get("/readyz").status == 200 and \
            time.monotonic() < deadline:
        answers.append(scene.create(key))
    return answers


@pytest.fixture(scope="module")
def scene(build, cluster):
    scene = Scene(build)
    yield scene
    scene.daemon.stop()
    scene.server.stop()


@pytest.mark.parametrize("what, plant, undo, state, logged, fix", FAULTS,
                         ids=[fault[0] for fault in FAULTS])
def test_fault(tally, scene, what, plant, undo, state, logged, fix):
    check = tally.check
    key = secrets.token_urlsafe(20)
    before = scene.games()
    begin = len(scene.daemon.lines)
    scene.server.sql(PLANTED, plant)
    answers = refuse_until_unready(scene, key)
    check(f"{what}: the daemon gets unready", scene.wait_ready(503),
          scene.logged(begin)[-2000:])
    check(f"{what}: changes are refused, and say that nothing has changed",
          all(each.status == 503 and each.json["code"] == "store_refused" and
              "nothing has changed" in each.json["detail"] and
              each.header("retry-after") == "1" for each in answers),
          [each.body for each in answers])
    check(f"{what}: the log has the SQLSTATE", scene.wait_logged(
        begin, f'"sqlstate":"{state}"'), scene.logged(begin)[-2000:])
    check(f"{what}: the log says why there is no connection",
          scene.wait_logged(begin, logged), scene.logged(begin)[-2000:])
    unsent = scene.create(key)
    check(f"{what}: a change that cannot be sent has changed nothing",
          unsent.status == 503 and "may or may not" not in unsent.json["detail"],
          unsent.body)
    check(f"{what}: nothing has changed", scene.games() == before, scene.games())
    said = scene.gangctl("check")
    check(f"{what}: gangctl check names it", fix in said and " fail  " in said,
          said)
    fixed = len(scene.daemon.lines)
    if undo:
        scene.server.sql(PLANTED, undo)
    else:
        scene.gangctl("migrate")
    check(f"{what}: the daemon comes back by itself", scene.wait_ready(200),
          scene.logged(begin)[-2000:])
    # With all its connections: until then a trouble of the same kind has no line.
    check(f"{what}: with all its connections",
          scene.wait_logged(fixed, "database_connected"),
          scene.logged(fixed)[-2000:])
    made = [scene.create(key) for _ in range(2)]
    check(f"{what}: the request is carried out once, under its key",
          [each.status for each in made] == [201, 201] and
          made[0].json["token"] == made[1].json["token"] and
          int(scene.games()) == int(before) + 1, [each.body for each in made])


def test_damaged_row(tally, scene):
    """An error about one row says nothing of a session, which stays."""
    check = tally.check
    table = gangd.Table(scene.daemon)
    scene.server.sql(
        "CREATE FUNCTION public.damaged() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RAISE data_corrupted; END'",
        "CREATE TRIGGER damaged BEFORE UPDATE ON gangd.game FOR EACH ROW "
        "EXECUTE FUNCTION public.damaged()")
    sessions = "SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM " \
               "pg_stat_activity WHERE application_name = 'gangd'"
    scene.server.wait_for(f"SELECT count(*) = {CONNECTIONS} FROM pg_stat_activity "
                         "WHERE application_name = 'gangd'")
    before = scene.server.sql(sessions)
    answers = [scene.daemon.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take") for _ in range(20)]
    check("an error of one row is refused",
          {(each.status, each.json["code"]) for each in answers} ==
          {(503, "store_refused")}, [each.body for each in answers])
    check("and costs no session", scene.server.sql(sessions) == before, before)
    scene.server.sql("CREATE OR REPLACE FUNCTION public.damaged() RETURNS trigger"
                    " LANGUAGE plpgsql AS 'BEGIN RAISE check_violation; END'")
    answer = scene.daemon.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    check("what the database refuses for good has changed nothing, and says so",
          (answer.status, answer.code) == (500, "internal") and
          "nothing has changed" in answer.json["detail"], answer.body)
    scene.server.sql("DROP TRIGGER damaged ON gangd.game")
    answer = scene.daemon.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    check("afterwards the move is made", answer.status == 200, answer.body)
