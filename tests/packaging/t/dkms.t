#!/bin/bash
# tier: check  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# DKMS builds, signs and installs the module for Debian 12's kernel from what
# `make dkms_install` puts in place, does so for a kernel that comes later, and
# removes all of it. In a root tree of its own: this machine stays as it is.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)

# Without a key DKMS makes one by a program that the tree does not have.
make_key()
{
	mkdir "$dir/lib"
	openssl req -new -x509 -nodes -days 30 -newkey rsa:2048 -subj "/CN=walpf test/" \
		-outform DER -keyout "$dir/lib/mok.key" -out "$dir/lib/mok.pub" 2>/dev/null
}

# Runs in the tree
in_tree=$(cat <<'END'
set -eu
release=$(basename /lib/modules/*)
state() { echo "$1: $(dkms status -m walpf -v "$VERSION" | sed 's/.*: //')"; }
packaging/dkms install walpf "$VERSION" -k "$release"
state installed
echo "module: $(cd "/lib/modules/$release" && find . -name 'walpf.ko*')"
echo "signer: $(modinfo -k "$release" -F signer walpf)"
echo "version: $(modinfo -k "$release" -F version walpf)"
dkms uninstall -m walpf -v "$VERSION" -k "$release"
dkms unbuild -m walpf -v "$VERSION" -k "$release"
dkms autoinstall -k "$release"
state upgraded
packaging/dkms remove walpf "$VERSION"
state removed
echo "left: $(find /lib/modules /var/lib/dkms -name 'walpf*')"
END
)

said()
{
	sed -n "s/^$1: //p" "$dir/log"
}

make_key
mkdir "$dir/bin"
cp "$(command -v dkms)" "$dir/bin/"
make dkms_install DESTDIR="$dir/root" >"$dir/log"
status=0
tests/lib/in-tree -b "$dir/bin:/usr/local/sbin" -b /etc/dkms:/etc/dkms \
	-b /usr/lib/dkms:/usr/lib/dkms -b "$dir/lib:/var/lib/dkms" \
	-b "$dir/root/usr/src/walpf-$version:/usr/src/walpf-$version" \
	-b "$PWD/packaging:/packaging" bookworm env VERSION="$version" \
	PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "$in_tree" \
	>"$dir/log" 2>&1 || status=$?
ok "$status" "dkms installs and removes it"
[ "$status" = 0 ] || diag "$(tail -n 30 "$dir/log")"
is "$(said installed)" "installed" "built and installed"
is "$(said module)" "./updates/dkms/walpf.ko" "where the kernel looks first"
is "$(said version)" "$version" "of this version"
is "$(said signer)" "walpf test" "signed with the machine owner's key"
is "$(said upgraded)" "installed" "built for a kernel that comes later"
is "$(said removed)$(said left)" "" "removed without a trace"
done_testing
