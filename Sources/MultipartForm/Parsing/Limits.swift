/// What a message may cost its reader.
///
/// All limits are inclusive, and each is enforced as bytes arrive, before anything is buffered. None of them makes
/// the parser buffer more than a header section, so bodies may be unlimited where they are streamed.
public struct Limits: Sendable, Hashable {
    /// The most parts a message may have; 1000 unless set.
    public var maxParts: Int
    /// The most header lines a part may have, continuation lines included; 32 unless set.
    public var maxHeaderCount: Int
    /// The longest header section of a part, in bytes, with its line breaks and its blank line; 16 KiB unless set.
    ///
    /// The white space after a delimiter has the same bound.
    public var maxHeaderBytes: Int
    /// The longest preamble before the first delimiter, in bytes; 64 KiB unless set.
    public var maxPreambleBytes: Int
    /// The longest body of one part, in bytes; nil, the default, for no limit.
    public var maxPartBytes: UInt64?
    /// The longest message, in bytes, from its first to its last; nil, the default, for no limit.
    ///
    /// What follows the close delimiter counts, so that the error may come behind ``MultipartParser/Event/end``.
    public var maxTotalBytes: UInt64?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maxParts: The most parts of a message.
    ///   - maxHeaderCount: The most header lines of a part.
    ///   - maxHeaderBytes: The longest header section, in bytes; at most 2 GiB.
    ///   - maxPreambleBytes: The longest preamble, in bytes.
    ///   - maxPartBytes: The longest body of a part, in bytes; nil for no limit.
    ///   - maxTotalBytes: The longest message, in bytes; nil for no limit.
    public init(
        maxParts: Int = 1000,
        maxHeaderCount: Int = 32,
        maxHeaderBytes: Int = 16 * 1024,
        maxPreambleBytes: Int = 64 * 1024,
        maxPartBytes: UInt64? = nil,
        maxTotalBytes: UInt64? = nil
    ) {
        self.maxParts = maxParts
        self.maxHeaderCount = maxHeaderCount
        self.maxHeaderBytes = maxHeaderBytes
        self.maxPreambleBytes = maxPreambleBytes
        self.maxPartBytes = maxPartBytes
        self.maxTotalBytes = maxTotalBytes
    }

    /// The limits for a message whose parts are streamed.
    public static let `default` = Limits()

    /// The limits for a message that is collected: a body of 256 MiB at most, and a message of 1 GiB.
    ///
    /// A collector takes these two also where given limits have nil.
    public static let collecting = Limits(maxPartBytes: 256 << 20, maxTotalBytes: 1 << 30)

    /// The limits, with a finite part and a finite message.
    var forCollecting: Limits {
        var result = self
        result.maxPartBytes = maxPartBytes ?? Limits.collecting.maxPartBytes
        result.maxTotalBytes = maxTotalBytes ?? Limits.collecting.maxTotalBytes
        return result
    }

    /// The limits with counts that are not negative, and a header section whose places fit 31 bits.
    var bounded: Limits {
        Limits(
            maxParts: max(maxParts, 0),
            maxHeaderCount: max(maxHeaderCount, 0),
            maxHeaderBytes: min(max(maxHeaderBytes, 0), Int(Int32.max)),
            maxPreambleBytes: max(maxPreambleBytes, 0),
            maxPartBytes: maxPartBytes,
            maxTotalBytes: maxTotalBytes
        )
    }
}
