#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
#
# The last lines of a run of the tests say which checks failed and why, and
# then how many tests there were: a log of which only its tail is kept will do.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# sample NAME: a test made of tap.sh and standard input
sample()
{
	{
		echo "#!/bin/bash"
		echo "set -euo pipefail; . tests/lib/tap.sh"
		cat
	} >"$dir/$1.t"
	chmod +x "$dir/$1.t"
}

# The run of all samples, from its first failure told again
report()
{
	PERL5LIB=tests/lib prove --merge --formatter TapReport --exec '' "$dir"/*.t 2>&1 |
		sed -n "\\|^$dir/[a-z]*\\.t: |,\$p" || true
}

sample right <<-'END'
	pass "right"
	diag "a remark that nobody needs"
	done_testing
END
sample wrong <<-'END'
	pass "right"
	diag "a remark before"
	is "one" "two" "they are equal"
	pass "right again"
	diag "a remark behind"
	try "it lists" bash -c "seq 1000; false"
	done_testing
END
sample dies <<-'END'
	pass "right"
	echo "what it said last" >&2
	false
	done_testing
END
sample killed <<-'END'
	pass "right"
	kill -9 $$
END

report=$(report)
like "$report" "wrong.t: not ok 2 - they are equal"$'\n'"# failed: .* \(wrong.t line 5\)"$'\n'"\
# got:  one"$'\n'"# want: two"$'\n'$'\n' "a failed check is told with its file and remarks"
like "$report" "wrong.t: not ok 4 - it lists" "so is the second of one test"
like "$report" $'\n'"# 1000"$'\n' "long remarks are told to their end"
ok "$(($(wc -l <<<"$report") > 100))" "but not all of them"
like "$report" "dies.t: .*"$'\n'"# what it said last"$'\n' \
	"a test that dies is told with its last lines"
like "$report" "killed.t: " "so is one that is killed"
is "$(grep -c -e "right" -e "a remark" <<<"${report%%Test Summary Report*}")" 2 \
	"what passed is told as the last line of tests that died, and else not"
like "$report" $'\nFiles=4, Tests=7, .*\nResult: FAIL'$'$' "prove's count of tests is at the end"
done_testing
