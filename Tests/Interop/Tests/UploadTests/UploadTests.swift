import Testing

/// These tests count this process's open files, so they run one at a time. They use 127.0.0.1 only.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum UploadTests {}
