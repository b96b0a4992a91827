#!/bin/bash
# tier: all  time: 90s
# SPDX-License-Identifier: GPL-2.0-only
#
# The arm64 kernel and PostgreSQL of Debian 12 recover as others do, with the module
# and the tool compiled on this machine. The cluster is the one of x86-64: both keep
# data alike.
set -euo pipefail

exec tests/vm/t/matrix.t bookworm-arm64
