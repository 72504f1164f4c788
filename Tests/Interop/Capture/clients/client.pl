# Sends the forms with LWP and HTTP::Request::Common. Usage: perl client.pl ADDRESS FORMS
use strict;
use warnings;
use HTTP::Request::Common qw(POST);
use LWP::UserAgent;
use MIME::Base64 qw(decode_base64);

my ($address, $path) = @ARGV;
print "version\t$LWP::UserAgent::VERSION\n";
my (@ids, %forms);
open my $lines, '<', $path or die $!;
while (my $line = <$lines>) {
    chomp $line;
    my ($id, $kind, @words) = split /\t/, $line, -1;
    my ($name, $filename, $type, $content) = map { decode_base64($_) } @words;
    push @ids, $id unless $forms{$id};
    my $value = $kind eq 'file' ? [undef, $filename, Content_Type => $type, Content => $content] : $content;
    push @{ $forms{$id} }, $name, $value;
}
my $agent = LWP::UserAgent->new(timeout => 30);
for my $id (@ids) {
    my $response = $agent->request(POST "$address/$id", Content_Type => 'form-data', Content => $forms{$id});
    die $response->status_line unless $response->is_success;
}
