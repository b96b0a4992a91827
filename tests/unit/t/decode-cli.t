#!/usr/bin/perl
# tier: quick  time: 20s
# SPDX-License-Identifier: GPL-2.0-only
#
# walpf-ctl decode as a user meets it: options, the exact form of its output,
# how it tells the end of WAL from damage, and one sentence for each kind of
# wrong input. WAL of 1 MB segments is written here, byte by byte; the tool is
# the one with the sanitizers. WAL of real servers: tests/reference.
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep time);

chdir dirname(abs_path($0)) . '/../../..' or die;
my $CTL = getcwd() . '/build/asan/walpf-ctl';
my $KMOD = getcwd() . '/kmod';
my $MANUAL = getcwd() . '/tools/walpf-ctl/walpf-ctl.8';
-x $CTL or die "$CTL is missing: run 'make check-bins'";

my $MB = 1 << 20;
my $PAGE = 8192;
my $MAGIC = 0xD110;		# PostgreSQL 15
my $SYSID = 81985529216486895;

my $dir = tempdir('walpf-cli.XXXXXX', TMPDIR => 1, CLEANUP => 1);
chdir $dir or die;
END { chdir '/' }

# --- WAL, written ------------------------------------------------------------

my @crc_table = map {
	my $c = $_;
	$c = $c & 1 ? 0x82F63B78 ^ ($c >> 1) : $c >> 1 for 1 .. 8;
	$c;
} 0 .. 255;

sub crc32c {
	my ($crc, $bytes) = (0xFFFFFFFF, @_);
	$crc = $crc_table[($crc ^ $_) & 255] ^ ($crc >> 8) for unpack 'C*', $bytes;
	return $crc ^ 0xFFFFFFFF;
}

sub new_wal {
	my (%with) = @_;
	return { start => $with{start} // $MB, bytes => '', prev => 0, tli => 1,
		 magic => $MAGIC, sysid => $SYSID, places => [], %with };
}

sub position { my ($wal) = @_; return $wal->{start} + length $wal->{bytes} }

sub put_page_header {
	my ($wal, $rest) = @_;
	my $lsn = position($wal);
	my $long = $lsn % $MB == 0;
	$wal->{bytes} .= pack 'vvVQ<Vx4', $wal->{magic}, ($rest ? 1 : 0) | ($long ? 2 : 0),
		$wal->{tli}, $lsn, $rest;
	$wal->{bytes} .= pack 'Q<VV', $wal->{sysid}, $MB, $PAGE if $long;
}

# Adds a record, over as many pages as it takes; returns its position.
sub put_record {
	my ($wal, $rmid, $info, $body) = @_;
	my $start = pack('VVQ<CCv', 24 + length $body, 700, $wal->{prev}, $info, $rmid, 0);
	my $left = $start . pack('V', crc32c($body . $start)) . $body;
	put_page_header($wal, 0) if position($wal) % $PAGE == 0;
	my $lsn = position($wal);
	while (length $left) {
		put_page_header($wal, length $left) if position($wal) % $PAGE == 0;
		$wal->{bytes} .= substr $left, 0, $PAGE - position($wal) % $PAGE, '';
	}
	$wal->{bytes} .= "\0" x (-length($wal->{bytes}) % 8);
	$wal->{prev} = $lsn;
	push @{$wal->{places}}, $lsn;
	return $lsn;
}

# A body of main data only, without references
sub main_data { my ($bytes) = @_; return pack('CV', 254, length $bytes) . $bytes }

# A body with one plain reference
sub plain_ref {
	my ($fork, $block, $rel) = @_;
	return pack('CCvVVVV', 0, $fork, 0, 1663, 5, $rel // 16384, $block) . pack('CC', 255, 0);
}

# Heap records whose redo names nothing implied: flags are zero.
sub put_heap { my ($wal, $block) = @_; return put_record($wal, 10, 0, plain_ref(0, $block)) }

# A segment switch; the next record goes into the next segment.
sub put_switch {
	my ($wal) = @_;
	put_record($wal, 0, 0x40, '');
	$wal->{bytes} .= "\0" x (-position($wal) % $MB);
}

# Several pages, all sizes of records, then zeros up to the segment's end
sub sample {
	my $wal = new_wal(@_);
	put_heap($wal, $_) for 0 .. 4;
	put_record($wal, 21, 0, main_data('x' x 20000));
	put_heap($wal, $_) for 5 .. 9;
	return $wal;
}

sub segment_name { my ($tli, $lsn) = @_; return sprintf '%08X%08X%08X', $tli, $lsn >> 32, ($lsn & 0xFFFFFFFF) / $MB }

# Writes the WAL into segment files below $to; returns their paths.
sub write_wal {
	my ($wal, $to) = @_;
	my @paths;
	mkdir $to;
	for (my $at = 0; $at < length $wal->{bytes}; $at += $MB) {
		my $segment = substr $wal->{bytes}, $at, $MB;
		push @paths, "$to/" . segment_name($wal->{tli}, $wal->{start} + $at);
		spew($paths[-1], $segment . "\0" x ($MB - length $segment));
	}
	return @paths;
}

sub spew {
	my ($path, $bytes) = @_;
	open my $out, '>:raw', $path or die "$path: $!";
	print $out $bytes;
	close $out or die "$path: $!";
	return $path;
}

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!";
	local $/;
	return scalar(<$in>) // '';
}

# Changes one byte of a file.
sub damage {
	my ($path, $offset) = @_;
	my $bytes = slurp($path);
	substr($bytes, $offset, 1) ^= "\x55";
	spew($path, $bytes);
}

# --- the tool, run -----------------------------------------------------------

# Returns the exit status, standard output and standard error.
sub ctl {
	my @arguments = @_;
	my $pid = fork // die;
	if (!$pid) {
		open STDOUT, '>', "$dir/out" or die;
		open STDERR, '>', "$dir/err" or die;
		exec $CTL, @arguments or die;
	}
	waitpid $pid, 0;
	my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
	return ($status, slurp("$dir/out"), slurp("$dir/err"));
}

sub lsn { my ($lsn) = @_; return sprintf '%X/%08X', $lsn >> 32, $lsn & 0xFFFFFFFF }

# Runs decode and expects a status and one line on standard error
sub decode_ends {
	my ($text, $want_status, $want_err, @arguments) = @_;
	my ($status, $out, $err) = ctl('decode', @arguments);
	subtest $text => sub {
		is($status, $want_status, 'exit status');
		like($err, qr/\Awalpf-ctl: decode: [^\n]*$want_err[^\n]*\n\z/, 'one sentence');
	};
	return $out;
}

sub jq {
	my ($filter) = @_;
	my $out = qx(jq -c '$filter' $dir/out 2>&1);
	chomp $out;
	return $? ? "jq: $out" : $out;
}

# --- tests -------------------------------------------------------------------

sub test_usage {
	my ($status, $out, $err) = ctl();
	is("$status|$err", '0|', 'no command: help');
	like($out, qr/^  decode +\S/m, 'the help lists the commands');
	is_deeply([ctl('--help')], [0, $out, ''], '--help prints the same');
	($status, $out, $err) = ctl('version');
	like($out, qr/\Awalpf-ctl \d+\.\d+\S*\nmodule /, 'version');
	($status, $out, $err) = ctl('decode', '--help');
	is("$status|$err", '0|', 'decode --help');

	my %wrong = (
		'unknown command' => [['nonsense'], 'nonsense: unknown command'],
		'unknown option before a command' => [['--nonsense'], '--nonsense: unknown option'],
		'no path' => [['decode'], 'name segment files or a pg_wal directory'],
		'unknown option' => [['decode', '--nonsense', 'x'], '--nonsense: unknown'],
		'unknown letter' => [['decode', '-q', 'x'], '-q: unknown'],
		'argument missing' => [['decode', 'x', '--start'], '--start: the argument is missing'],
		'argument too many' => [['decode', '--refs=1', 'x'], '--refs=1: '],
		'no position' => [['decode', '--start', '12', 'x'], '12: --start takes a position'],
		'a bad position' => [['decode', '-e', '0/123456789', 'x'], '0/123456789: --end takes'],
		'no hexadecimal' => [['decode', '-e', '0/0x12', 'x'], '0/0x12: --end takes'],
		'range upside down' => [['decode', '-s', '0/2', '-e', '0/1', 'x'], '--end must be behind'],
		'two forms' => [['decode', '--refs', '--stats', 'x'], '--refs and --stats exclude'],
		'all without stats' => [['decode', '--all', 'x'], '--all is for --stats'],
		'version with argument' => [['version', 'x'], 'x: takes no argument'],
	);
	for my $text (sort keys %wrong) {
		my ($arguments, $want) = @{$wrong{$text}};
		($status, $out, $err) = ctl(@$arguments);
		is("$status|$out", '2|', "$text: status 2, no output");
		like($err, qr/\Awalpf-ctl: .*\Q$want\E.*: try 'walpf-ctl .*--help'\n\z/, "$text: said");
	}
}

# One record with every kind of reference that is printed
sub every_reference {
	my $image = "\1" x 8192;
	my @blocks = (
		# id, fork and flags, data length, image header, relation, block
		pack('CCvvvCVVVV', 0, 0x10, 0, 8192, 0, 0x02, 1663, 5, 16384, 7),
		pack('CCvvvCV', 1, 0x90, 0, 8192, 0, 0, 8),
		pack('CCvVVVV', 2, 0x41, 0, 1664, 0, 1260, 0),
		pack('CCvVVVV', 3, 0x03, 0, 4000000000, 4000000001, 4000000002, 4294967294),
		pack('CCvV', 9, 0x82, 0, 0),
	);
	return join('', @blocks) . pack('CC', 255, 0) . $image . $image;
}

sub test_form {
	my $wal = new_wal();
	my $first = put_heap($wal, 3);
	my $second = put_record($wal, 131, 0xA1, every_reference());
	# A lock of a heap row that clears the visibility map: flags at 7
	my $third = put_record($wal, 10, 0x60, pack('CCvVVVV', 0, 0, 0, 1663, 5, 16384, 40000) .
		pack('CC', 255, 8) . "\0" x 7 . "\1");
	my ($file) = write_wal($wal, 'form');

	my $length = 24 + length every_reference();
	my ($status, $out, $err) = ctl('decode', $file);
	is($status, 0, 'records');
	is($out, join('', map { join("\t", @$_) . "\n" }
		[lsn($first), 46, 'Heap', '00', '0/00000000', '1663/5/16384 main 3 -'],
		[lsn($second), $length, 'custom131', 'A1', lsn($first),
		 '1663/5/16384 main 7 image,apply', '1663/5/16384 main 8 image',
		 '1664/0/1260 fsm 0 init',
		 '4000000000/4000000001/4000000002 init 4294967294 -',
		 '4000000000/4000000001/4000000002 vm 0 -'],
		[lsn($third), 54, 'Heap', '60', lsn($second),
		 '1663/5/16384 main 40000 -', '1663/5/16384 vm 1 implied']),
		'their form');
	($status, $out) = ctl('decode', '-r', $file);
	is($out, join('', map { join("\t", @$_) . "\n" }
		[lsn($first), '1663/5/16384', 'main', 3, '-'],
		[lsn($second), '1663/5/16384', 'main', 7, 'image,apply'],
		[lsn($second), '1663/5/16384', 'main', 8, 'image'],
		[lsn($second), '1664/0/1260', 'fsm', 0, 'init'],
		[lsn($second), '4000000000/4000000001/4000000002', 'init', 4294967294, '-'],
		[lsn($second), '4000000000/4000000001/4000000002', 'vm', 0, '-'],
		[lsn($third), '1663/5/16384', 'main', 40000, '-'],
		[lsn($third), '1663/5/16384', 'vm', 1, 'implied']), 'form of references');

	ctl('decode', '--json', $file);
	is(jq('.records[2]'), '{"lsn":"' . lsn($third) . '","length":54,"rmgr":"Heap","info":96,' .
		'"prev":"' . lsn($second) . '","xid":700,"refs":[{"tablespace":1663,"database":5,' .
		'"relation":16384,"fork":"main","block":40000,"flags":[]},{"tablespace":1663,' .
		'"database":5,"relation":16384,"fork":"vm","block":1,"flags":["implied"]}]}',
		'records as JSON');
	ctl('decode', '--refs', '--json', $file);
	is(jq('[.refs[].flags | join(",")] | join(" ")'), '" image,apply image init    implied"',
		'references as JSON');
	test_stats($file);
}

sub test_stats {
	my ($file) = @_;
	ctl('decode', '--stats', '--json', $file);
	is(jq('.summary | [.records, .references, .relations, .blocks, .block_bytes, .to_read]'),
		'[3,8,3,8,65536,6]', 'summary');
	is(jq('[.rmgrs[] | [.rmgr, .records, .references]]'),
		'[["Heap",2,3],["custom131",1,5]]', 'by resource manager');
	is(jq('[.classes[] | [.class, .references]]'),
		'[["image",1],["init",1],["ignored",0],["plain",5],["implied",1]]', 'by class');
	is(jq('.relations[0]'), '{"relation":"1663/5/16384","references":5,"image":1,"init":0,' .
		'"ignored":0,"plain":3,"implied":1,"blocks":5,"to_read":4,"bytes":40960}',
		'by relation');
	my ($status, $out) = ctl('decode', '--stats', $file);
	like($out, qr/^8 references to 8 distinct blocks .* of 3 relations$/m, 'summary as text');
	like($out, qr/^RELATION .* TO-READ +BYTES\n1663\/5\/16384 +5 +1 +0 +0 +3 +1 +5 +4 +40960$/m,
		'a table as text');
}

# More relations and blocks than the first size of any table
sub test_many {
	my $wal = new_wal();
	put_record($wal, 10, 0, plain_ref(0, $_ * 64, 20000 + $_ % 1100)) for 0 .. 5999;
	my ($file) = write_wal($wal, 'many');
	my ($status, $out) = ctl('decode', '--stats', $file);
	like($out, qr/^6000 references to 6000 distinct blocks .* of 1100 relations$/m, 'many blocks');
	like($out, qr/^\.\.\. and 1080 relations/m, 'the top relations');
	($status, $out) = ctl('decode', '--stats', '--all', $file);
	is(scalar(() = $out =~ /^1663\/5\/2/mg), 1100, 'all relations');
}

sub test_range {
	my $wal = sample();
	my ($file) = write_wal($wal, 'range');
	my @places = @{$wal->{places}};
	my $cut = sub {
		my ($status, $out) = ctl('decode', @_, $file);
		return join ' ', $status, map { (split /\t/)[0] } split /\n/, $out;
	};
	my $want = sub { return join ' ', 0, map { lsn($_) } @_ };
	is($cut->(), $want->(@places), 'all records');
	is($cut->('--start', lsn($places[2])), $want->(@places[2 .. $#places]), 'from a record');
	is($cut->('--start', lsn($places[2] + 1)), $want->(@places[3 .. $#places]), 'from behind one');
	is($cut->('--start', lsn($places[5] + 9000)), $want->(@places[6 .. $#places]),
		'from a page that one record covers');
	is($cut->('--end', lsn($places[3])), $want->(@places[0 .. 2]), 'up to a record');
	is($cut->('--end', lsn($places[3] - 1)), $want->(@places[0 .. 2]),
		'the padding behind a record does not count');
	is($cut->('--end', lsn($places[3] - 3)), $want->(@places[0 .. 1]), 'up to the middle of one');
	is($cut->('-s', lsn($places[1]), '-e', lsn($places[2])), $want->($places[1]), 'one record');
	decode_ends('a range elsewhere', 1, 'no file given has WAL of that range \(.*from 0/00100000',
		'--start', '0/5000000', $file);
	ctl('decode', '-j', '-s', lsn($places[-1] + 8), $file);
	is(jq('.'), '{"records":[]}', 'JSON of no records');
}

# Each with the sentence's core and the status
sub test_ends {
	my ($file) = write_wal(sample(), 'ends');
	my $whole = slurp($file);
	my @places = @{sample()->{places}};
	my ($out, $tail);
	my $all = (ctl('decode', $file))[1];

	$out = decode_ends('nothing more', 0, 'end of WAL: no record begins here', $file);
	is($out, $all, 'all records are printed');

	# What a walreceiver leaves: garbage behind the last record, stale pages
	my $stale = sample(start => 3 * $MB)->{bytes};
	$stale .= "\0" x (-length($stale) % $PAGE);
	$tail = $whole;
	my $end = length sample()->{bytes};
	substr($tail, $end) = substr $stale x 50, $end, $MB - $end;
	spew($file, $tail);
	$out = decode_ends('garbage and stale pages behind', 0, ': end of WAL: ', $file);
	is($out, $all, 'all records are printed');

	$tail = $whole;
	substr($tail, $places[-1] - $MB + 20, 1) ^= "\1";
	spew($file, $tail);
	decode_ends('a bad CRC at the tail', 0, "end of WAL: the record's CRC is wrong", $file);

	$tail = $whole;
	substr($tail, $places[1] - $MB + 30, 1) ^= "\1";
	spew($file, $tail);
	$out = decode_ends('a bad CRC in the middle', 1, "damaged: the record's CRC is wrong, but " .
		'WAL goes on at 0/00102000: take \S+/000000010000000000000001 from another copy', $file);
	is(scalar(split /\n/, $out), 1, 'the records before it are printed');

	spew($file, $whole);
	damage($file, 2 * $PAGE);
	decode_ends('a damaged page', 1, 'is damaged or of other WAL', $file);

	$tail = $whole;
	substr($tail, $PAGE, $PAGE) = "\0" x $PAGE;
	spew($file, $tail);
	decode_ends('a lost page', 1, 'damaged: the page was never written, but WAL goes on', $file);

	ctl('decode', '--json', $file);
	is(jq('.records | length'), 5, 'JSON is valid, also before damage');
}

sub test_files {
	my $wal = new_wal();
	for (0 .. 3) {
		put_heap($wal, $_);
		put_switch($wal);
	}
	my @files = write_wal($wal, 'files');
	my $all = decode_ends('adjoining files', 0, '0/00500000: end of the WAL given', @files);
	is(scalar(split /\n/, $all), 8, 'records of all of them');
	my ($status, $out, $err) = ctl('decode', @files[0, 1, 3]);
	is($status, 0, 'a gap');
	like($err, qr/4: does not adjoin files\/0{7}10{15}2: decoding begins anew/, 'is noted');
	is(scalar(split /\n/, $out), 6, 'and passed over');
	is((ctl('decode', 'files'))[1], $all, 'a directory');
	spew("files/$_", 'x') for qw(xlogtemp.1 00000001.history 000000010000000000000009.partial
		000000010000000000000001.00000028.backup);
	is((ctl('decode', 'files/'))[1], $all, 'other files in it are passed over');

	spew('files/' . segment_name(1, 6 * $MB), slurp($files[0]));
	spew('files/' . segment_name(1, 7 * $MB), "\0" x $MB);
	($status, $out, $err) = ctl('decode', 'files');
	like($err, qr/000006: decoding begins here, behind a gap/, 'behind a gap');
	like($err, qr/000006: holds no WAL of its own at 0\/00600000: the page is stale/, 'no WAL');
	is($status, 1, 'there is a recycled segment');
	spew('files/' . segment_name(1, 5 * $MB), slurp($files[1]));
	is((ctl('decode', 'files'))[1], $all, 'recycled and new segments behind the last');

	rename $files[3], 'renamed.wal';
	is((ctl('decode', 'renamed.wal'))[1], join('', (split /^/, $all)[6, 7]), 'any file name');
	rename 'renamed.wal', "$files[3].partial";
	decode_ends('a partial file', 0, 'end of the WAL given', "$files[3].partial");
}

# Timeline 2 begins in the middle of segment 2; timeline 3 is not its ancestor.
sub test_timelines {
	my $old = new_wal();
	put_heap($old, 1);
	put_switch($old);
	put_heap($old, 2);
	my $new = { %$old, tli => 4, places => [@{$old->{places}}] };
	put_heap($old, 99) for 1 .. 300;
	write_wal($old, 'timelines');
	put_heap($new, 3);
	$new->{bytes} = substr $new->{bytes}, $MB;
	$new->{start} += $MB;
	write_wal($new, 'timelines');
	my $other = new_wal(tli => 3);
	put_heap($other, 77);
	write_wal($other, 'timelines');
	spew('timelines/00000004.history', "1\t0/200100\tno reason\n");
	my ($status, $out) = ctl('decode', 'timelines');
	is(join(' ', map { /main (\d+)/ } split /\n/, $out), '1 2 3', 'the newest timeline');
}

sub test_bad_input {
	my ($file) = write_wal(sample(), 'bad');
	my $whole = slurp($file);
	my $patched = sub {
		my ($offset, $bytes) = @_;
		my $copy = $whole;
		substr($copy, $offset, length $bytes) = $bytes;
		return $copy;
	};
	my @bad = (
		['empty', '', 'is empty'],
		['too short for a header', substr($whole, 0, 39), 'has only 39 bytes'],
		['text', "no WAL at all\n" x 1000, 'is no WAL segment of a known PostgreSQL version'],
		['compressed', "\xFD7zXZ\0" . 'x' x 100, 'uncompressed'],
		['zero', "\0" x $MB, 'no WAL was ever written'],
		['zero, of no size', "\0" x 12345, 'no WAL was ever written'],
		['unknown version', $patched->(0, "\xFF\xD1"), 'known PostgreSQL version .*D1FF'],
		['other byte order', $patched->(0, "\xD1\x10"), 'other byte order'],
		['a later page first', substr($whole, $PAGE), 'whole segment file'],
		['page size', $patched->(36, pack 'V', 16384), 'pages of 16384 bytes'],
		['segment size', $patched->(32, pack 'V', 12345), 'is damaged: .*12345 bytes'],
		['address', $patched->(8, pack 'Q<', $MB + 8), 'is damaged: .*0/00100008'],
		['too long', $whole . 'x', 'is longer'],
		['truncated', substr($whole, 0, 3 * $PAGE + 100), 'is truncated: it has 24676 of'],
		['truncated to a page', substr($whole, 0, $PAGE), 'is truncated'],
		['truncated header', substr($whole, 0, $PAGE + 7), 'is truncated'],
		['truncated behind its end', substr($whole, 0, $MB / 2), 'is truncated'],
	);
	for my $case (@bad) {
		my ($text, $bytes, $want) = @$case;
		spew('foreign', $bytes);
		decode_ends($text, 1, "foreign: .*$want", 'foreign');
	}
	decode_ends('missing', 1, 'absent: does not exist', 'absent');
	decode_ends('a device', 1, 'is no file', '/dev/null');
	mkdir 'nothing';
	decode_ends('an empty directory', 1, 'is no WAL directory', 'nothing');
	mkdir 'nothing/pg_wal';
	decode_ends('a data directory', 1, 'is a data directory: give its pg_wal', 'nothing');
	spew('nothing/pg_wal/' . '0' x 24, "\0" x $MB);
	decode_ends('a new directory', 1, 'none of its segments', 'nothing/pg_wal');
	decode_ends('of several files one', 1, 'absent: does not exist', $file, 'absent');
	my (undef, $out, $err) = ctl('decode', '-j', 'absent');
	is($out, '', 'no half document');

	my ($other) = write_wal(sample(start => 2 * $MB, sysid => 4711), 'other');
	my $switched = new_wal();
	put_switch($switched);
	my ($one) = write_wal($switched, 'switched');
	decode_ends('of another system', 1, 'another database system', $one, $other);
	SKIP: {
		skip 'root may read everything', 1 if $> == 0;
		chmod 0, $file;
		decode_ends('unreadable', 1, 'may not be read', $file);
	}
	return;
}

sub test_output_lost {
	my ($file) = write_wal(sample(), 'lost');
	for my $form ('decode', 'decode -z', 'decode -j', '--help') {
		my $err = qx($CTL $form $file 2>&1 >/dev/full);
		is($? >> 8, 1, "$form to a full disk");
		like($err, qr/standard output: cannot be written/, 'is said');
	}
}

# Known by its table only, so a note goes before
sub test_untested_version {
	my ($file) = write_wal(sample(magic => 0xD10D), 'old');
	my ($status, $out, $err) = ctl('decode', $file, $file);
	is($status, 0, 'PostgreSQL 14');
	is(scalar(() = $err =~ /PostgreSQL 14: .*without having been tested/g), 1, 'is noted once');
}

sub wait_for {
	my ($check) = @_;
	my $deadline = time + 20;
	until ($check->()) {
		return 0 if time > $deadline;
		sleep 0.02;
	}
	return 1;
}

# Writes in place, as a server does.
sub overwrite {
	my ($path, $bytes) = @_;
	open my $out, '+<:raw', $path or die "$path: $!";
	print $out $bytes;
	close $out;
}

sub test_follow {
	my $wal = new_wal();
	put_heap($wal, 1);
	my ($file) = write_wal($wal, 'follow');
	spew('followed', '');
	my $pid = fork // die;
	if (!$pid) {
		open STDOUT, '>', 'followed' or die;
		open STDERR, '>', 'followed.err' or die;
		exec $CTL, 'decode', '--follow', 'follow' or die;
	}
	my $seen = sub {
		my ($want) = @_;
		return wait_for(sub {
			join(' ', map { /main (\d+)/ } split /\n/, slurp('followed')) eq $want
		});
	};
	ok($seen->('1'), 'what is there');
	put_heap($wal, 2);
	overwrite($file, $wal->{bytes});
	ok($seen->('1 2'), 'a record more');
	put_record($wal, 21, 0, main_data('x' x 20000));
	put_heap($wal, 3);
	overwrite($file, substr $wal->{bytes}, 0, 2 * $PAGE);
	overwrite($file, $wal->{bytes});
	ok($seen->('1 2 3'), 'one that is written in pieces');
	put_switch($wal);
	put_heap($wal, 4);
	overwrite($file, substr $wal->{bytes}, 0, $MB);
	spew('next', substr($wal->{bytes}, $MB) . "\0" x (-length($wal->{bytes}) % $MB));
	rename 'next', 'follow/' . segment_name(1, 2 * $MB);
	ok($seen->('1 2 3 4'), 'the next segment');
	my $promoted = { %$wal };
	put_heap($promoted, 5);
	spew('next', substr($promoted->{bytes}, $MB) . "\0" x (-length($promoted->{bytes}) % $MB));
	rename 'next', 'follow/' . segment_name(2, 2 * $MB);
	ok($seen->('1 2 3 4 5'), 'a newer timeline');
	kill INT => $pid;
	waitpid $pid, 0;
	is($?, 0, 'ends by a signal');
	is(slurp('followed.err'), '', 'and says nothing');
}

# Any change of a byte, any cut: never a crash, never an unknown status.
sub test_mutations {
	my ($file) = write_wal(sample(), 'mutations');
	my $whole = substr slurp($file), 0, 5 * $PAGE;
	my ($bad, %seen) = (0);
	srand 1;
	for (1 .. 120) {
		my $copy = $whole . "\0" x ($MB - length $whole);
		substr($copy, int rand($_ % 3 ? length $whole : 40), 1) = chr int rand 256;
		substr($copy, int rand length $whole) = '' if $_ % 5 == 0;
		spew($file, $copy);
		my ($status, undef, $err) = ctl('decode', ('-z', '-r', '-j')[$_ % 3], $file);
		$seen{$status}++;
		next if $status =~ /^[01]$/ && $err !~ /Sanitizer|runtime error/;
		$bad++;
		diag("status $status: $err");
	}
	is($bad, 0, 'no crash and no other status with changed bytes');
	note(join ', ', map { "status $_: $seen{$_}" } sort keys %seen);
}

# First arguments in the module's lists; states go by their word.
sub module_names {
	my $text = join '', map { slurp("$KMOD/$_") } qw(stats.h cluster.h);
	my @lists = $text =~ /#define WALPF_(?:COUNTERS|GAUGES|STATES|SETTINGS)\(X\)(.*?)\n\n/sg;
	return map { /\bX\((?:[A-Z]+, ")?(\w+)/g } @lists;
}

sub test_manual {
	my $manual = slurp($MANUAL);
	my $lint = qx(mandoc -Tlint -Wwarning $MANUAL 2>&1);
	is($lint, '', 'the manual has no error of form');
	my @commands = (ctl('--help'))[1] =~ /^  ([a-z]+) /mg;
	my @missing = grep { $manual !~ /^\.It Cm $_$/m } @commands;
	is("@missing", '', 'it has all commands');
	my %options = map { $_ => 1 } map { (ctl($_, '--help'))[1] =~ /^  -., --([a-z-]+)/mg }
		@commands;
	@missing = grep { $manual !~ /^\.It Fl . , -\Q$_\E\b/m } sort keys %options;
	is("@missing", '', 'all options');
	@missing = grep { $manual !~ /^\.It (?:Li|Cm) $_\b/m } module_names();
	is("@missing", '', 'all states, counters, gauges and settings of the module');
	my %known = map { $_ => 1 } module_names();
	my ($counters) = $manual =~ /^\.Ss Counters(.*?)^\.El/ms;
	is(join(' ', grep { !$known{$_} } $counters =~ /^\.It Li (\w+)$/mg), '', 'no others');
	is_deeply([$manual =~ /^\.Sh EXIT STATUS.*?^\.El/ms ? $& =~ /^\.It (\d)$/mg : ()],
		[0 .. 4], 'and all exit statuses');
}

sub test_completion {
	my $file = dirname($MANUAL) . '/completion/walpf-ctl';
	my $complete = sub {
		my $words = join ' ', map { "'$_'" } @_;
		my $out = qx(bash -c '. $file; COMP_WORDS=($words); COMP_CWORD=\$((\${#COMP_WORDS[@]} - 1)); _walpf_ctl $CTL "\${COMP_WORDS[COMP_CWORD]}"; echo "\${COMPREPLY[*]}"' 2>&1);
		chomp $out;
		return $out;
	};
	is($complete->('walpf-ctl', 'dec'), 'decode', 'completes commands');
	is($complete->('walpf-ctl', 'decode', '--st'), '--stats --start', 'completes options');
}

subtest 'usage' => \&test_usage;
subtest 'form of the output' => \&test_form;
subtest 'large tables' => \&test_many;
subtest 'ranges' => \&test_range;
subtest 'end of WAL and damage' => \&test_ends;
subtest 'files and directories' => \&test_files;
subtest 'timelines' => \&test_timelines;
subtest 'bad input' => \&test_bad_input;
subtest 'lost output' => \&test_output_lost;
subtest 'untested version' => \&test_untested_version;
subtest 'following' => \&test_follow;
subtest 'changed bytes' => \&test_mutations;
subtest 'manual' => \&test_manual;
subtest 'completion' => \&test_completion;
done_testing();
