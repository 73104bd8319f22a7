"""The ways in which a story does not come to its end."""


class Fault(Exception):
    """The line is not in the language of stories, or cannot be carried out."""


class Failed(Exception):
    """Something is not as expected; the exchange that shows it, or None."""

    def __init__(self, why, exchange=None):
        super().__init__(why)
        self.exchange = exchange


class TryAgain(Exception):
    """The cards that were dealt cannot show what the story shows."""
