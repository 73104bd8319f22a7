"""The people of "make soak" can play for six seconds."""


def test_soak(tally, build, cluster):
    tally.run("tests/bench/soak.py", build, SOAK_SECONDS="6", SOAK_PEOPLE="60",
              SOAK_THINK="0.3")
