# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run in a guest, after lib.sh: registered clusters and
# what the module tells of them, by the name they are registered under.

WALPF_CTL=/share/in/walpf-ctl
WALPF_SYS=/sys/kernel/walpf

# walpf_register NAME PGDATA
walpf_register()
{
	"$WALPF_CTL" register --name "$1" "$2" >/dev/null
}

walpf_unregister()
{
	"$WALPF_CTL" unregister "$1"
}

# walpf_gauge NAME GAUGE
walpf_gauge()
{
	cat "$WALPF_SYS/clusters/$1/$2"
}

# walpf_counter NAME COUNTER
walpf_counter()
{
	cat "$WALPF_SYS/clusters/$1/stats/$2"
}

# walpf_state_is NAME STATE...: one of these
walpf_state_is()
{
	local state

	state=$(walpf_gauge "$1" state)
	[[ " ${*:2} " = *" $state "* ]]
}

# No startup process, nothing open, nothing to be done
walpf_holds_nothing()
{
	local gauges

	gauges=$(cd "$WALPF_SYS/clusters/$1" && cat startup_pid held_files queued inflight | paste -sd' ')
	[ "$gauges" = "0 0 0 0" ]
}

walpf_is_disarmed()
{
	! grep -qx armed "$WALPF_SYS"/probes/*/state
}

walpf_is_at_rest()
{
	walpf_holds_nothing "$1" && walpf_is_disarmed
}

# walpf_show NAME TEXT: a remark with the text and all counters that are not 0
walpf_show()
{
	diag "$2;" "$(cd "$WALPF_SYS/clusters/$1/stats" && grep -H . -- * | grep -v ':0$' | tr ':\n' '= ')"
}
