"""Other forms in which a file of tests can run: --also and --only of pytest."""
import os


class Singly:
    """Loads and moves have a statement each, and the tests their short form."""
    name = "singly"

    @staticmethod
    def fits(item):
        return item.get_closest_marker("singly")

    @staticmethod
    def prepare(_):
        for name in ("ACTIONS", "GANG_TIMES", "KILLS", "ROUNDS"):
            os.environ.pop(name, None)
        os.environ["GANGD_BATCH"] = "0"


class Valgrind:
    """The unit tests in C, slowly."""
    name = "valgrind"

    @staticmethod
    def fits(item):
        return item.path.parent.name == "unit" and item.path.suffix == ".c"

    @staticmethod
    def prepare(config):
        config.under = ["tests/unit/valgrind.sh"]


def chosen(config):
    names = [name for option in ("also", "only")
             for name in config.getoption(option).split(",") if name]
    known = {form.name: form for form in (Singly, Valgrind)}
    return [known[name] for name in names]
