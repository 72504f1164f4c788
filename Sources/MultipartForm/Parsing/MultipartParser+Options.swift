// The mode of a parser, and the limits of a message.
extension MultipartParser {
    /// How strictly to parse a message, and the limits on its size.
    ///
    /// All limits are inclusive, and enforced before bytes are kept; a negative limit counts as 0. The parser never
    /// keeps more than a header section, so streamed bodies may be unlimited. Where `Int` has 32 bits, a limit of 2 GiB
    /// or more cannot be set; use nil.
    public struct Options: Sendable {
        /// How strictly to parse, the Content-Type field included; lenient by default.
        public var mode: ParsingMode

        /// The maximum number of parts; 1000 by default. Raise it for forms with more fields.
        public var maxParts: Int

        /// The maximum number of header lines of a part, continuation lines included; 32 by default. Clients send two
        /// or three.
        public var maxHeaderCount: Int

        /// The maximum length of a part's header section with its blank line, in bytes; 16 KiB by default, at most 1
        /// GiB.
        ///
        /// The white space after a delimiter has the same limit. Lower it if many messages are parsed at once.
        public var maxHeaderBytes: Int

        /// The maximum length of the preamble, in bytes, including the line break before the first delimiter line; 64
        /// KiB by default. Set 0 to accept no preamble.
        public var maxPreambleBytes: Int

        /// The maximum length of a part's body, in bytes.
        ///
        /// The default is nil. Where a form is collected, nil means 256 MiB for files whose route has no limit, and for
        /// skipped parts. Where the message is streamed, or parsed from memory or a file, nil means no limit.
        public var maxPartBytes: Int?

        /// The maximum length of the message, in bytes.
        ///
        /// The default is nil. Where a form is collected, nil means 1 GiB more than the largest limit of a route. Where
        /// the message is streamed, or parsed from memory or a file, nil means no limit.
        ///
        /// The epilogue counts as well, so the error may follow ``MultipartParser/Event/end``. Set this limit if
        /// nothing else limits the message.
        public var maxTotalBytes: Int?

        /// Called in lenient mode with the error that strict mode would have thrown; nil by default.
        ///
        /// Use it to count what your clients send before you change to strict mode. The error includes its offset and
        /// part. The handler is called at most twice: once for the Content-Type field or the boundary, and once for the
        /// first error of the message. If lenient mode refuses the message, only the bytes before the lenient error
        /// count.
        ///
        /// The handler is called while the message is parsed, on the thread that uses the parser. It costs a second
        /// parser until the first error.
        public var strictErrorHandler: (@Sendable (MultipartError) -> Void)?

        /// Creates options with the given values, and the defaults for the others.
        public init(
            mode: ParsingMode = .lenient,
            maxParts: Int = 1000,
            maxHeaderCount: Int = 32,
            maxHeaderBytes: Int = 16 << 10,
            maxPreambleBytes: Int = 64 << 10,
            maxPartBytes: Int? = nil,
            maxTotalBytes: Int? = nil,
            strictErrorHandler: (@Sendable (MultipartError) -> Void)? = nil
        ) {
            self.mode = mode
            self.maxParts = maxParts
            self.maxHeaderCount = maxHeaderCount
            self.maxHeaderBytes = maxHeaderBytes
            self.maxPreambleBytes = maxPreambleBytes
            self.maxPartBytes = maxPartBytes
            self.maxTotalBytes = maxTotalBytes
            self.strictErrorHandler = strictErrorHandler
        }

        /// Strict mode with the default limits, for a server behind a filter.
        public static let strict = Options(mode: .strict)

        /// The options with 0 for negative limits, and with header sections whose offsets fit in 31 bits.
        var bounded: Options {
            var result = self
            result.maxParts = max(maxParts, 0)
            result.maxHeaderCount = max(maxHeaderCount, 0)
            // At most 1 GiB, so that a section that is written again in canonical lines stays below 2 GiB.
            result.maxHeaderBytes = min(max(maxHeaderBytes, 0), 1 << 30)
            result.maxPreambleBytes = max(maxPreambleBytes, 0)
            result.maxPartBytes = maxPartBytes.map { max($0, 0) }
            result.maxTotalBytes = maxTotalBytes.map { max($0, 0) }
            return result
        }
    }
}

extension MultipartParser.Options {
    /// The boundary of a form's Content-Type field. Reports the field if only strict mode refuses it.
    func boundary(of contentType: String?) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in try Boundary(contentType: contentType, mode: mode) }
    }

    func boundary(ofNested contentType: [UInt8]) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in
            try Boundary(contentType: ContiguousArray(contentType), isNested: true, mode: mode)
        }
    }

    /// Reports a boundary that was parsed elsewhere, if only strict mode refuses it.
    func report(_ boundary: Boundary) {
        guard let strictErrorHandler, mode == .lenient, let reason = boundary.reasonInvalid(in: .strict) else { return }
        strictErrorHandler(MultipartError(.invalidBoundary, reason, offset: 0))
    }

    private func boundary(
        _ parse: (ParsingMode) throws(MultipartError) -> Boundary
    ) throws(MultipartError) -> Boundary {
        let result = Result { () throws(MultipartError) in try parse(mode) }
        guard let strictErrorHandler, mode == .lenient else { return try result.get() }
        do throws(MultipartError) {
            _ = try parse(.strict)
        } catch {
            if case .failure(error) = result { throw error }
            strictErrorHandler(error)
        }
        return try result.get()
    }
}
