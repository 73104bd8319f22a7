/*
 * listening.h - the sockets on which the loops listen.
 */
#pragma once

/* The socket that a setting names; -1, with the reason on stderr. */
int listening_at(const char *variable, const char *address);

/* A further socket at the address of the first, or -1. */
int listening_again(int first_fd);
