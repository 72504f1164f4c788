extension MultipartParser {
    /// How strictly to read a message, and how much it may take.
    ///
    /// All limits are inclusive, and each is enforced as bytes arrive, before anything is kept. None of them makes the
    /// parser keep more than a header section, so bodies may be unlimited where they are streamed.
    public struct Options: Sendable, Hashable {
        /// How strictly to read, the Content-Type field included; lenient unless set.
        public var mode: ParsingMode

        /// The most parts a message may have; 1000 unless set.
        public var maxParts: Int

        /// The most header lines a part may have, continuation lines included; 32 unless set.
        public var maxHeaderCount: Int

        /// The longest header section of a part, in bytes, with its line breaks and its blank line; 16 KiB unless set.
        ///
        /// The white space after a delimiter has the same limit.
        public var maxHeaderBytes: Int

        /// The longest preamble before the first delimiter, in bytes; 64 KiB unless set.
        public var maxPreambleBytes: Int

        /// The longest body of one part, in bytes. Nil, the default, is no limit where bodies are streamed or the
        /// message is in memory already, and 256 MiB where a form is collected.
        public var maxPartBytes: UInt64?

        /// The longest message, in bytes, from its first to its last. Nil, the default, is no limit where it is
        /// streamed or in memory already, and 1 GiB where it is collected.
        ///
        /// What follows the close delimiter counts, so the error may come after ``MultipartParser/Event/end``.
        public var maxTotalBytes: UInt64?

        /// Creates options.
        ///
        /// - Parameters:
        ///   - mode: How strictly to read.
        ///   - maxParts: The most parts of a message.
        ///   - maxHeaderCount: The most header lines of a part.
        ///   - maxHeaderBytes: The longest header section, in bytes; at most 2 GiB.
        ///   - maxPreambleBytes: The longest preamble, in bytes.
        ///   - maxPartBytes: The longest body of a part, in bytes.
        ///   - maxTotalBytes: The longest message, in bytes.
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

        /// Strict mode with the default limits.
        public static let strict = Options(mode: .strict)

        /// The options, with a finite part and a finite message.
        var forCollecting: Options {
            var result = self
            result.maxPartBytes = maxPartBytes ?? 256 << 20
            result.maxTotalBytes = maxTotalBytes ?? 1 << 30
            return result
        }

        /// The options with counts that are not negative, and a header section whose places fit 31 bits.
        var bounded: Options {
            var result = self
            result.maxParts = max(maxParts, 0)
            result.maxHeaderCount = max(maxHeaderCount, 0)
            result.maxHeaderBytes = min(max(maxHeaderBytes, 0), Int(Int32.max))
            result.maxPreambleBytes = max(maxPreambleBytes, 0)
            return result
        }
    }
}
