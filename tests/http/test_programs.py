"""Programs' output that has no story: flags, environment, reference lists; and
the sessions of api/curl.md."""
import json
import os
import subprocess

import pytest

URLS = ("host=/nonexistent password=secret",
        "postgresql://gangd_app:secret@localhost/gangd")
LISTS = ("modes", "challenges", "specialists", "rankings", "families", "guide",
         "actions", "announcements")


@pytest.mark.parametrize("url", URLS, ids=["words", "url"])
@pytest.mark.parametrize("program, flag, words", [
    ("gangd", "--database-url", []), ("gangctl", "--database-url", ["migrate"]),
    ("gangctl", "--migrate-url", ["migrate"])])
def test_a_password_in_a_flag_is_refused(build, url, program, flag, words):
    """Everybody on the machine sees the command lines of all processes."""
    done = subprocess.run([f"{build}/bin/{program}", f"{flag}={url}", *words],
                          text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode != 0
    assert done.stdout.startswith(f"{flag} holds a password")
    assert "PGPASSFILE" in done.stdout
    assert "secret" not in done.stdout


def test_the_daemon_has_no_url_of_the_owner(daemons):
    with open(f"/proc/{daemons.main.pid}/environ", encoding="utf-8") as file:
        assert "GANGD_MIGRATE_URL=" not in file.read()
    with open(daemons.logs[0], encoding="utf-8") as file:
        assert "migrate_url_given" not in file.read()


def test_a_daemon_that_is_given_it_logs_a_warning(build, database):
    with pytest.raises(subprocess.TimeoutExpired) as ended:
        subprocess.run([build + "/bin/gangd"], check=False, timeout=1,
                       env=dict(os.environ, GANGD_LISTEN="127.0.0.1:0"),
                       stderr=subprocess.PIPE)
    assert b"migrate_url_given" in ended.value.stderr


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_the_example_of_the_document(daemons, name):
    """The reference lists never vary."""
    with open(f"api/examples/{name}.json", encoding="utf-8") as file:
        assert daemons.main.client().get(f"/v1/rules/{name}").json == json.load(file)


def test_the_sessions_of_the_guide_to_curl(tally, daemons):
    tally.run("tests/http/readme.sh", daemons.url(daemons.main))


def test_the_daemons_end_well(tally, daemons):
    for name, good, detail in (*daemons.stop(), *daemons.check_database_log()):
        tally.check(name, good, detail)
