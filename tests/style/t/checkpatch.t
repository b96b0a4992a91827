#!/bin/bash
# tier: check  time: 30s
# SPDX-License-Identifier: GPL-2.0-only
#
# checkpatch --strict, as the kernel's maintainers run it, over all C files.
# No small package has the script, so it is taken once from Debian's package of
# the kernel's source (140 MB) and kept in the cache.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/lib/common.sh
. tests/style/lib.sh

# The package that holds this Debian's kernel source, such as linux-source-6.1
find_source_package()
{
	apt-cache depends linux-source | awk '/Depends:/ { print $2; exit }'
}

# Fills DIR with the script and the word lists that it reads.
fetch_checkpatch()
{
	local package=$1 dir=$2

	(cd "$dir" && apt-get -q download "$package" </dev/null)
	dpkg-deb --fsys-tarfile "$dir"/*.deb | tar -xO "./usr/src/$package.tar.xz" |
		tar -xJ -C "$dir" --strip-components=2 --wildcards \
			'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' \
			'*/scripts/const_structs.checkpatch'
	rm "$dir"/*.deb
	[ -s "$dir/checkpatch.pl" ]
}

# Types of remarks that cannot apply to a file, each with its reason
ignored_types()
{
	# There is no MAINTAINERS file to keep up to date, and our functions
	# have names that are words, which messages use as well.
	echo FILE_PATH_CHANGES EMBEDDED_FUNCTION_NAME
	case $1 in
	kmod/compat/*)
		# The one place for them
		echo LINUX_VERSION_CODE CONSTANT_COMPARISON
		;;
	kmod/trace.h)
		# Tracepoints are written like tables.
		echo OPEN_ENDED_LINE PARENTHESIS_ALIGNMENT
		;;
	kmod/wal/* | kmod/plan.* | kmod/govern.* | tools/* | tests/*)
		# Also built without the kernel's headers, where these come from
		echo PREFER_KERNEL_TYPES BIT_MACRO ARRAY_SIZE
		;;
	esac
	case $1 in
	tools/* | tests/*)
		# libc's own names (PRIx64), attributes by the compiler's names, a
		# signal's flag, entry points that libFuzzer calls, and texts for
		# people and bytes as text, which are longer than a line
		echo CAMELCASE PREFER_DEFINED_ATTRIBUTE_MACRO VOLATILE AVOID_EXTERNS
		echo SPLIT_STRING MISSING_SPACE
		;;
	esac
}

# checkpatch leaves a file where it runs, so it runs among links to the tree.
make_workplace()
{
	local folder

	mkdir -p build/checkpatch
	for folder in include kmod tests tools; do
		ln -sfn "../../$folder" "build/checkpatch/$folder"
	done
}

# Lists in the form LIST(X) and the X that is applied to them are pieces of
# statements by design; NOKPROBE_SYMBOL belongs to the function before it. What
# is said of such a line is left out.
without_false_alarms()
{
	awk -F: -v file="$1" '
		BEGIN {
			while ((getline line < file) > 0)
				text[++n] = line
		}
		text[$2] !~ /^#define (X\(|[A-Z0-9_]+\(X\))|^NOKPROBE_SYMBOL\(/'
}

check_file()
{
	local remarks

	cd build/checkpatch || return
	remarks=$(perl "$checkpatch" --no-tree --root=. --strict --terse --no-summary --quiet \
		--max-line-length=100 --ignore "$(ignored_types "$1" | xargs | tr ' ' ,)" \
		--file "$1" | without_false_alarms "$1") || true
	[ -z "$remarks" ] || { echo "$remarks" && false; }
}

mapfile -t files < <(c_files)
need_files "${files[@]}"
package=$(find_source_package)
checkpatch=$(cached_dir checkpatch "$package" fetch_checkpatch "$package")/checkpatch.pl
make_workplace
plan $((${#files[@]} + 1))
printf 'int zero = 0;\n' >build/checkpatch/faulty.c
ok "$(check_file faulty.c >/dev/null && echo 1 || echo 0)" "a faulty file is noticed"
try_each check_file "${files[@]}"
done_testing
