# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by what runs the fuzz targets: the corpus and the common options.

# 64 kB hold every shape of page and record; a slow input is a finding, too
export fuzz_options=(-max_len=65536 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
	-artifact_prefix=build/fuzz/findings/ -len_control=30)

# unpack_corpus DIR: into DIR/raw and DIR/structured
unpack_corpus()
{
	mkdir -p "$1/raw" "$1/structured"
	[ ! -e tests/fuzz/corpus.tar.xz ] || tar -xJf tests/fuzz/corpus.tar.xz -C "$1"
}
