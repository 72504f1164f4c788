import MultipartFormCodec

/// The input of a parse case: messages of equal length, one after the other.
struct ParseInput {
    /// The boundary of every message, of the length and shape that browsers send.
    static let boundaryText = "----FormBoundary7MA4YWxkTrZu0gW9xQ2bLk"

    /// The messages.
    let bytes: [UInt8]
    /// The length of each message, in bytes.
    let messageLength: Int
    /// The parts of all messages.
    let parts: Int
    /// The header fields of all messages.
    let headerFields: Int

    /// Creates an input of `count` copies of a message.
    init(_ message: MessageWriter, count: Int = 1) {
        messageLength = message.bytes.count
        parts = message.parts * count
        headerFields = message.headerFields * count
        guard count > 1 else {
            bytes = message.bytes
            return
        }
        var copies: [UInt8] = []
        copies.reserveCapacity(message.bytes.count * count)
        for _ in 0..<count { copies.append(contentsOf: message.bytes) }
        bytes = copies
    }

    /// Creates an input from bytes whose parts are not known.
    init(bytes: [UInt8], messageLength: Int) {
        self.bytes = bytes
        self.messageLength = messageLength
        parts = 0
        headerFields = 0
    }

    /// The number of messages.
    var messageCount: Int { bytes.count / messageLength }

    /// The ranges of one message's chunks, from the first to the last.
    func chunks(ofMessage index: Int, size: Int) -> [Range<Int>] {
        let start = index * messageLength
        return stride(from: start, to: start + messageLength, by: size).map {
            $0..<min($0 + size, start + messageLength)
        }
    }
}
