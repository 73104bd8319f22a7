"""An eleventh challenge and an eleventh specialist, as
internal/games/gang/rules/NEW_CARDS.md says how they are added."""

import os

RULES = "internal/games/gang/rules/"
TEXTS = {
    "en": ["Cold Feet", "The chip with three stars stays with whoever takes it first.",
           "Lookout", "A player says how many aces their pocket cards have.",
           "{seat} has so many aces: {count}."],
    "de": ["Kalte Füße", "Der Chip mit drei Sternen bleibt, wo er zuerst ist.",
           "Späher", "Jemand sagt, wie viele Asse die Handkarten haben.",
           "{seat} hat so viele Asse: {count}."],
    "fr": ["Sueurs froides", "Le jeton à trois étoiles reste où il est pris.",
           "Guetteur", "Une personne dit combien d’as elle a.",
           "{seat} a autant d’as\u202f: {count}."],
    "ru": ["Холодный пот", "Фишка с тремя звёздами остаётся у взявшего.",
           "Наблюдатель", "Игрок говорит, сколько у него тузов.",
           "Сколько тузов у игрока {seat}: {count}."],
}
KEYS = ["challenge.cold_feet.name", "challenge.cold_feet.text",
        "specialist.lookout.name", "specialist.lookout.text",
        "announcement.lookout.text"]
FIRST = "specialist.informant.name"  # whose entry the new ones come before

LOCK_THIRD = """\
/* Cold Feet */
static bool lock_third(struct challenge_chip chip)
{
	return chip.color != COLOR_RED && chip.stars == 3;
}

static const struct challenge rows["""

ANNOUNCE_ACES = """\
/* Lookout */
static void announce_aces(const struct heist *heist, struct announcement *of)
{
	of->count = (uint8_t)pocket_count_rank(pocket_of(heist, of),
	                                       CARD_RANKS - 1);
}

/* Informant: the target sees"""

ACES_TOLD = """\
    AcesTold:
      type: object
      description: The number of a player's aces.
      required: [code, seat, target_seat, value, count]
      properties:
        code:
          type: string
          enum: [lookout]
          description: The specialist.
        seat: {$ref: "#/components/schemas/Seat"}
        target_seat: {type: "null", description: Always null.}
        value: {type: "null", description: Always null.}
        count:
          type: integer
          format: int32
          minimum: 0
          maximum: 3
          description: The number of aces.
    CommunityCards:
"""


def before(place, text):
    return place, text + place


def of_version():
    """rules_version, one higher."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, "../../internal/games/gang/gang_ruleset.c")
    with open(path, encoding="utf-8") as file:
        found = file.read().split(".rules_version = ")[1].split(",")[0]
    member = "	.rules_version = "
    return member + found + ",", f"{member}{int(found) + 1},"


def entries(texts):
    return before(f'msgid "{FIRST}"', "".join(
        f'msgid "{key}"\nmsgstr "{text}"\n\n' for key, text in zip(KEYS, texts)))


CHANGES = {
    RULES + "challenge.def": [before(
        "#undef", 'CHALLENGE(COLD_FEET, 11, "cold_feet", .locks = lock_third)\n')],
    RULES + "challenge.c": [("static const struct challenge rows[", LOCK_THIRD)],
    RULES + "specialist.def": [before(
        "#undef", 'SPECIALIST(LOOKOUT, 11, "lookout", .announce = announce_aces, '
        ".announces_count = true)\n")],
    RULES + "specialist.c": [("/* Informant: the target sees", ANNOUNCE_ACES)],
    "internal/games/gang/gang_ruleset.c": [of_version()],
    "internal/games/gang/sentence.def": [before(
        "\n/* A choice that", 'SENTENCE("announcement", "lookout", "text", NULL, '
        "NULL)\n")],
    **{f"internal/games/gang/texts/{tag}.po": [entries(texts)]
       for tag, texts in TEXTS.items()},
    "tests/sim/test_gang_sim.c": [before(
        """	        (chip->stars == view->players &&
	         view_has_challenge(view, CHALLENGE_VENTILATION_SHAFT)));
""", """	        (chip->stars == 3 &&
	         view_has_challenge(view, CHALLENGE_COLD_FEET)) ||
""")],
    "tests/sim/gang_expected_error.c": [before(
        """	       (stars == view->players &&
	        view_has_challenge(view, CHALLENGE_VENTILATION_SHAFT));
""", """	       (stars == 3 && view_has_challenge(view, CHALLENGE_COLD_FEET)) ||
""")],
    "tests/unit/test_card_pairs.c": [before(
        """	before = play->gang.heist;
	if (round""", """	if (has(pair, CHALLENGE_COLD_FEET) && round < HEIST_ROUNDS) {
		play_on(play, "B3");
		assert_int_equal(play->last, ERR_CHIP_LOCKED);
		play->last = ERR_OK;
	}
""")],
    "api/openapi.yaml": [
        ("        - security_cameras\n",
         "        - security_cameras\n        - cold_feet\n"),
        ("        - muscle\n", "        - muscle\n        - lookout\n"),
        ('        - $ref: "#/components/schemas/MuscleUsed"\n',
         '        - $ref: "#/components/schemas/MuscleUsed"\n'
         '        - $ref: "#/components/schemas/AcesTold"\n'),
        ('          muscle: "#/components/schemas/MuscleUsed"\n',
         '          muscle: "#/components/schemas/MuscleUsed"\n'
         '          lookout: "#/components/schemas/AcesTold"\n'),
        ("    CommunityCards:\n", ACES_TOLD),
    ],
}
