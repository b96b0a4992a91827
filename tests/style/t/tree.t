#!/bin/bash
# tier: quick  time: 3s
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules on the text of the tree: licence lines, no trace of the machine it was
# written on, kernel version tests in their one place, strict shell.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

mapfile -t files < <(tree_files | grep -vx -e COPYING)
mapfile -t texts < <(grep -Il '' "${files[@]}")

# Sources are C, makefiles, configuration for them, and all that has a #! line.
sources()
{
	printf '%s\n' "${texts[@]}" |
		grep -E '\.([chS]|mk|pl|awk|sh|t)$|(^|/)(Makefile|Kbuild|dkms\.conf)$' || true
	grep -lE -m1 '^#!' "${texts[@]}" || true
	shell_files
}

# What would tie the tree to where it is now: its own place, the home folder,
# the mirror that apt uses
machine_words()
{
	[ "${#PWD}" -lt 6 ] || echo "$PWD"
	[ "${#HOME}" -lt 6 ] || echo "$HOME"
	# shellcheck disable=SC2016 # apt expands it
	apt-get indextargets --format '$(REPO_URI)' 2>/dev/null |
		sed -n 's|^[a-z+]*://\([^/:]*\).*|\1|p' | sort -u
}

# Top folders that name somebody's machine, as alternatives of a regular
# expression: those of people, and the one this tree is in if it is unusual
machine_folders()
{
	local top=${PWD#/}

	echo 'home|root'
	case ${top%%/*} in
	home | root | tmp | usr | var | opt | srv | mnt | media) ;;
	*) echo "|${top%%/*}" ;;
	esac
}

report()
{
	is "$(head -n 20 <<<"$1")" "" "$2"
}

report "$(sources | sort -u | while read -r f; do
	head -n 4 "$f" | grep -q 'SPDX-License-Identifier: .*GPL-2.0' || echo "$f"
done)" "every source says its licence in its first lines"

report "$(grep -nIFf <(machine_words) "${texts[@]}"
	grep -nIE "(^|[^[:alnum:]_.})*-])/($(machine_folders | tr -d '\n'))/" "${texts[@]}" || true)" \
	"no path or mirror of this machine is in the tree"

report "$(grep -nIE '(https?|ftp)://' "${texts[@]}" |
	grep -v -e '^[A-Za-z/.-]*\.md:' -e 'www\.kernel\.org/doc' || true)" \
	"no network address is in a source"

report "$(grep -nIE '\b([0-9]{1,3}\.){3}[0-9]{1,3}\b' "${texts[@]}" |
	grep -vE '\b(127\.0\.0|0\.0\.0|10\.0\.2)\.' || true)" \
	"no host's address is in the tree"

report "$(printf '%s\n' "${texts[@]}" | grep '\.[ch]$' | grep -v '^kmod/compat/' |
	xargs -r grep -nE '<(linux|generated)/(uapi/linux/)?version\.h>|LINUX_VERSION_CODE' || true)" \
	"kernel versions are tested below kmod/compat/ only"

report "$(shell_files | while read -r f; do
	head -n 1 "$f" | grep -q '^#!.*bash' || continue
	# A single command cannot go on after itself.
	[ "$(grep -cE '^[^#]' "$f")" -gt 1 ] || continue
	# Process 1 of a guest must get as far as switching it off.
	[ "$f" != tests/vm/guest/start ] || continue
	grep -qE '^set -euo pipefail' "$f" || echo "$f"
done)" "every bash program stops at errors (set -euo pipefail)"

report "$(printf '%s\n' "${texts[@]}" | xargs grep -nE '[[:blank:]]+$' |
	grep -v '\.md:' || true)" "no line ends in white space"

done_testing
