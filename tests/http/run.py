#!/usr/bin/python3
"""run.py [--log FILE] [--arranged FILE] [--planted] [--seed N] FILE[:LINE]...

Plays stories against a daemon and says how they went: all of a file, or the one
that has the line.

GANGD_URL names the daemon, GANGD_ELSEWHERE_URL another one with other settings,
GANGD_MIGRATE_URL (or GANGD_DATABASE_URL) their database, GANGD_OPERATOR the
command of "operator" lines and GANGD_ARRANGE the program of arrange.c; stories.sh
sets them.  --log keeps every exchange as a line of JSON, --arranged the ids of the
games whose cards a story arranged.  With --planted every story has a fault on
purpose, and passes if it fails at the line marked "# fails: WHY", and for that
reason.  A run that fails prints its seed; --seed, or STORY_SEED in the environment,
repeats what was random.
"""
import argparse
import contextlib
import os
import sys
import time

import story


def run_story(each, server, options):
    """True if it passes."""
    begun = time.monotonic()
    failure = story.run(each, server, options.seed)
    if options.planted and not (failure and failure.is_planted()):
        found = f"{failure.line} is not the fault: {failure.why}" if failure \
            else f"{each.line}: it does not fail"
        print(f"FAILED {each.name}\n  {each.file}:{found}", flush=True)
        return False
    if failure and not options.planted:
        print(f"FAILED {each.name}\n  {failure}", end="", flush=True)
        return False
    took = (time.monotonic() - begun) * 1000
    print(f"ok     {each.name} ({took:.0f} ms)", flush=True)
    return True


def main():
    options = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--log", metavar="FILE")
    options.add_argument("--arranged", metavar="FILE")
    options.add_argument("--planted", action="store_true")
    options.add_argument("--seed", default=os.environ.get("STORY_SEED") or
                         str(int(time.time())))
    options.add_argument("files", metavar="FILE[:LINE]", nargs="+")
    options = options.parse_args()

    passed = failed = 0
    with contextlib.ExitStack() as files:
        log, arranged = (
            name and files.enter_context(open(name, "w", encoding="utf-8"))
            for name in (options.log, options.arranged))
        server = files.enter_context(contextlib.closing(
            story.Server.from_environment(log, arranged)))
        for word in options.files:
            path, _, line = word.partition(":")
            for each in story.load(path, int(line or 0)):
                good = run_story(each, server, options)
                passed, failed = passed + good, failed + (not good)
    if failed:
        print("seed", options.seed)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
