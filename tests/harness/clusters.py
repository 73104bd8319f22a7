"""A PostgreSQL cluster for the tests of one file."""
import contextlib
import os
import subprocess

LOCAL = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "..", "..", "deploy", "local")
# In place of with-cluster.sh: a Citus cluster (make test-citus).
WITH_CITUS = os.path.join(LOCAL, "..", "..", "tests", "citus", "with_citus.py")
# Says its environment, which ends with an empty entry, and waits.
HOLD = "env -0; printf '\\0'; read -r _"


@contextlib.contextmanager
def run():
    """A cluster that is empty; the environment names it meanwhile, as
    deploy/local/with-cluster.sh says.  It ends with this process at the latest."""
    before = dict(os.environ)
    script = WITH_CITUS if os.environ.get("GANGD_TEST_CITUS") else \
        LOCAL + "/with-cluster.sh"
    with subprocess.Popen([script, "sh", "-c", HOLD],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          start_new_session=True) as holder:
        said = b""
        while not said.endswith(b"\0\0"):
            piece = os.read(holder.stdout.fileno(), 65536)
            if not piece:
                raise RuntimeError("the cluster does not start")
            said += piece
        for entry in said.decode(errors="surrogateescape").split("\0"):
            name, _, value = entry.partition("=")
            if name == "PATH" or name.startswith("GANGD_"):
                os.environ[name] = value
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
            holder.stdin.close()
            holder.wait()


def template(folder):
    """Begin to make a stopped cluster to be copied; GANGD_TEMPLATE will name it.
    The process that makes it."""
    script = LOCAL + "/cluster.sh"
    owner = subprocess.run([script, "owner"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.strip()
    return subprocess.Popen(
        ["sh", "-c", """
            [ "$(id -u)" -ne 0 ] || chown "$3" "$2"
            "$1" start "$2" -F >"$2/made" 2>&1 && "$1" stop "$2"
         """, "sh", script, folder, owner])
