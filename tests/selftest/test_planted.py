"""The contract's checker finds faults that are planted."""
import document as documents
import pytest
import selftest
from test_contract import Faults

pytestmark = pytest.mark.computes


@pytest.fixture(scope="module")
def document():
    return documents.load(".")


def test_planted_faults_are_found(tally, document):
    selftest.run(document, ".", Faults(tally))
