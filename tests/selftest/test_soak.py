"""The people of "make soak" can play for six seconds, and its checks find faults."""
import os
import sys


def test_soak(tally, build, cluster):
    tally.run("tests/bench/soak.py", build, SOAK_SECONDS="6", SOAK_PEOPLE="60",
              SOAK_THINK="0.3")


def test_the_audit_finds_what_is_lost(tally):
    """Of a game: the log has "version:seat" of each move, and people have theirs."""
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
    import people
    import soak
    for name, right, missing, log, repeated in (
            ("all is there", True, 0, "5:1 6:2 9:1", ""),
            ("and a move that was sent twice", True, 0, "5:1 6:2 7:3 9:1", "3"),
            ("an acknowledged move is lost", False, 0, "5:1 9:1", ""),
            ("it is of another seat", False, 0, "5:1 6:3 9:1", ""),
            ("a move is there twice", False, 0, "5:1 6:2 9:1 10:1", ""),
            ("a move that was sent twice is lost", False, 0, "5:1 6:2 9:1", "3"),
            ("it is made twice", False, 0, "5:1 6:2 7:3 8:3 9:1", "3"),
            ("an event is missing", False, 1, "5:1 6:2 9:1", "")):
        record = people.Record()
        record.seats.update({5: 1, 6: 2, 9: 1})
        record.repeated.update(map(int, repeated))
        audit = soak.Audit(None, [])
        audit.judge("a game", missing, log.split(), record)
        tally.check(name, (not audit.wrong) is right, audit.wrong)
