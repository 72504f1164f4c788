/// Where bytes of a message come from, in the order of how long they may be waited for.
enum ByteSource: Comparable {
    /// Text of the message, or a content in memory: copying it never blocks.
    case memory
    /// A file, which blocks as long as a disk does.
    case file
    /// A stream, which may block for ever.
    case stream
    /// An asynchronous sequence, whose bytes the reader's owner has to bring.
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
