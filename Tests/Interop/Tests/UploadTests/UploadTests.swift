import Testing

/// Everything here talks to 127.0.0.1 and counts this process's open files, so that one test runs at a time.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum UploadTests {}
