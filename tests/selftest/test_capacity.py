"""The clients of "make bench-capacity" can be counted."""


def test_capacity(tally, build, cluster):
    tally.run("tests/bench/capacity.py", build, SECONDS="1", HALVINGS="0",
              GOAL_MS="5000", CAPACITY_MIN="400", CAPACITY_MAX="400")
