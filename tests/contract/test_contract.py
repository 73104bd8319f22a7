"""The sources and api/openapi.yaml agree."""
import contract
import document as documents
import pytest

pytestmark = pytest.mark.computes


@pytest.fixture(scope="module")
def document():
    return documents.load(".")


class Faults:
    """A tally whose checks are lists of faults."""

    def __init__(self, tally):
        self.tally = tally

    def check(self, what, faults):
        faults = list(faults)
        self.tally.check(what, not faults, "\n".join(faults[:20]))


def test_sources(tally, document):
    contract.check_sources(document, ".", Faults(tally))


def test_release(document):
    assert not list(contract.check_released(document, "."))


def test_version(document, build):
    assert not list(contract.check_version(document, build + "/bin/gangd"))
