/*
 * snapshot.h - writes and reads the bytes of a state through the same calls.
 *
 * A ruleset names the fields of its state once, in the order of their bytes.
 * Each call below writes a field or reads it, so the two directions cannot
 * differ.  A snapshot is
 *
 *   format, a reserved zero, the fields, a checksum of all before it
 */
#pragma once

#include "base/bytes.h"
#include "base/macros.h"

/* The bytes of the format, the reserved zero and the checksum. */
enum { SNAPSHOT_FRAME = 2 + CHECKSUM_SIZE };

struct snapshot {
	bool reads;
	unsigned format; /* from 1 */
	struct bytes_in in;
	struct bytes_out out;
};

/*
 * Begin to read.  Formats from checked on end with a checksum.  False for a
 * wrong one, and for a format that is not in 1..newest.
 */
MUST_CHECK bool snapshot_read(struct snapshot *snapshot, const uint8_t *bytes,
                              size_t len, unsigned newest, unsigned checked);

/* Begin to write a format into RULESET_STATE_MAX bytes. */
void snapshot_write(struct snapshot *snapshot, uint8_t *bytes, unsigned format);

/* End writing: the number of bytes; 0 if they did not fit. */
size_t snapshot_written(struct snapshot *snapshot);

/* Numbers of one, two and eight bytes. */
void snapshot_u8(struct snapshot *snapshot, uint8_t *field);
void snapshot_u16(struct snapshot *snapshot, uint16_t *field);
void snapshot_u64(struct snapshot *snapshot, uint64_t *field);

/* A byte 0 or 1. */
void snapshot_bool(struct snapshot *snapshot, bool *field);

/* A byte up to max.  A greater one is read as 0 and breaks snapshot->in. */
void snapshot_count(struct snapshot *snapshot, uint8_t *field, unsigned max);

/* Bytes of a known number; and a byte with the number, then the bytes. */
void snapshot_bytes(struct snapshot *snapshot, uint8_t *bytes, size_t count);
void snapshot_list(struct snapshot *snapshot, uint8_t *count, uint8_t *bytes,
                   unsigned max);
