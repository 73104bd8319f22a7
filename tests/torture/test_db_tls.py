"""PostgreSQL over TLS, and servers that the daemon refuses.

A server asks for TLS, first with a password by SCRAM, then with a certificate of
the client.  The daemon plays with "sslmode=verify-full".  With a wrong authority,
a wrong name of the server, a wrong password or certificate it must not get
ready, and must say why in its log, without a secret.
"""
import tempfile
import time

from authority import Authority
import gangd
import pytest
import servers

pytestmark = pytest.mark.waiting

NAME = "db.example"  # the server's, in its certificate
PASSWORD = "Tr0ub4dor-and-3"
KEY_PASSWORD = "c0rrect-h0rse"
REFUSE_SECONDS = 20
BY_PASSWORD = """
local all all trust
hostssl gangd gangd_app,gangd_migrate 127.0.0.1/32 scram-sha-256
"""
BY_CERTIFICATE = """
local all all trust
hostssl gangd gangd_app,gangd_migrate 127.0.0.1/32 cert
"""


class Scene:
    def __init__(self, build, folder):
        self.build = build
        self.server = servers.take_over()
        self.folder = folder
        self.said = ""

    def make_certificates(self):
        right = Authority(self.folder, "right")
        wrong = Authority(self.folder, "wrong")
        right.sign("server", NAME)
        right.sign("app", "gangd_app")
        right.sign("locked", "gangd_app", KEY_PASSWORD)
        right.sign("somebody", "somebody")
        wrong.sign("forged", "gangd_app")
        for name in ("server.crt", "server.key", "right.crt"):
            with open(f"{self.folder}/{name}", encoding="utf-8") as file:
                self.server.write(name, file.read())

    def start_server(self):
        self.server.write("pg_hba.conf", BY_PASSWORD)
        self.server.start()
        self.server.sql(
            "ALTER SYSTEM SET ssl = on",
            "ALTER SYSTEM SET ssl_ca_file = 'right.crt'",
            "ALTER SYSTEM SET password_encryption = 'scram-sha-256'")
        self.server.reload()
        self.server.sql(f"ALTER ROLE gangd_app PASSWORD '{PASSWORD}'",
                        f"ALTER ROLE gangd_migrate PASSWORD '{PASSWORD}'")

    def url(self, **options):
        words = dict({"host": NAME, "hostaddr": "127.0.0.1",
                      "sslmode": "verify-full",
                      "sslrootcert": self.folder + "/right.crt"}, **options)
        return self.server.url("gangd_app", **words)

    def by_certificate(self, name, **options):
        return self.url(sslcert=f"{self.folder}/{name}.crt",
                        sslkey=f"{self.folder}/{name}.key", **options)

    def gangctl(self, word, url, *more):
        """Run gangctl as the daemon's role; its exit status and words."""
        run = gangd.gangctl(
            self.build, word, *more, GANGD_DATABASE_URL=url,
            GANGD_MIGRATE_URL=url.replace("gangd_app", "gangd_migrate"))
        self.said += run.stdout
        return run.returncode, run.stdout

    def plays(self, tally, what, url, says):
        """The daemon serves, over TLS alone; gangctl check says how."""
        daemon = gangd.Daemon(self.build, GANGD_DATABASE_URL=url,
                              GANGD_DRAIN_MS="0")
        daemon.wait_ready()
        table = gangd.Table(daemon)
        answer = daemon.client(table.tokens[0]).post(
            table.path + "/chips/white/1/take")
        tally.check(f"{what}: a game is played", answer.status == 200,
                         answer.body)
        plain = self.server.sql(
            "SELECT count(*) FILTER (WHERE NOT ssl OR version < 'TLSv1.2'),"
            " count(*) > 0 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
            " WHERE application_name = 'gangd'")
        tally.check(f"{what}: every connection has TLS", plain == "0|t",
                         plain)
        said = self.gangctl("check", url)[1]
        tally.check(f"{what}: gangctl check says so",
                         "ok    tls: in use" in said and
                         "ok    sslmode: verify-full" in said and
                         "ok    authentication: " + says in said, said)
        tally.end_well(daemon)
        self.said += "".join(daemon.lines)

    def refuses(self, tally, rows):
        """No daemon of these gets ready, and each says why."""
        daemons = [gangd.Daemon(self.build, GANGD_DATABASE_URL=url,
                                GANGD_DRAIN_MS="0")
                   for _, url, _ in rows]
        for (what, url, reason), daemon in zip(rows, daemons):
            deadline = time.monotonic() + REFUSE_SECONDS
            while not any("database_unavailable" in line
                          for line in daemon.lines) and \
                    time.monotonic() < deadline:
                time.sleep(0.02)
            line = "".join(line for line in daemon.lines
                           if "database_unavailable" in line)
            tally.check(f"{what}: the log says why", reason in line,
                             "".join(daemon.lines))
            status = daemon.client().get("/readyz").status
            tally.check(f"{what}: the daemon is not ready",
                             status == 503, status)
            status, said = self.gangctl("migrate", url)
            tally.check(f"{what}: gangctl says why",
                             status == 2 and reason in said, said)
            tally.end_well(daemon, what)
            self.said += "".join(daemon.lines)


@pytest.fixture(scope="module")
def scene(build, cluster):
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(build, folder)
        scene.make_certificates()
        scene.start_server()
        yield scene
        scene.server.stop()


def test_password(tally, scene):
    url = scene.url(password=PASSWORD, channel_binding="require")
    status, said = scene.gangctl("migrate", url)
    tally.check("gangctl migrates over TLS", status == 0, said)
    scene.plays(tally, "SCRAM", url, "a password")
    scene.refuses(tally, [
        ("a wrong authority", scene.url(
            password=PASSWORD, sslrootcert=scene.folder + "/wrong.crt"),
         "certificate verify failed"),
        ("another host's certificate", scene.url(
            password=PASSWORD, host="other.example"),
         "does not match host name"),
        ("no file of authorities", scene.url(
            password=PASSWORD, sslrootcert=scene.folder + "/none.crt"),
         "does not exist"),
        ("no TLS", scene.url(password=PASSWORD, sslmode="disable"),
         "no encryption"),
        ("a wrong password", scene.url(password=PASSWORD + "x"),
         "password authentication failed"),
        ("no password", scene.url(passfile="/nonexistent"),
         "no password supplied"),
    ])


def test_certificate(tally, scene):
    scene.gangctl("migrate", scene.url(password=PASSWORD))
    scene.server.write("pg_hba.conf", BY_CERTIFICATE)
    scene.server.reload()
    scene.plays(tally, "a certificate", scene.by_certificate("app"), "a certificate")
    scene.plays(tally, "a key with a password",
                scene.by_certificate("locked", sslpassword=KEY_PASSWORD),
                "a certificate")
    scene.refuses(tally, [
        ("no certificate", scene.url(password=PASSWORD, sslcert="/nonexistent"),
         "valid client certificate"),
        ("a certificate of another authority",
         scene.by_certificate("forged"), "alert"),
        ("a certificate of another role",
         scene.by_certificate("somebody"), "authentication failed"),
        ("a wrong password of the key",
         scene.by_certificate("locked", sslpassword=KEY_PASSWORD + "x"),
         "could not load private key file"),
    ])


def test_no_secret_was_printed(tally, scene):
    tally.check("no secret was printed", PASSWORD not in scene.said and
                KEY_PASSWORD not in scene.said)
