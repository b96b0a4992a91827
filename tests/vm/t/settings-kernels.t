#!/bin/bash
# tier: all  time: 900s
# SPDX-License-Identifier: GPL-2.0-only
#
# As settings.t, with the kernels and servers of the other suites.
set -euo pipefail

exec tests/vm/t/settings.t bullseye trixie forky
