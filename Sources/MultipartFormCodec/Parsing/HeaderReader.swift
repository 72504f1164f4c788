/// Reads a part's header section, and refuses a section that the options do not allow.
///
/// - Input: the bytes after a delimiter line, in chunks of any size.
/// - Output: the fields, once the section is complete; or the first error, with an offset in the section. Chunk sizes
///   change neither the fields nor the error.
/// - Invariant: between chunks, the reader holds all bytes of the section so far. These bytes have no NUL and no wrong
///   line break, and exceed no limit.
/// - Cost: linear. Most sections are read in place, in one pass. Any other section is scanned, copied if it began in an
///   earlier chunk, and parsed when it is complete. The table shows which type reads and parses:
///
///     mode        reads in place       parses when complete
///     lenient     ``FastPath``         ``FieldParser``
///     strict      ``StrictSection``    ``FieldParser``, then ``StrictSection``
///
/// In strict mode, ``FieldParser`` throws the errors that lenient mode has as well. If only ``StrictSection`` refuses a
/// section, the error is `ambiguous-header`.
struct HeaderReader: Sendable {
    /// The properties of a section that ``ParserMachine`` needs besides the fields.
    struct Section {
        /// How many bytes of the section, including its blank line, are in the chunk that completes the section.
        let length: Int
        /// Whether the part has an empty file name. Always false in lenient mode, which does not limit such a part.
        var hasEmptyFilename = false
        /// The value of the Content-Length field; nil if the section has no such field. Always nil in lenient mode,
        /// which does not read the field.
        var contentLength: UInt64?
    }

    /// How far a section has been scanned.
    private struct Progress: Sendable {
        /// The number of bytes scanned in all chunks.
        var length = 0
        /// The current line's offset in the section.
        var line = 0
        /// The number of lines before the current line.
        var lineCount = 0
        var isAfterCarriageReturn = false
    }

    private let options: MultipartParser.Options
    /// What ``StrictSection`` needs to know about the message; nil in lenient mode.
    private let strictMessage: StrictSection.Message?
    /// The line break of the message. The first delimiter line determines it.
    var lineBreak = DelimiterLineClassifier.LineBreak.crlf
    private var scanned = Progress()
    /// The section's bytes from earlier chunks.
    private var held: ContiguousArray<UInt8> = []
    /// The maximum capacity of `held` to keep for the next section, in bytes. Nearly all sections are shorter.
    private static let keptCapacity = 1024

    init(_ options: MultipartParser.Options, dashBoundary: [UInt8], isNested: Bool) {
        self.options = options
        strictMessage = options.mode == .strict ? .init(dashBoundary: dashBoundary, isNested: isNested) : nil
    }

    /// Reads the next bytes of the section. Returns nil while the section is incomplete.
    mutating func read(_ bytes: Span<UInt8>, into fields: inout HeaderFields) throws(MultipartError) -> Section? {
        if lineBreak == .crlf, scanned.length == 0, let section = readInPlace(bytes, into: &fields) { return section }
        return try readCarefully(bytes, into: &fields)
    }

    @inline(__always)
    private func readInPlace(_ bytes: Span<UInt8>, into fields: inout HeaderFields) -> Section? {
        guard let strictMessage else { return FastPath.parse(bytes, options, into: &fields) }
        var section = StrictSection()
        let bytes = bytes.extracting(first: options.maxHeaderBytes)
        return try? section.read(bytes, strictMessage, maxLines: options.maxHeaderCount, into: &fields)
    }

    private mutating func readCarefully(
        _ bytes: Span<UInt8>,
        into fields: inout HeaderFields
    ) throws(MultipartError) -> Section? {
        let start = scanned.length
        let isComplete: Bool
        do {
            isComplete = try scan(bytes)
        } catch {
            held.append(copying: bytes.extracting(first: scanned.length - start))
            try checkCompleteLines()
            throw error
        }
        let piece = bytes.extracting(first: scanned.length - start)
        guard isComplete else {
            held.append(copying: piece)
            return nil
        }
        let section: Section
        if start == 0 {
            section = try parse(piece, into: &fields)
        } else {
            held.append(copying: piece)
            section = try parse(held.span, into: &fields)
            held.removeAll(keepingCapacity: held.capacity <= Self.keptCapacity)
        }
        scanned = Progress()
        return Section(
            length: piece.count,
            hasEmptyFilename: section.hasEmptyFilename,
            contentLength: section.contentLength
        )
    }

    /// Parses a complete section. In strict mode, checks the rules of both modes first, and then the rules that only
    /// strict mode has.
    private func parse(_ bytes: Span<UInt8>, into fields: inout HeaderFields) throws(MultipartError) -> Section {
        fields = try FieldParser.parse(bytes, lineBreak)
        guard let strictMessage else { return Section(length: bytes.count) }
        var section = StrictSection()
        do throws(StrictSection.Reason) {
            return try section.read(bytes, strictMessage, maxLines: options.maxHeaderCount, into: &fields)
        } catch {
            throw section.error(for: error)
        }
    }

    /// Throws the first error in the complete lines of the incomplete section. A caller that has found an error in
    /// later bytes calls this function first, so that the earlier error is thrown.
    func checkCompleteLines() throws(MultipartError) {
        try FieldParser.checkLines(held.span.extracting(first: scanned.line))
    }

    /// Scans the next bytes. Returns true if the blank line ends in these bytes.
    private mutating func scan(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let start = scanned.length
        let limit = options.maxHeaderBytes
        let end = start + min(bytes.count, limit - start)
        // Each iteration moves past the next CR or LF.
        while scanned.length < end {
            if !scanned.isAfterCarriageReturn {
                scanned.length = start + ASCII.endOfText(bytes, from: scanned.length - start, to: end - start)
                guard scanned.length < end else { break }
            }
            let byte = bytes[scanned.length - start]
            switch (byte, scanned.isAfterCarriageReturn) {
            case (ASCII.lineFeed, true):
                guard lineBreak == .crlf else { throw MultipartError(ErrorCode.bareLF, at: scanned.length - 1) }
            case (_, true):
                throw MultipartError(ErrorCode.bareCR, at: scanned.length - 1)
            case (ASCII.lineFeed, false):
                guard lineBreak == .lf else { throw MultipartError(ErrorCode.bareLF, at: scanned.length) }
            case (ASCII.carriageReturn, false):
                scanned.isAfterCarriageReturn = true
                scanned.length += 1
                continue
            case (_, false):
                throw MultipartError(ErrorCode.invalidHeaderCharacter, at: scanned.length)
            }
            let isBlank = scanned.line == (scanned.isAfterCarriageReturn ? scanned.length - 1 : scanned.length)
            scanned.isAfterCarriageReturn = false
            scanned.length += 1
            if isBlank { return true }
            try endLine()
        }
        guard end - start == bytes.count else {
            throw MultipartError(ErrorCode.limitHeaderBytes, at: end, limit: limit)
        }
        return false
    }

    private mutating func endLine() throws(MultipartError) {
        let begin = scanned.line
        scanned.line = scanned.length
        scanned.lineCount += 1
        let limit = options.maxHeaderCount
        guard scanned.lineCount <= limit else {
            throw MultipartError(ErrorCode.limitHeaderCount, at: begin, limit: limit)
        }
    }
}

/// Checks the fields of one header section, and keeps the values that the parser needs.
///
/// - Input: the parsed fields, in order.
/// - Output: for each field, whether it is allowed. After the last field, the parsed Content-Disposition or an error.
///   The error for a repeated Content-Disposition comes before the error for a malformed one.
struct FieldChecks {
    enum Field {
        case disposition
        case contentType
        case transferEncoding
        case other

        /// Finds a field by its name in any letter case. `name` is the range of the name in the bytes.
        init(named name: Range<Int>, _ bytes: Span<UInt8>) {
            switch name.count {
            case 12 where ASCII.isFieldName(bytes, name, usual: "Content-Type", lowercase: "content-type"):
                self = .contentType
            case 19 where ASCII.isFieldName(bytes, name, usual: "Content-Disposition", lowercase: "content-disposition"):
                self = .disposition
            case 25
            where ASCII.isFieldName(
                bytes,
                name,
                usual: "Content-Transfer-Encoding",
                lowercase: "content-transfer-encoding"
            ):
                self = .transferEncoding
            default:
                self = .other
            }
        }
    }

    /// The range of the Content-Disposition's value.
    private(set) var disposition: Range<Int>?
    /// The range of the Content-Type's value. If the field is repeated, the last value counts.
    private(set) var contentType: Range<Int>?
    /// Whether a Content-Transfer-Encoding says that the content is encoded.
    private(set) var isEncoded = false
    /// The offset of the second Content-Disposition.
    private var repetition: Int?

    /// Keeps a field's value if the parser needs it. Returns false for a repeated Content-Disposition, because some
    /// parsers use the first one and others the last.
    // Inlined, so that the benchmark `headers-heavy` takes 4% fewer instructions.
    @inline(__always)
    mutating func accept(_ field: FieldRanges, _ kind: Field, in bytes: Span<UInt8>) -> Bool {
        switch kind {
        case .other:
            break
        case .disposition:
            guard disposition == nil else {
                repetition = repetition ?? field.name.lowerBound
                return false
            }
            disposition = field.value
        case .contentType:
            contentType = field.value
        case .transferEncoding:
            isEncoded = isEncoded || !HeaderWriter.isUnencoded(field.value, bytes)
        }
        return true
    }

    /// Parses the Content-Disposition; nil if there is no such field. Throws if the field is repeated or malformed.
    func finish(in bytes: Span<UInt8>) throws(MultipartError) -> DispositionLayout? {
        if let repetition { throw MultipartError(ErrorCode.duplicateHeader, at: repetition) }
        guard let disposition else { return nil }
        return try DispositionLayout(bytes, disposition)
    }
}
