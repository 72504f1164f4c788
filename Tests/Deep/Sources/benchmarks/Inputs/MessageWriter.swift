/// Writes the messages that are parsed, without the library under test.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var parts = 0
    private(set) var headerFields = 0
    private let delimiter: [UInt8]

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - boundary: The boundary's text.
    ///   - capacity: The approximate length of the message, in bytes.
    init(boundary: String, capacity: Int) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        bytes.reserveCapacity(capacity)
    }

    /// Appends a part.
    ///
    /// - Parameters:
    ///   - headers: The header fields, one line each.
    ///   - pattern: The bytes that the body repeats.
    ///   - count: The body's length in bytes; the pattern's unless given.
    mutating func append(headers: [String], repeating pattern: [UInt8], count: Int? = nil) {
        bytes.append(contentsOf: parts == 0 ? delimiter[2...] : delimiter[...])
        for header in headers {
            bytes.append(contentsOf: [0x0D, 0x0A])
            bytes.append(contentsOf: header.utf8)
        }
        bytes.append(contentsOf: [0x0D, 0x0A, 0x0D, 0x0A])
        var rest = count ?? pattern.count
        while rest > 0 {
            bytes.append(contentsOf: pattern.prefix(rest))
            rest -= min(rest, pattern.count)
        }
        parts += 1
        headerFields += headers.count
    }

    /// Ends the message.
    mutating func finish() {
        bytes.append(contentsOf: delimiter)
        bytes.append(contentsOf: "--\r\n".utf8)
    }
}
