/*
 * prefer.h - the preferences of a client (RFC 7240).
 */
#pragma once

/*
 * The seconds of the first "wait=N" in a Prefer field, at most 60; 0 without
 * one.  The field may be NULL.
 */
unsigned prefer_wait(const char *field);
