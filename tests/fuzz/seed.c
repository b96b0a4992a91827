// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a few pages of WAL of every version into a folder, as first inputs
 * for the raw target: mutation alone finds no right CRC.
 */
#include "walmix.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGES 3

static void write_seed(const char *dir, u16 magic, struct rng *rng)
{
	static const u8 choices[2] = { 0, 100 };
	struct walgen gen;
	char path[4096];
	FILE *file;

	walgen_init(&gen, magic, 1 << 20, 0x40000000);
	walmix(&gen, rng, PAGES * WALGEN_PAGE / 2);
	snprintf(path, sizeof(path), "%s/seed-%04x", dir, magic);
	file = fopen(path, "wb");
	if (!file || fwrite(choices, sizeof(choices), 1, file) != 1 ||
	    fwrite(gen.bytes, walgen_len(&gen) % (PAGES * WALGEN_PAGE), 1, file) != 1 ||
	    fclose(file)) {
		perror(path);
		exit(1);
	}
	walgen_free(&gen);
}

int main(int argc, char **argv)
{
	struct rng rng = { .state = 12345 };

	if (argc != 2) {
		fprintf(stderr, "usage: seed FOLDER\n");
		return 2;
	}
	for (unsigned int i = 0; walpf_wal_version_at(i); i++)
		write_seed(argv[1], walpf_wal_version_at(i)->magic, &rng);
	return 0;
}
