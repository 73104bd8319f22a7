"""The service of bench/peer/fastify answers as gangd does."""


def test_peer(tally, build):
    tally.run("tests/bench/peer.sh", build, "check")
