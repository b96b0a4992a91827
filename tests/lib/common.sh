# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by the shell programs of tests/: where cached things live, how they
# are made once, and one line errors. Makes no file except below the cache.

lib_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export WALPF_TOP=${lib_dir%/tests/lib}
export WALPF_CACHE=${WALPF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/walpf}

die()
{
	echo "${0##*/}: $*" >&2
	exit 2
}

say()
{
	echo "${0##*/}: $*" >&2
}

need_root()
{
	[ "$(id -u)" = 0 ] || die "must run as root: $1"
}

# hash_of FILE_OR_TEXT...: a short key of the contents of what is named
hash_of()
{
	local item

	for item; do
		if [ -f "$item" ]; then
			cat "$item"
		else
			printf '%s\n' "$item"
		fi
	done | sha256sum | cut -c1-12
}

# cached_dir NAME KEY MAKER [ARG...]: print the folder NAME-KEY of the cache.
# When it is missing, MAKER is called with ARG... and an empty folder to fill
# as its last argument; only a complete folder gets the final name. Others
# who want the same folder wait for the maker instead of making it again.
cached_dir()
{
	local name=$1 dir=$WALPF_CACHE/$1-$2
	local tmp=$dir.new

	shift 2
	if [ ! -d "$dir" ]; then
		mkdir -p "${dir%/*}"
		(
			flock 9
			[ ! -d "$dir" ] || exit 0
			rm -rf "$tmp"
			mkdir "$tmp"
			if ! ("$@" "$tmp") >&2; then
				rm -rf "$tmp"
				exit 1
			fi
			mv -T "$tmp" "$dir"
		) 9>"$WALPF_CACHE/$name.lock" || return 1
	fi
	echo "$dir"
}
