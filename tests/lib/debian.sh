# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by what builds Debian trees: finds the mirror that this machine's
# apt uses already, and has mmdebstrap fill a folder from it. The machine's
# own apt configuration stays as it is.

# The address that apt takes Debian's main component from
debian_mirror()
{
	# apt expands these
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(COMPONENT) $(LABEL) $(REPO_URI)' \
		'Created-By: Packages' |
		awk '$1 == "main" && $2 == "Debian" && !found++ { print $3 }'
}

# A mirror that lags has a suite whose signature date is past, and a snapshot
# has one whose date this machine may refuse: take over what apt was told.
debian_apt_options()
{
	local check_date

	eval "$(apt-config shell check_date Acquire::Check-Date)"
	printf '%s\n' 'Acquire::Check-Valid-Until "false";' \
		"Acquire::Check-Date \"${check_date:-true}\";" \
		'Acquire::Languages "none";'
}

# debian_tree DIR SUITES PACKAGES [MMDEBSTRAP-OPTION...]: fill DIR. SUITES and
# PACKAGES are lists with commas; the first suite is the main one.
debian_tree()
{
	local dir=$1 suites=$2 packages=$3 opts=() sources=() uri line suite

	shift 3
	need_root "it builds a Debian tree"
	command -v mmdebstrap >/dev/null ||
		die "mmdebstrap is missing: apt-get install mmdebstrap"
	uri=$(debian_mirror)
	[ -n "$uri" ] || die "apt knows no mirror of Debian's main component"
	while read -r line; do
		opts+=("--aptopt=$line")
	done < <(debian_apt_options)
	for suite in ${suites//,/ }; do
		sources+=("deb $uri $suite main")
	done
	UCF_FORCE_CONFFOLD=1 nice mmdebstrap --mode=root --quiet \
		--include="$packages" "${opts[@]}" \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		"$@" "${suites%%,*}" "$dir" "${sources[@]}" || return 1
	rm -rf "$dir"/var/cache/apt/* "$dir"/var/lib/apt/lists/*
}
