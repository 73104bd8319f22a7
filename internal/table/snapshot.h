/*
 * snapshot.h - writes and reads the bytes of a state through the same calls.
 *
 * A ruleset names the fields of its state once, in the order of their bytes.
 * Each call below writes a field or reads it, so the two directions cannot
 * differ.  A snapshot is
 *
 *   format, the fields, a checksum of all before it
 */
#pragma once

#include "base/bytes.h"
#include "base/macros.h"

/* The bytes of the format and the checksum. */
enum { SNAPSHOT_FRAME = 1 + CHECKSUM_SIZE };

/*
 * A ruleset's formats are numbered from 1.  Only the newest is written; all are
 * read, because stored games have them.
 */
struct snapshot_formats {
	unsigned newest;
	unsigned checked;  /* the first that ends with a checksum */
	unsigned unpadded; /* the first without a zero after the format */
};

struct snapshot {
	bool reads;
	unsigned format;
	struct bytes_in in;
	struct bytes_out out;
};

/* Begin to read.  False for an unknown format and for a wrong checksum. */
MUST_CHECK bool snapshot_read(struct snapshot *snapshot, const uint8_t *bytes,
                              size_t len,
                              const struct snapshot_formats *formats);

/* Begin to write the newest format into RULESET_STATE_MAX bytes. */
void snapshot_write(struct snapshot *snapshot, uint8_t *bytes,
                    const struct snapshot_formats *formats);

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
