/*
 * The members that more than one of the printers prints.
 */
#include "games/gang/rules/gang_print_part.h"

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/specialist.h"

void gang_print_cards(const char *name, const uint8_t *cards, unsigned count,
                      struct json_out *out)
{
	json_key_array(out, name);
	for (unsigned i = 0; i < count; i++)
		json_string_len(out, card_text(cards[i]), CARD_TEXT_LEN);
	json_array_end(out);
}

void gang_print_value(const char *name, enum value_kind kind, unsigned value,
                      struct json_out *out)
{
	if (value >= 1 && value <= gang_value_max(kind))
		json_key_string(out, name, gang_value_text(kind, value));
	else
		json_key_null(out, name);
}

void gang_print_challenges(uint16_t challenges, uint16_t permanent,
                           struct json_out *out)
{
	unsigned number = 0;

	json_key_array(out, "challenges");
	while ((number = challenges_next(challenges, number))) {
		json_object(out);
		json_key_int(out, "number", number);
		json_key_string(out, "code", gang_challenge_get(number)->code);
		json_key_bool(out, "permanent", permanent >> number & 1);
		json_object_end(out);
	}
	json_array_end(out);
}

bool gang_begin_specialist(unsigned number, struct json_out *out)
{
	json_key(out, "specialist");
	if (!number) {
		json_null(out);
		return false;
	}
	json_object(out);
	json_key_int(out, "number", number);
	json_key_string(out, "code", gang_specialist_get(number)->code);
	return true;
}

void gang_print_specialist(unsigned number, struct json_out *out)
{
	if (gang_begin_specialist(number, out))
		json_object_end(out);
}

void gang_print_wanted(unsigned seat, unsigned target, unsigned value,
                       struct json_out *out)
{
	json_key_int_or_null(out, "seat", seat);
	json_key_int_or_null(out, "target_seat", target);
	gang_print_value("value", VALUE_RANK, value, out);
}

void gang_print_announcement(unsigned specialist, const struct announcement *of,
                             struct json_out *out)
{
	const struct specialist *row = gang_specialist_get(specialist);

	json_key_string(out, "code", row->code);
	json_key_int_or_null(out, "seat", of->seat);
	json_key_int_or_null(out, "target_seat", of->target);
	gang_print_value("value", row->announces, of->value, out);
	if (row->announces_count)
		json_key_int(out, "count", of->count);
	else
		json_key_null(out, "count");
}
