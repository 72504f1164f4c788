extension MultipartParser {
    /// How strictly to parse a message, and the limits on its size.
    ///
    /// All limits are inclusive, and enforced before bytes are kept. The parser never keeps more than a header section,
    /// so streamed bodies may be unlimited.
    public struct Options: Sendable, Hashable {
        /// How strictly to parse, the Content-Type field included; lenient by default.
        public var mode: ParsingMode

        /// The most parts a message may have; 1000 by default. Raise it for forms with more fields.
        public var maxParts: Int

        /// The most header lines of a part, continuation lines included; 32 by default. Clients send two or three.
        public var maxHeaderCount: Int

        /// The longest header section of a part in bytes, with its blank line; 16 KiB by default, at most 1 GiB.
        ///
        /// The white space after a delimiter has the same limit. Lower it if many messages are parsed at once.
        public var maxHeaderBytes: Int

        /// The longest preamble before the first delimiter, in bytes; 64 KiB by default. Set 0 to accept none.
        public var maxPreambleBytes: Int

        /// The longest body of a part, in bytes. Nil, the default, means 256 MiB where a form is collected, and no
        /// limit where the message is streamed, or parsed from memory or a file.
        public var maxPartBytes: UInt64?

        /// The longest message, in bytes. Nil, the default, means 1 GiB where a form is collected, and no limit where
        /// the message is streamed, or parsed from memory or a file.
        ///
        /// The epilogue counts, so the error may follow ``MultipartParser/Event/end``. Set it if nothing else does.
        public var maxTotalBytes: UInt64?

        /// Creates options with the given values, and the defaults for the others.
        public init(
            mode: ParsingMode = .lenient,
            maxParts: Int = 1000,
            maxHeaderCount: Int = 32,
            maxHeaderBytes: Int = 16 << 10,
            maxPreambleBytes: Int = 64 << 10,
            maxPartBytes: UInt64? = nil,
            maxTotalBytes: UInt64? = nil
        ) {
            self.mode = mode
            self.maxParts = maxParts
            self.maxHeaderCount = maxHeaderCount
            self.maxHeaderBytes = maxHeaderBytes
            self.maxPreambleBytes = maxPreambleBytes
            self.maxPartBytes = maxPartBytes
            self.maxTotalBytes = maxTotalBytes
        }

        /// Strict mode with the default limits, for a server behind a filter.
        public static let strict = Options(mode: .strict)

        /// The options with the default limits of a collected form.
        var forCollecting: Options {
            var result = self
            result.maxPartBytes = maxPartBytes ?? 256 << 20
            result.maxTotalBytes = maxTotalBytes ?? 1 << 30
            return result
        }

        /// The options without negative limits, and with header sections whose offsets fit in 31 bits.
        var bounded: Options {
            var result = self
            result.maxParts = max(maxParts, 0)
            result.maxHeaderCount = max(maxHeaderCount, 0)
            // A section that is written again in regular lines stays below 2 GiB.
            result.maxHeaderBytes = min(max(maxHeaderBytes, 0), 1 << 30)
            result.maxPreambleBytes = max(maxPreambleBytes, 0)
            return result
        }
    }
}
