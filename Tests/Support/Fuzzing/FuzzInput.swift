/// Bytes that a check takes its choices from, front to back; zero after the last.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Bytes that follow their count.
    mutating func run() -> [UInt8] {
        bytes(Int(byte()))
    }

    /// A text that follows its byte count, in UTF-8 with replacement.
    mutating func text() -> String {
        String(decoding: run(), as: UTF8.self)
    }

    /// The bytes that ``run()`` reads as these; at most 255 of them.
    static func run(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8(min(bytes.count, 255))] + bytes.prefix(255)
    }
}
