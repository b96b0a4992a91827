// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the name of a relation's file apart: number, fork, and number of the
 * file. The names come from a directory that others write: anything may be in
 * them. Pure.
 */
#include "missed.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number as PostgreSQL writes it; at most 9 digits or what fits in 32 bits. */
static bool take_number(const char **at, u32 *number)
{
	u64 n = 0;

	if (!is_digit(**at) || (**at == '0' && is_digit((*at)[1])))
		return false;
	for (; is_digit(**at); (*at)++) {
		n = n * 10 + (u32)(**at - '0');
		if (n > 0xffffffffu)
			return false;
	}
	*number = (u32)n;
	return true;
}

static bool take_text(const char **at, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*at, text, len))
		return false;
	*at += len;
	return true;
}

static u8 take_fork(const char **at)
{
	if (take_text(at, "_fsm"))
		return WALPF_FORK_FSM;
	if (take_text(at, "_vm"))
		return WALPF_FORK_VM;
	if (take_text(at, "_init"))
		return WALPF_FORK_INIT;
	return WALPF_FORK_MAIN;
}

static bool parse_dir(const struct walpf_missed *missed, struct walpf_wal_rel *rel)
{
	const char *at = missed->dir;

	if (!strcmp(at, "global")) {
		rel->spc = WALPF_SPC_GLOBAL;
		rel->db = 0;
		return true;
	}
	rel->spc = missed->in_base ? WALPF_SPC_DEFAULT : 0;
	return take_number(&at, &rel->db) && !*at;
}

static bool parse_file(const char *at, struct walpf_wal_ref *ref, u32 *segno)
{
	*segno = 0;
	if (!take_number(&at, &ref->rel.rel))
		return false;
	ref->fork = take_fork(&at);
	if (take_text(&at, ".") && !take_number(&at, segno))
		return false;
	return !*at;
}

bool walpf_missed_ref(const struct walpf_missed *missed, u32 file_blocks,
		      struct walpf_wal_ref *ref)
{
	u64 block;
	u32 segno;

	*ref = (struct walpf_wal_ref){};
	if (!parse_dir(missed, &ref->rel) || !parse_file(missed->file, ref, &segno))
		return false;
	block = (u64)segno * file_blocks + missed->block;
	ref->block = (u32)block;
	return block <= 0xffffffffu;
}
