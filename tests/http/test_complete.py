"""Checks that need all parts of the stories together."""
import glob
import os

import contract
import document as documents
import part
import pytest
from test_contract import Faults

pytestmark = pytest.mark.last


@pytest.fixture(scope="module")
def folders(build):
    return glob.glob(build + "/stories/[0-9]*")


def test_every_story_is_in_one_part(folders):
    played = [name for folder in folders
              for name in part.read(folder + "/played").split()]
    assert sorted(played) == sorted(
        os.path.basename(path) for path in glob.glob(part.HERE + "/*.story"))


def test_gangctl_has_shown_a_game_of_each_ruleset(folders):
    shown = {int(word) for folder in folders
             for word in part.read(folder + "/shown").split()}
    assert shown == set(part.RULESETS)


def test_each_operation_and_problem_was_met(tally, folders):
    documents.checks_schemas = False
    contract.check_seen(documents.load("."),
                        [folder + "/seen.json" for folder in folders], Faults(tally))
