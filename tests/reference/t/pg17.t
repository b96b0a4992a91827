#!/bin/bash
# tier: check  time: 20s
# SPDX-License-Identifier: GPL-2.0-only
#
# WAL of PostgreSQL 17: the decoder and pg_waldump agree on every record.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# shellcheck source=tests/reference/lib.sh
. tests/reference/lib.sh
reference_test trixie
