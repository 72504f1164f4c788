/// Rules for a part's header section besides its grammar, shared by everything that reads one.
struct HeaderRules: Sendable {
    enum Field: Sendable {
        case disposition
        case contentType
        case transferEncoding
        case other
    }

    let options: MultipartParser.Options
    let isNested: Bool

    var mode: ParsingMode { options.mode }

    /// Whether a section must have a Content-Disposition (RFC 7578 §4.2).
    var requiresDisposition: Bool { mode == .strict && !isNested }

    /// Whether a section may have several Content-Type fields, of which parsers may use different ones.
    var allowsRepeatedContentType: Bool { mode == .lenient }

    /// Whether a transfer encoding is allowed: in strict mode only one that keeps the bytes (RFC 2045 §6.2).
    func allowsTransferEncoding(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        mode == .lenient || ASCII.matches(bytes, value, "binary") || ASCII.matches(bytes, value, "8bit")
            || ASCII.matches(bytes, value, "7bit")
    }

    /// The field with a name, letter case ignored.
    @inline(__always)
    static func field(named name: Range<Int>, _ bytes: Span<UInt8>) -> Field {
        switch name.count {
        case 12 where ASCII.isFieldName(bytes, name, "Content-Type", "content-type"):
            .contentType
        case 19 where ASCII.isFieldName(bytes, name, "Content-Disposition", "content-disposition"):
            .disposition
        case 25 where ASCII.isFieldName(bytes, name, "Content-Transfer-Encoding", "content-transfer-encoding"):
            .transferEncoding
        default:
            .other
        }
    }
}
