"""Stories with a planted fault fail in its line, for its reason.

spoiler.py spoils some answers on their way.
"""
import glob
import threading

import part
import pytest
import spoiler
import story

PLANTED = [each for path in sorted(glob.glob(part.HERE + "/planted/*.story"))
           for each in story.load(path)]


@pytest.fixture(scope="module")
def server(daemons):
    spoiler.Spoiler.host = "{}:{}".format(*daemons.main.address)
    spoils = spoiler.Server(("127.0.0.1", 0), spoiler.Spoiler)
    threading.Thread(target=spoils.serve_forever, daemon=True).start()
    server = daemons.server(f"http://127.0.0.1:{spoils.server_port}")
    yield server
    server.close()
    spoils.shutdown()


@pytest.mark.parametrize("planted", PLANTED, ids=[each.name for each in PLANTED])
def test_planted_fault_is_found(server, planted):
    failure = story.run(planted, server)
    assert failure, "it does not fail"
    assert failure.is_planted(), f"{failure.line} is not the fault: {failure.why}"
