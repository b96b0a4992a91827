#!/bin/bash
# tier: all  time: 800s
# SPDX-License-Identifier: GPL-2.0-only
#
# ways-kernels.t [SUITE]...: as ways-6.1.t, on xfs, with the kernels and servers of
# the other suites.
set -euo pipefail
# shellcheck source=tests/vm/suites.sh
. tests/vm/suites.sh

run_suite()
{
	boot_servers "ways xfs"
}

[ $# -gt 0 ] || set -- bullseye trixie forky
for_suites "every way to replay" "$@"
