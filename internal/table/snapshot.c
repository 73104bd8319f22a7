/*
 * A snapshot is read or written by the functions of base/bytes.h.  Reading
 * never fails halfway: fields past the end or out of bounds become 0 and mark
 * the reader as broken, which the caller checks once.
 */
#include "table/snapshot.h"

#include "table/ruleset.h"

bool snapshot_read(struct snapshot *snapshot, const uint8_t *bytes, size_t len,
                   const struct snapshot_formats *formats)
{
	unsigned format = len ? bytes[0] : 0;

	if (format < 1 || format > formats->newest)
		return false;
	*snapshot = (struct snapshot){
		.reads = true,
		.format = format,
		.in = { .at = bytes, .left = len },
	};
	if (format >= formats->checked)
		get_checksum(&snapshot->in);
	get_expected(&snapshot->in, format);
	if (format < formats->unpadded)
		get_expected(&snapshot->in, 0);
	return !snapshot->in.broken;
}

void snapshot_write(struct snapshot *snapshot, uint8_t *bytes,
                    const struct snapshot_formats *formats)
{
	*snapshot = (struct snapshot){
		.format = formats->newest,
		.out = { .start = bytes, .size = RULESET_STATE_MAX },
	};
	put_u8(&snapshot->out, formats->newest);
}

size_t snapshot_written(struct snapshot *snapshot)
{
	put_checksum(&snapshot->out);
	return snapshot->out.full ? 0 : snapshot->out.len;
}

void snapshot_u8(struct snapshot *snapshot, uint8_t *field)
{
	if (snapshot->reads)
		*field = get_u8(&snapshot->in);
	else
		put_u8(&snapshot->out, *field);
}

void snapshot_u16(struct snapshot *snapshot, uint16_t *field)
{
	if (snapshot->reads)
		*field = get_u16be(&snapshot->in);
	else
		put_u16be(&snapshot->out, *field);
}

void snapshot_u64(struct snapshot *snapshot, uint64_t *field)
{
	if (snapshot->reads)
		*field = get_u64le(&snapshot->in);
	else
		put_u64le(&snapshot->out, *field);
}

void snapshot_bytes(struct snapshot *snapshot, uint8_t *bytes, size_t count)
{
	if (snapshot->reads)
		get_bytes(&snapshot->in, bytes, count);
	else
		put_bytes(&snapshot->out, bytes, count);
}

void snapshot_count(struct snapshot *snapshot, uint8_t *field, unsigned max)
{
	snapshot_u8(snapshot, field);
	if (*field > max) {
		get_fail(&snapshot->in);
		*field = 0;
	}
}

void snapshot_bool(struct snapshot *snapshot, bool *field)
{
	uint8_t byte = *field;

	snapshot_count(snapshot, &byte, 1);
	*field = byte;
}

void snapshot_list(struct snapshot *snapshot, uint8_t *count, uint8_t *bytes,
                   unsigned max)
{
	snapshot_count(snapshot, count, max);
	snapshot_bytes(snapshot, bytes, *count);
}
