"""The benchmark compares like with like."""


def test_bench(tally, build, cluster):
    tally.run("tests/bench/bench.py", build, "check", ROUNDS="1", SECONDS="1")
