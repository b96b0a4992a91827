#!/bin/bash
# tier: quick  time: 2s
# SPDX-License-Identifier: GPL-2.0-only
set -euo pipefail
cd "$(dirname "$0")/../../.."
CMOCKA_MESSAGE_OUTPUT=TAP exec build/tests/unit/govern
