/*
 * prefer.h - the preferences of a client (RFC 7240).
 */
#pragma once

/*
 * The seconds of the first "wait=N" in a Prefer field, 60 at most; 0 if there
 * is none.  NULL is fine.
 */
unsigned prefer_wait(const char *field);
