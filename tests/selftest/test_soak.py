"""The people of "make soak" can play for six seconds, and its checks find faults."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))


def test_soak(tally, build, cluster):
    tally.run("tests/bench/soak.py", build, SOAK_SECONDS="6", SOAK_PEOPLE="60",
              SOAK_THINK="0.3")


def test_the_audit_finds_what_is_lost(tally):
    """Of a game: the log has "version:seat" of each move, and people have theirs."""
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


def test_faults_explain_trouble_for_a_while(tally):
    import day
    faults = day.Faults()
    tally.check("nothing explains trouble at first", not faults.explain("cut"))
    faults.begin("kill", "cut")
    tally.check("an event explains its trouble", faults.explain("cut"))
    tally.check("and no other", not faults.explain("refused"))
    faults.end("kill", 60)
    tally.check("for a while after it too", faults.explain("cut"))
    faults.end("kill", 0)
    tally.check("and then no more", not faults.explain("cut"))
    tally.check("the trouble is counted", faults.seen == {("kill", "cut"): 2},
                faults.seen)
