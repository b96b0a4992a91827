# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by the tests of style: which files the rules apply to, and how C
# files outside the kernel are compiled. Looks at the folder, not at git, so
# that it also works in an unpacked archive.

# All files of the tree but products, as paths from its root
tree_files()
{
	find . \( -name .git -o -path ./build \) -prune -o -type f \
		! -name '*.o' ! -name '*.ko' ! -name '*.mod' ! -name '*.mod.c' \
		! -name '.*.cmd' ! -name Module.symvers ! -name modules.order \
		! -path ./tags -printf '%P\n' | sort
}

c_files()
{
	tree_files | grep '\.[ch]$'
}

# C files of programs: all but those of modules, which only the kernel's build
# system can compile, and BPF programs, which are for another machine
user_c_files()
{
	tree_files | grep '\.c$' | grep -v -e '^kmod/[^/]*$' -e '^kmod/compat/' -e '^tests/bench/hook/empty/' \
		-e '\.bpf\.c$'
}

# Programs and libraries in shell, known by their first line
shell_files()
{
	local file

	tree_files | grep -v '\.\(c\|h\|md\)$' | while read -r file; do
		head -n 1 "$file" | tr -d '\0' |
			grep -qE '^#!.*\b(ba)?sh\b|^# shellcheck shell=' && echo "$file"
	done
	return 0
}

# Where those find their headers: every folder of tools/ and tests/ has some
user_cppflags()
{
	local library

	echo -D_GNU_SOURCE -Ikmod -Iinclude/uapi
	tree_files | sed -n 's,^\(\(tools\|tests\)/.*\)/[^/]*\.h$,-I\1,p' | sort -u
	for library in libnl-genl-3.0 smartcols libbpf; do
		pkg-config --cflags --silence-errors "$library" || true
	done
}

# need_program NAME: a missing checker is a failure, not a reason to skip
need_program()
{
	command -v "$1" >/dev/null && return
	plan 1
	fail "$1 is not installed: make deps"
	exit 1
}

# need_files FILE...: in a tree that has none yet
need_files()
{
	[ $# != 0 ] || skip_all "there is no file to look at"
}

# try_each FUNCTION FILE...: a test for each file, passed when FUNCTION FILE
# does. As many run at a time as there are processors; the order stays.
try_each()
{
	local check=$1 dir file jobs_max

	dir=$PWD/build/style/${0##*/}
	jobs_max=$(nproc)
	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	for file; do
		while [ "$(jobs -rp | wc -l)" -ge "$jobs_max" ]; do
			wait -n || true
		done
		{
			status=0
			"$check" "$file" >"$dir/${file//\//,}" 2>&1 || status=$?
			echo "$status" >"$dir/${file//\//,}.status"
		} &
	done
	wait
	for file; do
		try "$file" tell_result "$dir/${file//\//,}"
	done
}

tell_result()
{
	cat "$1"
	return "$(cat "$1.status")"
}

# try_module NAME MAKE-ARG...: the module builds from scratch, without a remark. In
# a folder of its own, build/style/NAME: other builds with other flags stay valid.
try_module()
{
	local out=$PWD/build/style/$1 log=build/style/$1.log status=0

	shift
	rm -rf "$out"
	mkdir -p "$out"
	make -j"$(nproc)" modules KMOD_OUT="$out" "$@" >"$log" 2>&1 || status=$?
	ok "$status" "builds from scratch"
	[ "$status" = 0 ] || diag "$(tail -n 30 "$log")"
	is "$(grep -E '(warning|error|undefined)' "$log" | head -n 20 || true)" "" \
		"without warnings of the compiler, other checkers and modpost"
}
