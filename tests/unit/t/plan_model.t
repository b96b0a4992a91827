#!/bin/bash
# tier: quick  time: 3s
# SPDX-License-Identifier: GPL-2.0-only
CMOCKA_MESSAGE_OUTPUT=TAP exec build/tests/unit/plan_model
