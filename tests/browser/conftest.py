"""The fixture of the tests that drive a browser."""
from chromium import Browser
import pytest


@pytest.fixture(scope="module")
def browser(database):
    browser = Browser()
    yield browser
    browser.close()
