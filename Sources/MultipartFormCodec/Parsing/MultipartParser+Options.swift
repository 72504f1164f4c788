// The parsing mode and the limits of a parser.
extension MultipartParser {
    /// How strictly to parse a message, and the limits on the message.
    ///
    /// - Each limit is inclusive. A negative limit counts as 0.
    /// - The parser throws before it stores any byte beyond a limit.
    /// - A streamed body needs no limit. Between chunks, the parser stores only an incomplete header section, or bytes
    ///   that may begin a delimiter.
    /// - On a 32-bit platform, `Int` cannot hold a limit of 2 GiB or more. For a streamed message, use nil (no limit)
    ///   instead.
    public struct Options: Sendable {
        /// How strictly to parse the message and its Content-Type field; lenient by default.
        public var mode: ParsingMode

        /// The maximum number of parts; 1000 by default. Raise the limit if your forms have more parts.
        public var maxParts: Int

        /// The maximum number of header lines in a part; 32 by default.
        ///
        /// A continuation line also counts. Most clients send two or three lines.
        public var maxHeaderCount: Int

        /// The maximum length of a part's header section in bytes, including the blank line; 16 KiB by default.
        ///
        /// A value of more than 1 GiB counts as 1 GiB. The limit also applies to the white space at the end of a
        /// delimiter line.
        ///
        /// The parser may keep this many bytes in memory for each message. Lower the limit if you parse many messages
        /// at once.
        public var maxHeaderBytes: Int

        /// The maximum length of the preamble in bytes; 64 KiB by default.
        ///
        /// The line break before the first delimiter line counts as part of the preamble. Set 0 to accept no preamble.
        public var maxPreambleBytes: Int

        /// The maximum length of a part's body in bytes; nil by default.
        ///
        /// The meaning of nil depends on how the message is read:
        /// - If a message is streamed, or is parsed from memory or a file, nil means no limit.
        /// - If a form is collected, nil means 256 MiB for each file and each skipped part. The limit of a
        ///   ``MultipartCollector/Route`` replaces this default.
        public var maxPartBytes: Int?

        /// The maximum length of the message in bytes; nil by default.
        ///
        /// The meaning of nil depends on how the message is read:
        /// - If a message is streamed, or is parsed from memory or a file, nil means no limit.
        /// - If a form is collected, nil means 1 GiB, plus the largest limit of any ``MultipartCollector/Route``.
        ///
        /// Set the limit if nothing else limits the length of the message. The epilogue also counts, so the parser may
        /// throw after the event ``MultipartParser/Event/end``.
        public var maxTotalBytes: Int?

        /// A function that lenient mode calls with errors that only strict mode throws; nil by default.
        ///
        /// Use the function to count what your clients send before you change to strict mode. For each message, the
        /// function gets at most two errors:
        /// - an error of the Content-Type field or the boundary
        /// - the first error of the message, with its offset and, if known, the index and the name of the part
        ///
        /// To find the errors, a second parser reads the message in strict mode, which takes additional time. The
        /// second parser stops at its first error, or at the error of the lenient parser. The function is called on
        /// the thread that uses the lenient parser.
        public var strictErrorHandler: (@Sendable (MultipartError) -> Void)?

        /// Creates options. Each parameter has a default.
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

        /// Strict mode with the default limits. Use it if a firewall or a proxy in front of the server also reads the
        /// uploads.
        public static let strict = Options(mode: .strict)

        /// The options with each limit in its valid range.
        var bounded: Options {
            var result = self
            result.maxParts = max(maxParts, 0)
            result.maxHeaderCount = max(maxHeaderCount, 0)
            // At most 1 GiB. When LF line breaks are rewritten to CR LF, the header section grows, but must stay below
            // 2 GiB.
            result.maxHeaderBytes = min(max(maxHeaderBytes, 0), 1 << 30)
            result.maxPreambleBytes = max(maxPreambleBytes, 0)
            result.maxPartBytes = maxPartBytes.map { max($0, 0) }
            result.maxTotalBytes = maxTotalBytes.map { max($0, 0) }
            return result
        }
    }
}

extension MultipartParser.Options {
    /// Returns the boundary in a form's Content-Type field. In lenient mode, calls ``strictErrorHandler`` if only
    /// strict mode refuses the field.
    func boundary(of contentType: String?) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in try Boundary(contentType: contentType, mode: mode) }
    }

    func boundary(ofNested contentType: [UInt8]) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in
            try Boundary(contentType: ContiguousArray(contentType), isNested: true, mode: mode)
        }
    }

    /// Calls ``strictErrorHandler`` in lenient mode if strict mode would refuse the boundary.
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
