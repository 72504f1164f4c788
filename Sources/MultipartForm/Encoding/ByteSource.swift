/// Where bytes of a message come from, ordered by how long a read may block.
enum ByteSource: Comparable {
    /// Text of the message, or a content in memory: copying it never blocks.
    case memory
    /// A file, which blocks as long as a disk does.
    case file
    /// A stream, which may block forever.
    case stream
    /// An asynchronous sequence, whose bytes the reader's owner awaits.
    case asynchronous
}

extension BodyContent {
    /// Where the content's bytes come from.
    var source: ByteSource {
        switch self {
        case .data: .memory
        case .file, .fileRange, .temporaryFile: .file
        case .stream, .replayable: .stream
        case .asynchronous: .asynchronous
        }
    }
}
