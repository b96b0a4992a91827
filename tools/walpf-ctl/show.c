// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks for one cluster or all, and has them printed or prints them as JSON.
 */
#include <unistd.h>

#include "ctl.h"
#include "show.h"
#include "table.h"

static const struct ctl_option options[] = {
	{ 'j', "json", NULL, "print all that is known as JSON" },
	{ 'r', "raw", NULL, "no headings, fields separated by one blank" },
	{ 0, NULL, NULL, NULL },
};

static enum ctl_exit get_and_print(const struct show *show, const char *name, bool json, bool raw)
{
	struct clusters clusters;
	enum ctl_exit end = client_get(name, &clusters);

	if (end == CTL_DONE && json)
		end = table_json(&clusters);
	else if (end == CTL_DONE)
		show->print(&clusters, raw);
	clusters_free(&clusters);
	return end;
}

int show(const struct show *show, int argc, char **argv)
{
	const struct ctl_syntax syntax = {
		.operands = show->operands,
		.about = show->about,
		.options = options,
	};
	bool json = false, raw = false;
	enum ctl_exit end;
	int letter;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		json |= letter == 'j';
		raw |= letter == 'r';
	}
	if (show->operands[0] && argc - optind != 1)
		return ctl_usage_error(NULL, "takes the name of one cluster");
	if (!show->operands[0] && argc != optind)
		return ctl_usage_error(argv[optind], "takes no argument");
	end = client_open();
	if (end == CTL_DONE)
		end = get_and_print(show, argv[optind], json, raw);
	client_close();
	return end;
}
