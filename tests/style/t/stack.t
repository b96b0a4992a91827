#!/usr/bin/perl
# tier: quick  time: 5s
# SPDX-License-Identifier: GPL-2.0-only
#
# The decoder (kmod/wal/) is fit for a kernel: it includes nothing of its
# surroundings, calls nothing outside but memory functions and the CRC, has no
# recursion, no variable array, no alloca, and needs under 1 kB of stack along
# its deepest path. The call graph and the frames are the compiler's own.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use Test::More;

my $STACK_LIMIT = 1024;
my %OUTSIDE = map { $_ => 1 } qw(memcpy memcmp memset memmove walpf_crc32c);
my $CC = $ENV{CC} || 'gcc';

chdir dirname(abs_path($0)) . '/../../..' or die;
my @sources = sort glob 'kmod/wal/*.c';
plan skip_all => 'kmod/wal/ has no source' unless @sources;

sub slurp {
	my ($file) = @_;
	open my $in, '<', $file or die "$file: $!";
	local $/;
	return scalar <$in>;
}

# Only types.h may look outside, for types and memcpy.
sub foreign_includes {
	my @found;
	for my $file (@sources, glob 'kmod/wal/*.h') {
		for my $name (slurp($file) =~ /^\s*#\s*include\s+(\S+)/mg) {
			next if $file eq 'kmod/wal/types.h';
			next if $name =~ m{^"([a-z0-9_]+\.h)"$} && -e "kmod/wal/$1";
			push @found, "$file: $name";
		}
	}
	return @found;
}

# Compiles all sources and merges what -fcallgraph-info says of them into
# { function => { frame, calls => [...] } }. Static functions carry their file.
sub call_graph {
	my @flags = @_;
	my $dir = tempdir('walpf-stack.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my %graph;
	for my $source (@sources) {
		my $object = "$dir/" . basename($source, '.c') . '.o';
		my @command = ($CC, '-std=gnu11', '-Ikmod', '-Wvla', '-Walloca', '-Werror',
			       '-fno-optimize-sibling-calls', '-fcallgraph-info=su,da',
			       @flags, '-c', $source, '-o', $object);
		if (system(@command) != 0) {
			fail("$source compiles without variable arrays and alloca");
			next;
		}
		read_graph($object =~ s/o$/ci/r, \%graph);
	}
	resolve_pointers(\%graph);
	return \%graph;
}

# A call through a pointer may reach any static function (named file:function)
# that nobody calls by name: why else would it be there.
sub resolve_pointers {
	my ($graph) = @_;
	my %called = map { $_ => 1 } map { @{$_->{calls}} } values %$graph;
	return unless $called{__indirect_call};
	my @reachable = grep { /:/ && !$called{$_} } keys %$graph;
	$graph->{__indirect_call} =
		{ frame => 0, kind => 'static', calls => \@reachable };
}

sub read_graph {
	my ($file, $graph) = @_;
	my $text = slurp($file);
	while ($text =~ /^node: \{ title: "([^"]+)" label: "([^"]*)"/mg) {
		my ($name, $label) = ($1, $2);
		next unless $label =~ /\\n(\d+) bytes \((\S+)\)\\n(\d+) dynamic/;
		$graph->{$name} = { frame => $1, kind => $2, calls => [] };
	}
	while ($text =~ /^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"/mg) {
		push @{$graph->{$1}{calls}}, $2;
	}
}

# Depth first; the path so far shows a cycle. Returns the deepest stack below.
sub deepest {
	my ($graph, $name, $path, $cycles, $memo) = @_;
	if (grep { $_ eq $name } @$path) {
		push @$cycles, join ' > ', @$path, $name;
		return [0];
	}
	my $node = $graph->{$name} or return [0];
	return $memo->{$name} if $memo->{$name};
	my $best = [0];
	for my $callee (@{$node->{calls}}) {
		my $below = deepest($graph, $callee, [@$path, $name], $cycles, $memo);
		$best = $below if $below->[0] > $best->[0];
	}
	my ($bytes, @names) = @$best;
	return $memo->{$name} = [$bytes + $node->{frame}, $name, @names];
}

sub walk {
	my ($graph) = @_;
	my (@cycles, %memo);
	my $worst = [0];
	for my $name (sort keys %$graph) {
		my $path = deepest($graph, $name, [], \@cycles, \%memo);
		$worst = $path if $path->[0] > $worst->[0];
	}
	return ($worst, @cycles);
}

is_deeply([foreign_includes()], [], 'includes nothing but kmod/wal/ headers');

# Unoptimised, every call in the source is a call in the graph.
my $plain = call_graph('-O0');
my ($unused, @cycles) = walk($plain);
is_deeply(\@cycles, [], 'no recursion');
my %outside = map { $_ => 1 } grep { !$plain->{$_} && !$OUTSIDE{$_} }
	map { @{$_->{calls}} } values %$plain;
is_deeply([sort keys %outside], [], 'calls nothing outside but memory functions and the CRC');

my $graph = call_graph('-O2');
ok($graph->{walpf_wal_next}, 'the graph has the decoder in it');
my @dynamic = grep { $graph->{$_}{kind} ne 'static' } sort keys %$graph;
is_deeply(\@dynamic, [], 'every frame has a fixed size');
my ($worst) = walk($graph);
cmp_ok($worst->[0], '<', $STACK_LIMIT, 'the deepest path needs under 1 kB of stack');
note(scalar(keys %$plain) . " functions; deepest path: $worst->[0] bytes");
note('  ' . join ' > ', map { s/^.*://r } @{$worst}[1 .. $#$worst]);
done_testing();
