/// Reads a header section in strict mode's grammar. As far as is known, all parsers read such a section in the
/// same way.
///
///     section     = 1*(line CRLF) CRLF                    ; each line at most 1,500 bytes, UTF-8
///     line        = disposition / type / encoding / length    ; each at most once, the disposition exactly once
///     disposition = ("Content-Disposition" / "content-disposition") ": form-data; name=" value ["; filename=" value]
///     type        = ("Content-Type" / "content-type") ":" [SP]
///                   restricted "/" restricted *(";" [SP] token "=" value)
///     encoding    = ("Content-Transfer-Encoding" / "content-transfer-encoding") ":" [SP] ("7bit" / "8bit" / "binary")
///     length      = ("Content-Length" / "content-length") ":" [SP] 1*19DIGIT
///     key         = any text of a value without [ ] , : ; =
///     name        = key *64("[" [key] "]")
///
/// The value of `name=`, without its quotes, must match `name`, and must have no space after `[`. ``StrictGrammar``
/// defines `value`, `token` and `restricted`. ``Reason`` lists all reasons to refuse a section. The quoted words are
/// case-sensitive, except `7bit`, `8bit` and `binary`. In a nested message, a disposition may have any type and needs
/// no name.
///
/// - Input: the bytes from the start of a section.
/// - Output: the section and its fields, if the section is complete and in the grammar; otherwise a ``Reason``. If the
///   section is incomplete, the reason has no meaning.
/// - Invariant: lenient mode also accepts the section, with the same fields.
/// - Cost: linear. Allocates memory only if the memory of the previous part's fields is still in use or too small.
struct StrictSection {
    /// The message that the section is in.
    struct Message: Sendable {
        let dashBoundary: [UInt8]
        let isNested: Bool
    }

    /// The maximum length of a line in bytes, without its line break. Some parsers cut or refuse longer lines.
    static let maxLineBytes = 1500
    /// The maximum number of bracketed keys in a name.
    static let maxBrackets = 64
    /// The maximum number of fields: each of the four names may occur once.
    private static let maxFields = 4

    var name = TextRange.none
    var filename = TextRange.none
    private var hasDisposition = false
    private var hasEncoding = false
    private var contentLength: UInt64?
    /// The range of the Content-Type field's value.
    var contentType: Range<Int>?
    private var typeLine = (offset: 0, index: 0)

    /// The offset of the current line. After a refusal, it is the offset of the refused line.
    private(set) var line = 0
    private var lineCount = 0

    /// Reads the section at the start of `bytes` into `headers`. Throws if the section is incomplete or not in the
    /// grammar.
    mutating func read(
        _ bytes: Span<UInt8>,
        _ message: Message,
        maxLines: Int,
        into headers: inout HeaderFields
    ) throws(Reason) -> HeaderReader.Section {
        let maxLines = min(maxLines, Self.maxFields)
        // SAFETY: at most `maxFields` fields are initialized, and only initialized fields are read.
        return unsafe try withUnsafeTemporaryAllocation(
            of: FieldRanges.self,
            capacity: Self.maxFields
        ) { fields throws(Reason) in
            while !ASCII.isLineBreak(bytes, at: line) {
                let field = try readLine(bytes, message)
                // This reason never appears in an error: if there are too many lines, `HeaderReader` throws
                // `limit-header-count`.
                guard lineCount < maxLines else { throw .otherField }
                unsafe fields.initializeElement(at: lineCount, to: field)
                lineCount &+= 1
                line = field.value.upperBound &+ 2
            }
            try checkWhole(bytes)
            let length = line &+ 2
            let layout = SectionLayout(
                name: name,
                filename: filename,
                contentType: contentType.map { TextRange($0) } ?? .none,
                lines: name.exists ? .sendable : .canonical
            )
            let section = bytes.extracting(first: length)
            let ranges = unsafe UnsafeBufferPointer(fields).span.extracting(first: lineCount)
            headers.storage.replace(with: section, ranges, layout)
            assert(headers.agreeWithLenientReading(of: section), "lenient mode reads the same fields")
            return HeaderReader.Section(
                length: length,
                hasEmptyFilename: filename.range?.isEmpty ?? false,
                contentLength: contentLength
            )
        }
    }

    /// Returns the error of a complete section that strict mode refuses.
    func error(for reason: Reason) -> MultipartError {
        MultipartError(
            ErrorCode.ambiguousHeader,
            reason.sentence(ofLine: lineCount + 1),
            at: reason.isOfSection ? 0 : line
        )
    }

    /// Throws if the section has no disposition, or if a part of type `application/octet-stream` has no file name.
    private mutating func checkWhole(_ bytes: Span<UInt8>) throws(Reason) {
        guard hasDisposition else { throw .noDisposition }
        guard let contentType, !filename.exists, isOctetStream(contentType, bytes) else { return }
        (line, lineCount) = typeLine
        throw .octetStreamWithoutFilename
    }

    private func isOctetStream(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let type: StaticString = "application/octet-stream"
        let end = value.lowerBound + type.utf8CodeUnitCount
        return end <= value.upperBound && ASCII.matches(bytes, value.prefix(type.utf8CodeUnitCount), type)
            && (end == value.upperBound || bytes[end] == ASCII.semicolon)
    }

    /// Reads a line, and checks that it ends in CR LF. Throws if strict mode refuses the line.
    // Inlined. Reads the usual spellings of Content-Disposition and Content-Type itself. `readOtherLine` reads the few
    // lines with another spelling or name.
    @inline(__always)
    private mutating func readLine(_ bytes: Span<UInt8>, _ message: Message) throws(Reason) -> FieldRanges {
        let disposition: StaticString = "Content-Disposition: "
        let dispositionForName: StaticString = "Content-Disposition: form-data; name="
        let type: StaticString = "Content-Type: "
        let field: FieldRanges
        let end: Int
        if ASCII.begins(bytes, at: line, with: dispositionForName), !hasDisposition, !message.isNested {
            hasDisposition = true
            let name = line &+ dispositionForName.utf8CodeUnitCount
            end = try readNames(bytes, from: name, message)
            let value = line &+ disposition.utf8CodeUnitCount
            field = FieldRanges(name: line..<value &- 2, value: value..<end)
        } else if ASCII.begins(bytes, at: line, with: type), contentType == nil {
            let value = line &+ type.utf8CodeUnitCount
            typeLine = (line, lineCount)
            end = try readType(bytes, from: value, message)
            field = FieldRanges(name: line..<value &- 2, value: value..<end)
        } else {
            let (name, value) = try readOtherLine(bytes, message)
            end = value.upperBound
            field = FieldRanges(name: name, value: value)
        }
        guard ASCII.isLineBreak(bytes, at: end) else { throw .textAfterValue }
        guard end &- line <= Self.maxLineBytes else { throw .longLine }
        return field
    }

    /// Reads a line in a form that `readLine` does not read itself.
    @inline(never)
    private mutating func readOtherLine(
        _ bytes: Span<UInt8>,
        _ message: Message
    ) throws(Reason) -> (name: Range<Int>, value: Range<Int>) {
        guard let (field, name) = Self.fieldName(bytes, from: line) else { throw .otherField }
        var value = name.upperBound + 1
        if value < bytes.count, bytes[value] == ASCII.space { value += 1 }
        let end: Int
        switch field {
        case .disposition:
            guard !hasDisposition else { throw .repeatedField }
            hasDisposition = true
            // A Content-Disposition must have a space after the colon; in other fields the space is optional.
            guard value == name.upperBound + 2 else { throw .dispositionForm }
            end = try readDisposition(bytes, from: value, message)
        case .type:
            guard contentType == nil else { throw .repeatedField }
            typeLine = (line, lineCount)
            end = try readType(bytes, from: value, message)
        case .encoding:
            guard !hasEncoding else { throw .repeatedField }
            hasEncoding = true
            let word = value..<StrictGrammar.endOfToken(bytes, from: value)
            guard HeaderWriter.isUnencoded(word, bytes) else { throw .transferEncoding }
            end = word.upperBound
        case .length:
            guard contentLength == nil else { throw .repeatedField }
            end = try readLength(bytes, from: value)
        }
        return (name, value..<end)
    }

    private mutating func readLength(_ bytes: Span<UInt8>, from start: Int) throws(Reason) -> Int {
        var length: UInt64 = 0
        var end = start
        while end < bytes.count, ASCII.isDigit(bytes[end]) {
            // A number of 19 digits fits in 64 bits.
            guard end < start + 19 else { throw .contentLength }
            length = length * 10 + UInt64(bytes[end] - ASCII.zero)
            end += 1
        }
        guard end > start else { throw .contentLength }
        contentLength = length
        return end
    }

    /// Reads a Content-Disposition in an unusual form, such as in a nested message.
    private mutating func readDisposition(
        _ bytes: Span<UInt8>,
        from start: Int,
        _ message: Message
    ) throws(Reason) -> Int {
        let nameStart: StaticString = "; name="
        let end = message.isNested ? StrictGrammar.endOfToken(bytes, from: start) : endOfFormData(bytes, from: start)
        guard end > start else { throw .dispositionForm }
        let value = end + nameStart.utf8CodeUnitCount
        if bytes.extracting(droppingFirst: end).starts(with: nameStart.description.utf8) {
            return try readNames(bytes, from: value, message)
        }
        guard message.isNested else { throw .dispositionForm }
        return try readFilename(bytes, from: end, message)
    }

    private func endOfFormData(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let type: StaticString = "form-data"
        return ASCII.begins(bytes, at: start, with: type) ? start + type.utf8CodeUnitCount : start
    }

    /// Returns the field of a line and the range of its name; nil if the field or its spelling is not in the grammar.
    private static func fieldName(_ bytes: Span<UInt8>, from line: Int) -> (Field, Range<Int>)? {
        for field in Field.allCases {
            let (usual, lowercase) = field.spellings
            guard ASCII.begins(bytes, at: line, with: usual) || ASCII.begins(bytes, at: line, with: lowercase) else {
                continue
            }
            return (field, line..<line + usual.utf8CodeUnitCount - 1)
        }
        return nil
    }

    private enum Field: CaseIterable {
        case disposition
        case type
        case encoding
        case length

        /// The two accepted spellings of the field's name, each with a colon.
        var spellings: (usual: StaticString, lowercase: StaticString) {
            switch self {
            case .disposition: ("Content-Disposition:", "content-disposition:")
            case .type: ("Content-Type:", "content-type:")
            case .encoding: ("Content-Transfer-Encoding:", "content-transfer-encoding:")
            case .length: ("Content-Length:", "content-length:")
            }
        }
    }
}

extension HeaderFields {
    /// Whether lenient mode reads the same fields from a section. Only an assertion calls this function.
    fileprivate func agreeWithLenientReading(of section: Span<UInt8>) -> Bool {
        guard let lenient = try? HeaderReader.FieldParser.parse(section, .crlf) else { return false }
        return lenient == self && lenient.name == name && lenient.filename == filename
            && lenient.contentType == contentType
    }
}
