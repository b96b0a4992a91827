#!/bin/bash
# tier: all  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# The PREEMPT_RT kernel of Debian 12, where a spinlock sleeps and an irq_work runs in a
# thread, recovers as others do, and complains of nothing.
set -euo pipefail

exec tests/vm/t/matrix.t bookworm-rt
