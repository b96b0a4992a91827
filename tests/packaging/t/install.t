#!/bin/bash
# tier: quick  time: 3s
# SPDX-License-Identifier: GPL-2.0-only
#
# What `make install` puts where, that systemd takes its unit, and that
# `make uninstall` leaves nothing. The module: tests/packaging/t/dkms.t.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Files and their modes, without source for DKMS
installed()
{
	(cd "$1" && find . ! -type d ! -path './usr/src/*' -printf '%m %P\n' | sort -k2)
}

test_install()
{
	try "make install" make install DESTDIR="$dir/local"
	is "$(installed "$dir/local")" "644 usr/local/lib/systemd/system/walpf@.service
755 usr/local/sbin/walpf-ctl
644 usr/local/share/bash-completion/completions/walpf-ctl
644 usr/local/share/man/man8/walpf-ctl.8" "files in DESTDIR"
	try "make install PREFIX=/usr" make install DESTDIR="$dir/usr" PREFIX=/usr
	is "$(installed "$dir/usr" | sed 's,usr/,usr/local/,')" "$(installed "$dir/local")" \
		"the same below another PREFIX"
	like "$(<"$dir/usr/usr/lib/systemd/system/walpf@.service")" \
		$'\nExecStart=/usr/sbin/walpf-ctl register ' "the unit runs the tool of that PREFIX"
	try "the installed tool runs" "$dir/local/usr/local/sbin/walpf-ctl" version
}

test_dkms_source()
{
	local source

	try "make dkms_install" make dkms_install DESTDIR="$dir/local"
	source=$(echo "$dir"/local/usr/src/walpf-*)
	is "${source##*/walpf-}" "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)" \
		"the folder of the source has the version in its name"
	is "$(cd "$source" && find kmod include -type f | sort)" \
		"$(find kmod include -type f | sort)" "all of the module's source is there"
}

test_uninstall()
{
	mkdir -p "$dir/local/lib/modules/6.1.0-1-amd64/updates"
	touch "$dir/local/lib/modules/6.1.0-1-amd64/updates/"{walpf.ko,other.ko}
	try "make uninstall" make uninstall DESTDIR="$dir/local"
	is "$(find "$dir/local" ! -type d -printf '%P\n')" \
		lib/modules/6.1.0-1-amd64/updates/other.ko "make uninstall leaves what is not ours"
	make uninstall DESTDIR="$dir/usr" PREFIX=/usr
	is "$(find "$dir/usr" ! -type d)" "" "make uninstall below another PREFIX"
}

test_unit()
{
	local units=$dir/prefix/lib/systemd/system name

	command -v systemd-analyze >/dev/null || return 0
	try "make install into a folder" make install PREFIX="$dir/prefix"
	name=$(systemd-escape --path --template=walpf@.service "$dir/a data-dir")
	cp "$units/walpf@.service" "$units/$name"
	is "$(systemd-analyze verify --man=no "$units/$name" 2>&1)" "" "systemd takes the unit"
}

test_install
test_dkms_source
test_uninstall
test_unit
done_testing
