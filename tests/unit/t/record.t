#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
cd "$(dirname "$0")/../../.." || exit
CMOCKA_MESSAGE_OUTPUT=TAP exec build/tests/unit/record
