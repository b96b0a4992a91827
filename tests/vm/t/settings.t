#!/bin/bash
# tier: all  time: 230s
# SPDX-License-Identifier: GPL-2.0-only
#
# settings.t [SUITE]...: on Debian 12's kernel, or others, with its PostgreSQL: a
# standby replays under each of the settings that concern reading, WAL or what a server
# looks like. The checks are in tests/vm/guest/settings.
set -euo pipefail
# shellcheck source=tests/vm/suites.sh
. tests/vm/suites.sh

run_suite()
{
	boot_servers "settings xfs"
}

for_suites "every setting" "${@:-bookworm}"
