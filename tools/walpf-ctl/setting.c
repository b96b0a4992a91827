// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the value of a setting and puts it into a message.
 */
#include <ctype.h>
#include <errno.h>
#include <netlink/attr.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <linux/walpf.h>

#include "client.h"
#include "setting.h"

/* "", K, kB, KiB and so on: the power of 1024, or -1. */
static int power_of(const char *unit)
{
	static const char letters[] = "KMGT";
	const char *letter;

	if (!*unit)
		return 0;
	letter = strchr(letters, toupper((unsigned char)*unit));
	if (!letter)
		return -1;
	unit++;
	if (*unit && strcasecmp(unit, "B") && strcasecmp(unit, "iB"))
		return -1;
	return (int)(letter - letters) + 1;
}

static bool parse_number(const char *text, uint64_t *out)
{
	uint64_t number;
	char *end;
	int power;

	errno = 0;
	number = strtoull(text, &end, 0);
	power = power_of(end);
	if (errno || power < 0 || number > UINT64_MAX >> (10 * power))
		return false;
	*out = number << (10 * power);
	return true;
}

bool setting_add(struct nl_msg *msg, const char *name, const char *value)
{
	struct nlattr *item = nla_nest_start(msg, WALPF_ITEMS_A_ITEM | NLA_F_NESTED);
	uint64_t number = 0;
	int err;

	if (!item || strlen(name) >= ITEM_SIZE || strlen(value) >= ITEM_SIZE)
		return false;
	if (isdigit((unsigned char)*value) && !parse_number(value, &number))
		return false;
	err = nla_put_string(msg, WALPF_ITEM_A_NAME, name);
	if (isdigit((unsigned char)*value))
		err |= nla_put_u64(msg, WALPF_ITEM_A_NUMBER, number);
	else
		err |= nla_put_string(msg, WALPF_ITEM_A_WORD, value);
	nla_nest_end(msg, item);
	return !err;
}
