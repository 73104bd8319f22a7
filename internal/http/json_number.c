/*
 * A number is its digits without the point, times a power of ten.  It is whole
 * if, with the zeros at the end taken into the power, the power is not
 * negative. No float is involved, so every digit counts, whatever the number's
 * size.
 */
#include "http/json_number.h"

#include <stddef.h>
#include <string.h>

#include <json-c/json.h>

#include "base/memory.h"

/* Beyond the digits of any body, and far from the end of int64_t. */
static const int64_t power_max = (int64_t)1 << 40;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The exponent after 'e', up to power_max in either direction. */
static int64_t read_power(const char *text)
{
	bool negative = *text == '-';
	int64_t power = 0;

	text += *text == '-' || *text == '+';
	for (; is_digit(*text) && power < power_max; text++)
		power = power * 10 + (*text - '0');
	return negative ? -power : power;
}

/* number * 10 + digit away from zero; saturates. */
static int64_t append(int64_t number, int digit, bool negative)
{
	int64_t most = negative ? INT64_MIN : INT64_MAX;

	if (negative)
		return number < (most + digit) / 10 ? most
		                                    : number * 10 - digit;
	return number > (most - digit) / 10 ? most : number * 10 + digit;
}

bool json_number_whole(const char *text, int64_t *number)
{
	bool negative = *text == '-';
	const char *digits = text + negative;
	size_t len = strspn(digits, "0123456789.");
	const char *point = memchr(digits, '.', len);
	int64_t power = 0;
	int64_t whole = 0;

	if (digits[len])
		power = read_power(digits + len + 1);
	if (point)
		power -= digits + len - (point + 1);
	while (len > 0 && (digits[len - 1] == '0' || digits[len - 1] == '.')) {
		len--;
		power += is_digit(digits[len]);
	}
	for (size_t i = 0; i < len; i++) {
		if (is_digit(digits[i]))
			whole = append(whole, digits[i] - '0', negative);
	}
	if (whole != 0 && power < 0)
		return false;
	/* Ten to the nineteenth is more than an int64_t holds. */
	for (int64_t i = 0; whole != 0 && i < power && i < 19; i++)
		whole = append(whole, 0, negative);
	*number = whole;
	return true;
}

bool json_number_read(struct json_object *value, int64_t *number)
{
	if (json_object_is_type(value, json_type_int)) {
		/* json-c has read one beyond 64 bits as the nearest. */
		*number = json_object_get_int64(value);
		return true;
	}
	if (!json_object_is_type(value, json_type_double))
		return false;
	/* It keeps the text that was sent. */
	const char *text = json_object_get_string(value);
	memory_expect(text);
	return json_number_whole(text, number);
}
