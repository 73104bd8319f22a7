/*
 * fuzz.h - what the fuzz targets share.
 *
 * libFuzzer calls LLVMFuzzerTestOneInput() millions of times in one process,
 * with bytes that it changes so that they reach code not reached before.  A
 * target asserts what must hold of any bytes; the sanitizers find what is read
 * or written out of bounds.  It always returns 0.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistr.h>

#include "auth/token.h"
#include "http/http.h"
#include "service/call.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * A target defines it when random changes would hardly ever give valid bytes:
 * change them, size at first and at most max, so that more of them are valid.
 * LLVMFuzzerMutate() is what libFuzzer does without it.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* An Authorization field with a valid token; static. */
const char *fuzz_authorization(void);

/* A number that depends on the bytes alone. */
uint32_t fuzz_hash(const uint8_t *data, size_t size);

/*
 * The bytes of a state in this format with the checksum that they need, or
 * hardly any that were changed would be looked at.  Others as they are; static.
 */
const uint8_t *fuzz_seal(const uint8_t *data, size_t size, unsigned format);

/* Assert that the text is one value of JSON in UTF-8, without blanks. */
void fuzz_assert_json(const char *text, size_t len);
