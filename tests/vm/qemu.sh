# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/boot: finds a QEMU whose emulated guests can be trusted,
# and says how it should run them on this machine.
#
# QEMU before 10 with one host thread per emulated processor makes a guest jump
# to address 0 when a kprobe is armed while another processor runs that
# function, with the kernel's own probes too. So an older one is used last, and
# then with a single thread.

# Major version of the QEMU that the named command is; empty when there is none
qemu_major()
{
	"$@" --version 2>/dev/null | sed -n '1s/.*version \([0-9]\+\)\..*/\1/p'
}

qemu_build_private()
{
	say "fetching a QEMU of its own for the tests: 20 seconds and 200 MB"
	# mmdebstrap expands $1
	# shellcheck disable=SC2016
	debian_tree "$1" bookworm,bookworm-backports qemu-system-x86,qemu-system-arm --variant=extract \
		--setup-hook='printf "Package: *\nPin: release n=bookworm-backports\nPin-Priority: 500\n" \
			>"$1/etc/apt/preferences.d/backports"'
}

# A QEMU 10 unpacked into the cache, run with the libraries unpacked beside it
qemu_use_private()
{
	local dir lib

	dir=$(cached_dir vm/qemu "$(hash_of "$(declare -f debian_tree qemu_build_private)")" \
		qemu_build_private) || return 1
	lib=x86_64-linux-gnu
	QEMU=(env QEMU_MODULE_DIR="$dir/usr/lib/$lib/qemu"
		"$dir/lib/$lib/ld-linux-x86-64.so.2" --library-path "$dir/lib/$lib:$dir/usr/lib/$lib"
		"$dir/usr/bin/$QEMU_NAME"
		-L "$dir/usr/share/qemu" -L "$dir/usr/share/seabios")
	[ "$(qemu_major "${QEMU[@]}")" -ge 10 ]
}

# Sets QEMU, the command with its first arguments for guests of a tree, QEMU_TCG,
# the way in which it should emulate, QEMU_CPU, which processor, and QEMU_SERIAL,
# what the guest calls its serial lines before their number.
qemu_find()
{
	local major machine

	case $1 in
	*-arm64)
		QEMU_NAME=qemu-system-aarch64
		QEMU_SERIAL=ttyAMA
		QEMU_CPU=cortex-a72
		machine=(-machine virt)
		;;
	*)
		QEMU_NAME=qemu-system-x86_64
		QEMU_SERIAL=ttyS
		QEMU_CPU=max
		machine=()
		;;
	esac
	QEMU=("$QEMU_NAME")
	QEMU_TCG=tcg,thread=multi
	major=$(qemu_major "${QEMU[@]}") || true
	if [ "${major:-0}" -lt 10 ] && ! qemu_use_private; then
		[ -n "$major" ] || die "no $QEMU_NAME: apt-get install qemu-system"
		say "QEMU $major cannot emulate two processors at once reliably: using one thread, which is slower"
		QEMU=("$QEMU_NAME")
		QEMU_TCG=tcg,thread=single
	fi
	QEMU+=("${machine[@]}")
}

# qemu_kvm_works INITRAMFS-DIR: whether a guest reaches user space with KVM.
# A device file says nothing: it may open while no kernel ever starts on it.
# The answer is kept until the host boots again.
qemu_kvm_works()
{
	local answer

	[ -w /dev/kvm ] || return 1
	answer=$WALPF_CACHE/vm/kvm-$(</proc/sys/kernel/random/boot_id)
	if [ ! -f "$answer" ]; then
		rm -f "$WALPF_CACHE"/vm/kvm-*
		timeout -k 1 20 "${QEMU[@]}" -accel kvm -cpu "$QEMU_CPU" -m 512M -nodefaults \
			-no-user-config -no-reboot -display none -serial stdio \
			-kernel "$1/vmlinuz" -initrd "$1/initrd" \
			-append "console=${QEMU_SERIAL}0 panic=-1 walpf.probe" </dev/null 2>&1 |
			grep -q 'walpf: user space reached' && echo yes >"$answer.new" ||
			echo no >"$answer.new"
		mv "$answer.new" "$answer"
	fi
	[ "$(<"$answer")" = yes ]
}

# qemu_accel INITRAMFS-DIR: print the accelerator to use
qemu_accel()
{
	if [ "$QEMU_NAME" = "qemu-system-$(uname -m)" ] && qemu_kvm_works "$1"; then
		echo kvm
	else
		echo "$QEMU_TCG,tb-size=512"
	fi
}
