#!/bin/bash
# tier: all  time: 600s
# SPDX-License-Identifier: GPL-2.0-only
#
# As filesystems.t, with the kernels and servers of the other suites.
set -euo pipefail

exec tests/vm/t/filesystems.t bullseye trixie forky
