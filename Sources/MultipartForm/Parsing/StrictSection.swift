/// Accepts a header section in strict mode's grammar, which all parsers are known to read alike.
///
///     section     = 1*(line CRLF) CRLF                    ; each line at most 1,500 bytes, UTF-8
///     line        = disposition / type / encoding / length    ; each at most once, the disposition exactly once
///     disposition = ("Content-Disposition" / "content-disposition") ": form-data; name=" value ["; filename=" value]
///     type        = ("Content-Type" / "content-type") ":" [SP]
///                   restricted "/" restricted *(";" [SP] token "=" value)
///     encoding    = ("Content-Transfer-Encoding" / "content-transfer-encoding") ":" [SP] ("7bit" / "8bit" / "binary")
///     length      = ("Content-Length" / "content-length") ":" [SP] 1*19DIGIT
///     key         = any text of a value without [ ] , : ; =
///     name        = key *64("[" [key] "]")                ; the text of name=, without SP after "["
///
/// ``StrictGrammar`` has `value`, `token` and `restricted`; ``Reason`` lists what else is refused. Quoted letters must
/// have the case that is shown here, except in `encoding`. A part of a nested message may have any disposition type,
/// and needs no name.
///
/// - Input: the bytes from a section's start.
/// - Output: the section and its fields, if it is complete and in the grammar. Otherwise nil; for a complete section,
///   ``error`` says why.
/// - Invariant: lenient mode accepts the section as well, with the same fields.
/// - Cost: linear. Allocates only if the previous part's fields are still in use.
struct StrictSection {
    struct Grammar: Sendable {
        let dashBoundary: [UInt8]
        let isNested: Bool
    }

    /// The maximum length of a line, in bytes, without its break. Some parsers cut or refuse longer ones.
    static let maxLineBytes = 1500
    /// The maximum number of keys in brackets in a name.
    static let maxBrackets = 64
    /// The maximum number of fields: one of each name.
    private static let maxFields = 4

    var name = TextRange.none
    var filename = TextRange.none
    private var hasDisposition = false
    private var hasEncoding = false
    private var contentLength: UInt64?
    /// The value of the Content-Type.
    var contentType: Range<Int>?
    private var typeLine = (offset: 0, index: 0)

    /// Why the section is not in the grammar; meaningless if it is.
    var reason = Reason.textAfterValue
    /// The offset of the line that is being read or, after a refusal, of the line that is not in the grammar.
    private(set) var line = 0
    private var lineCount = 0

    /// Reads the section at the start of `bytes` into `headers`; nil if it is incomplete or not in the grammar.
    mutating func read(
        _ bytes: Span<UInt8>,
        _ grammar: Grammar,
        maxLines: Int,
        into headers: inout HeaderFields
    ) -> HeaderReader.Section? {
        let maxLines = min(maxLines, Self.maxFields)
        // SAFETY: no more fields are written than there is room for, and only fields that were written are read.
        return unsafe withUnsafeTemporaryAllocation(of: FieldRanges.self, capacity: Self.maxFields) { fields in
            while !ASCII.isLineBreak(bytes, at: line) {
                guard let field = readLine(bytes, grammar), lineCount < maxLines else { return nil }
                unsafe fields.initializeElement(at: lineCount, to: field)
                lineCount &+= 1
                line = field.value.upperBound &+ 2
            }
            guard isWhole(bytes) else { return nil }
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

    /// The error of a complete section that was not accepted.
    var error: MultipartError {
        MultipartError(
            ErrorCode.ambiguousHeader,
            reason.sentence(ofLine: lineCount + 1),
            at: reason.isOfSection ? 0 : line
        )
    }

    /// Whether the section has a disposition, and a file name if its type needs one.
    private mutating func isWhole(_ bytes: Span<UInt8>) -> Bool {
        guard hasDisposition else { return refuse(.noDisposition) }
        guard let contentType, !filename.exists, isOctetStream(contentType, bytes) else { return true }
        (line, lineCount) = typeLine
        return refuse(.octetStreamWithoutFilename)
    }

    private func isOctetStream(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let type: StaticString = "application/octet-stream"
        let end = value.lowerBound + type.utf8CodeUnitCount
        return end <= value.upperBound && ASCII.matches(bytes, value.prefix(type.utf8CodeUnitCount), type)
            && (end == value.upperBound || bytes[end] == ASCII.semicolon)
    }

    private mutating func refuse(_ reason: Reason) -> Bool {
        self.reason = reason
        return false
    }

    mutating func refuse(_ reason: Reason) -> Int? {
        self.reason = reason
        return nil
    }

    // Lines.

    /// Reads a line, and checks that it ends in CR LF.
    // Inlined; handles the usual forms of Content-Disposition and Content-Type, which nearly every line has.
    @inline(__always)
    private mutating func readLine(_ bytes: Span<UInt8>, _ grammar: Grammar) -> FieldRanges? {
        let disposition: StaticString = "Content-Disposition: "
        let dispositionForName: StaticString = "Content-Disposition: form-data; name="
        let type: StaticString = "Content-Type: "
        let field: FieldRanges
        let end: Int
        if ASCII.begins(bytes, at: line, with: dispositionForName), !hasDisposition, !grammar.isNested {
            hasDisposition = true
            let name = line &+ dispositionForName.utf8CodeUnitCount
            guard let next = readNames(bytes, from: name, grammar) else { return nil }
            end = next
            let value = line &+ disposition.utf8CodeUnitCount
            field = FieldRanges(name: line..<value &- 2, value: value..<end)
        } else if ASCII.begins(bytes, at: line, with: type), contentType == nil {
            let value = line &+ type.utf8CodeUnitCount
            typeLine = (line, lineCount)
            guard let next = readType(bytes, from: value, grammar) else { return nil }
            end = next
            field = FieldRanges(name: line..<value &- 2, value: value..<end)
        } else {
            guard let (name, value) = readOtherLine(bytes, grammar) else { return nil }
            end = value.upperBound
            field = FieldRanges(name: name, value: value)
        }
        guard ASCII.isLineBreak(bytes, at: end) else {
            reason = .textAfterValue
            return nil
        }
        guard end &- line <= Self.maxLineBytes else {
            reason = .longLine
            return nil
        }
        return field
    }

    /// Reads any line that `readLine` does not handle itself.
    @inline(never)
    private mutating func readOtherLine(
        _ bytes: Span<UInt8>,
        _ grammar: Grammar
    ) -> (name: Range<Int>, value: Range<Int>)? {
        reason = .otherField
        guard let (field, name) = Self.fieldName(bytes, from: line) else { return nil }
        var value = name.upperBound + 1
        if value < bytes.count, bytes[value] == ASCII.space { value += 1 }
        let isRepeated: Bool
        let end: Int?
        switch field {
        case .disposition:
            isRepeated = hasDisposition
            hasDisposition = true
            // Only a Content-Disposition must have a space after the colon.
            end = value == name.upperBound + 2 ? readDisposition(bytes, from: value, grammar) : refuse(.dispositionForm)
        case .type:
            isRepeated = contentType != nil
            typeLine = (line, lineCount)
            end = readType(bytes, from: value, grammar)
        case .encoding:
            isRepeated = hasEncoding
            hasEncoding = true
            let word = value..<StrictGrammar.endOfToken(bytes, from: value)
            end = HeaderWriter.isIdentity(word, bytes) ? word.upperBound : refuse(.transferEncoding)
        case .length:
            isRepeated = contentLength != nil
            end = readLength(bytes, from: value)
        }
        guard !isRepeated else {
            reason = .repeatedField
            return nil
        }
        guard let end else { return nil }
        return (name, value..<end)
    }

    private mutating func readLength(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var length: UInt64 = 0
        var end = start
        while end < bytes.count, ASCII.isDigit(bytes[end]) {
            // 19 digits fit in 64 bits.
            guard end < start + 19 else { return refuse(.contentLength) }
            length = length * 10 + UInt64(bytes[end] - ASCII.zero)
            end += 1
        }
        guard end > start else { return refuse(.contentLength) }
        contentLength = length
        return end
    }

    /// Reads a disposition that does not begin with the usual text, such as that of a part of a nested message.
    private mutating func readDisposition(_ bytes: Span<UInt8>, from start: Int, _ grammar: Grammar) -> Int? {
        let nameStart: StaticString = "; name="
        let end = grammar.isNested ? StrictGrammar.endOfToken(bytes, from: start) : endOfFormData(bytes, from: start)
        guard end > start else { return refuse(.dispositionForm) }
        let value = end + nameStart.utf8CodeUnitCount
        if bytes.extracting(droppingFirst: end).starts(with: nameStart.description.utf8) {
            return readNames(bytes, from: value, grammar)
        }
        return grammar.isNested ? readFilename(bytes, from: end, grammar) : refuse(.dispositionForm)
    }

    private func endOfFormData(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let type: StaticString = "form-data"
        return ASCII.begins(bytes, at: start, with: type) ? start + type.utf8CodeUnitCount : start
    }

    /// The field of a line and the range of its name; nil for another field or another spelling.
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

        /// The two accepted spellings of the field's name, with the colon.
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
    /// Whether lenient mode finds the same fields in a section; called in debug builds only.
    fileprivate func agreeWithLenientReading(of section: Span<UInt8>) -> Bool {
        guard let lenient = try? HeaderReader.FieldParser.parse(section, .crlf) else { return false }
        return lenient == self && lenient.name == name && lenient.filename == filename
            && lenient.contentType == contentType
    }
}
