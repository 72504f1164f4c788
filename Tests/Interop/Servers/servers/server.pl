# Reads forms with HTTP::Body. Usage: perl server.pl PORT
use strict;
use warnings;
use Encode qw(decode);
use HTTP::Body;
use HTTP::Daemon;
use HTTP::Response;
use JSON::PP qw(encode_json);
use MIME::Base64 qw(encode_base64);

my $daemon = HTTP::Daemon->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], ReuseAddr => 1) or die $!;

sub part {
    my ($name, $content, $filename, $type) = @_;
    my %texts = (name => $name, filename => $filename, type => $type);
    # HTTP::Body gives bytes, JSON takes text.
    $_ = defined $_ ? decode('UTF-8', $_) : undef for values %texts;
    return { %texts, content => encode_base64($content, '') };
}

sub content_of {
    my ($path) = @_;
    open my $file, '<:raw', $path or die $!;
    local $/;
    return scalar <$file>;
}

sub listed {
    my ($value) = @_;
    return ref $value eq 'ARRAY' ? @$value : ($value);
}

sub parts {
    my ($request) = @_;
    my $body = HTTP::Body->new(scalar $request->header('Content-Type'), length $request->content);
    $body->cleanup(1);
    $body->add($request->content);
    my @parts;
    for my $name (keys %{ $body->param }) {
        push @parts, map { part($name, $_) } listed($body->param->{$name});
    }
    for my $name (keys %{ $body->upload }) {
        push @parts, map { part($name, content_of($_->{tempname}) // '', $_->{filename}, $_->{headers}{'Content-Type'}) }
            listed($body->upload->{$name});
    }
    return \@parts;
}

while (my $connection = $daemon->accept) {
    if (my $request = $connection->get_request) {
        my $parts = eval { parts($request) };
        $connection->send_response(
            $parts
            ? HTTP::Response->new(200, 'OK', undef, encode_json({ version => $HTTP::Body::VERSION, parts => $parts }))
            : HTTP::Response->new(400, 'Bad Request', undef, "$@")
        );
    }
    $connection->close;
}
