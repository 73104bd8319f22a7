#include "http/quality.h"

bool quality_read(const char **at, unsigned *quality)
{
	const char *text = *at;
	unsigned worth = QUALITY_MAX / 10;
	unsigned read;

	if (*text != '0' && *text != '1')
		return false;
	read = *text++ == '1' ? QUALITY_MAX : 0;
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9' && worth > 0;
		     worth /= 10)
			read += (unsigned)(*text++ - '0') * worth;
	}
	if (read > QUALITY_MAX)
		return false;
	*at = text;
	*quality = read;
	return true;
}
