# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of installing need: DKMS, and a key for it to sign with.

DEPS_DEBIAN += dkms openssl
