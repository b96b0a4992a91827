# SPDX-License-Identifier: GPL-2.0-only
#
# How prove shows a run of the tests: as it always does, and once more, at the
# end and before its summary, each failed check with what the test said about
# it. The tail of a log is enough to know what is wrong.
#
# Wants the tests' standard error merged into their output (prove --merge), so
# that a remark follows the check it is about.
package TapReport;

use strict;
use warnings;
use parent 'TAP::Formatter::Console';

# A check compares texts of some lines; a trace of a crash is longer.
use constant LINES_PER_CHECK => 40;

sub open_test
{
	my ($self, $test, $parser) = @_;

	$self->{seen}{$test} = { checks => [], tail => [], inner => [], failed => 0 };
	$parser->callback(ALL => sub { $self->see($self->{seen}{$test}, $_[0]) });
	return $self->SUPER::open_test($test, $parser);
}

sub see
{
	my ($self, $seen, $line) = @_;
	my $text = $line->raw;

	push @{$seen->{tail}}, $text;
	shift @{$seen->{tail}} if @{$seen->{tail}} > LINES_PER_CHECK;
	return see_check($seen, $line) if $line->is_test;
	$self->see_remark($seen, $text) if $line->is_comment || $line->is_unknown;
}

sub see_check
{
	my ($seen, $line) = @_;

	$seen->{failed} = !$line->is_ok;
	push @{$seen->{checks}}, [$line->raw, @{$seen->{inner}}] if $seen->{failed};
	$seen->{inner} = [];
}

# Those behind a failed check are about it. The checks of a Perl subtest,
# indented, come before their own; its name and cmocka's say nothing new.
sub see_remark
{
	my ($self, $seen, $text) = @_;

	return if $text =~ /^# (Subtest: |(not )?ok - )/;
	if ($text =~ /^ +(not ok|ok|1\.\.|#)/) {
		push @{$seen->{inner}}, $text if $1 eq 'not ok' || $1 eq '#';
		return;
	}
	print STDERR "$text\n" unless $self->verbose;
	push @{$seen->{checks}[-1]}, $text if $seen->{failed};
}

sub summary
{
	my ($self, $aggregate, $interrupted) = @_;

	$self->say_failures($_, $aggregate->parsers($_)) for $aggregate->descriptions;
	return $self->SUPER::summary($aggregate, $interrupted);
}

# A test that ended before its plan without a failed check is known by the last
# lines there were.
sub say_failures
{
	my ($self, $test, $parser) = @_;
	my $seen = $self->{seen}{$test};

	return unless $parser->has_problems;
	$self->say_failure($test, @$_) for @{$seen->{checks}};
	$self->say_failure($test, 'ended too early or badly, after', @{$seen->{tail}})
		unless $seen->{failed} || (@{$seen->{checks}} && $parser->is_good_plan);
}

sub say_failure
{
	my ($self, $test, $what, @remarks) = @_;
	my $left_out = @remarks - LINES_PER_CHECK;

	splice @remarks, LINES_PER_CHECK / 2, $left_out, "... $left_out lines more"
		if $left_out > 0;
	s/^(# ?)?/# / for @remarks;
	$self->_output("\n");
	$self->_failure_output("$_\n") for "$test: $what", @remarks;
}

1;
