/*
 * replay.c - a fuzz target without libFuzzer: it takes the files that it is
 * given and nothing else.
 *
 * So every build, of any compiler, runs the targets on the stored corpus, in a
 * second.  If an assertion fails, the last name printed is that of its file.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

enum { INPUT_MAX = 64 * 1024 };

/* Only what mutates asks for this, and nothing mutates here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
	(void)data;
	(void)size;
	(void)max;
	abort();
}

static bool replay(const char *path)
{
	static uint8_t bytes[INPUT_MAX];
	FILE *file = fopen(path, "rb");

	if (!file)
		return false;
	size_t len = fread(bytes, 1, sizeof(bytes), file);
	bool whole = feof(file) && !ferror(file);
	(void)fclose(file);
	if (!whole)
		return false;

	/* A copy of the exact size, so that a sanitizer sees reads past it. */
	uint8_t *exactly = malloc(len ? len : 1);
	assert(exactly);
	memcpy(exactly, bytes, len);
	(void)LLVMFuzzerTestOneInput(exactly, len);
	free(exactly);
	return true;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		printf("%s\n", argv[i]);
		(void)fflush(stdout);
		if (replay(argv[i]))
			continue;
		printf("FAILED: this cannot be read\n");
		failed++;
	}
	printf("%d passed, %d failed\n", argc - 1 - failed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
