/// Where the type, the name and the file name are in a Content-Disposition value. Their text is decoded on request.
struct DispositionLayout: Sendable {
    let type: Range<Int>
    private(set) var name = TextRange.none
    private(set) var filename = TextRange.none
    /// A `filename*` parameter that can be decoded.
    private(set) var extendedFilename = TextRange.none

    /// The file name, from `filename*` if that can be decoded, else from `filename` (RFC 6266 §4.3).
    var shownFilename: TextRange { extendedFilename.exists ? extendedFilename : filename }

    /// The offset at which the value ends.
    let end: Int
    /// Whether a backslash in a quoted string may escape the byte after it.
    private let escapes: Bool

    /// Scans `form-data; name="…"`, with or without `; filename="…"`, as browsers and most clients send it.
    ///
    /// Nil for anything else, such as a backslash, a control character or too many combining marks.
    init?(plain bytes: Span<UInt8>, from start: Int) {
        let type: StaticString = "form-data"
        let nameStart: StaticString = "form-data; name=\""
        let filenameStart: StaticString = "; filename=\""
        guard ASCII.begins(bytes, at: start, with: nameStart),
            let name = Self.plainValue(in: bytes, from: start + nameStart.utf8CodeUnitCount)
        else { return nil }
        self.type = start..<start + type.utf8CodeUnitCount
        self.name = TextRange(name)
        var end = name.upperBound + 1
        if ASCII.begins(bytes, at: end, with: filenameStart) {
            guard let filename = Self.plainValue(in: bytes, from: end + filenameStart.utf8CodeUnitCount) else {
                return nil
            }
            self.filename = TextRange(filename)
            end = filename.upperBound + 1
        }
        self.end = end
        self.escapes = true
    }

    /// The range of a quoted string's value, from `start` to its closing quote; nil if it has a backslash, a control
    /// character or too many combining marks.
    @inline(__always)
    private static func plainValue(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        let end = ASCII.endOfPlainQuotedText(bytes, from: start)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        let value = start..<end
        guard !CombiningMarks.exceedLimit(bytes.extracting(value)) else { return nil }
        return value
    }

    /// Scans `bytes[range]`.
    ///
    /// First reads a backslash before a quote or a backslash as an escape. If the value is malformed in this reading,
    /// reads every backslash literally, because browsers send values that end in a raw backslash.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(MultipartError) {
        let value = bytes.extracting(..<range.upperBound)
        do {
            try self.init(value, from: range.lowerBound, escapes: true)
        } catch {
            guard error.code == ErrorCode.malformedContentDisposition,
                range.contains(where: { value[$0] == ASCII.backslash })
            else { throw error }
            try self.init(value, from: range.lowerBound, escapes: false)
        }
    }

    private init(_ bytes: Span<UInt8>, from start: Int, escapes: Bool) throws(MultipartError) {
        var position = start
        while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
        // Nearly every value begins like this; comparing words is faster than scanning bytes.
        let isForm = ASCII.begins(bytes, at: position, with: "form-data;")
        let type = isForm ? position..<position + 9 : Parameters.token(in: bytes, from: position)
        guard !type.isEmpty else { throw MultipartError(ErrorCode.malformedContentDisposition, at: position) }
        self.type = type
        self.end = bytes.count
        self.escapes = escapes

        // The offset of the first repeated parameter. Its error is thrown only after the whole value has been read,
        // because an error of the grammar comes first.
        var repetition: Int?
        var parameters = scanner
        while let parameter = try parameters.next(in: bytes) {
            guard let value = parameter.value else { continue }
            let isFirst = accept(parameter, value, in: bytes)
            if !isFirst, repetition == nil { repetition = parameter.name.lowerBound }
        }
        if let repetition { throw MultipartError(ErrorCode.duplicateParameter, at: repetition) }
        let extendedText = extendedFilename.text(in: bytes)
        if extendedText == nil { extendedFilename = .none }
        try checkCombiningMarks(in: bytes, extendedText)
    }

    /// Throws if a name has too many combining marks, because comparing such names as `String` takes quadratic time.
    private func checkCombiningMarks(in bytes: Span<UInt8>, _ extendedText: String?) throws(MultipartError) {
        // Escapes need no decoding: a backslash and the byte it escapes both end a run of marks.
        for value in [name, filename] {
            guard let range = value.range, CombiningMarks.exceedLimit(bytes.extracting(range)) else { continue }
            throw MultipartError(ErrorCode.tooManyCombiningMarks, at: range.lowerBound)
        }
        if let range = extendedFilename.range, let extendedText,
            CombiningMarks.exceedLimit(ContiguousArray(extendedText.utf8).span)
        {
            throw MultipartError(ErrorCode.tooManyCombiningMarks, at: range.lowerBound)
        }
    }

    private var scanner: Parameters {
        Parameters(field: .contentDisposition, escapes: escapes, position: type.upperBound)
    }

    /// Keeps a parameter if it is a name or a file name; false if there was one with the same name before.
    private mutating func accept(_ parameter: Parameters.Parameter, _ value: Range<Int>, in bytes: Span<UInt8>) -> Bool
    {
        let text = TextRange(value, hasEscapes: parameter.hasEscapes)
        if ASCII.matches(bytes, parameter.name, "name") {
            defer { name = text }
            return !name.exists
        } else if ASCII.matches(bytes, parameter.name, "filename") {
            defer { filename = text }
            return !filename.exists
        } else if ASCII.matches(bytes, parameter.name, "filename*") {
            defer { extendedFilename = TextRange(value, hasEscapes: parameter.hasEscapes, isExtended: true) }
            return !extendedFilename.exists
        }
        return true
    }
}

extension DispositionLayout {
    /// All parameters, with decoded names and values. Precondition: the value has no error.
    func parameters(in bytes: Span<UInt8>) -> [ContentDisposition.Parameter] {
        var scanner = self.scanner
        var result: [ContentDisposition.Parameter] = []
        while let parameter = try? scanner.next(in: bytes) {
            let value = parameter.value.map { TextRange($0, hasEscapes: parameter.hasEscapes) } ?? .none
            let name = String(repairing: bytes.extracting(parameter.name))
            result.append(ContentDisposition.Parameter(name: name, value: value.text(in: bytes) ?? ""))
        }
        return result
    }

    /// Decodes `charset'language'value` (RFC 8187 §3.2.1) in UTF-8 or ISO-8859-1.
    ///
    /// Nil for another character set, a malformed percent escape, bytes that are not in the character set, or a control
    /// character. The caller then ignores the parameter.
    static func decodeExtended(_ bytes: Span<UInt8>, _ value: Range<Int>, hasEscapes: Bool) -> String? {
        let text = Parameters.unescape(bytes, value, hasEscapes: hasEscapes, everyPair: false)
        guard let first = text.firstIndex(of: ASCII.apostrophe),
            let second = text[(first + 1)...].firstIndex(of: ASCII.apostrophe)
        else { return nil }
        guard let decoded = percentDecoded(text[(second + 1)...]) else { return nil }
        let result: String
        if ASCII.matches(text.span, 0..<first, "iso-8859-1") {
            result = String(String.UnicodeScalarView(decoded.map { Unicode.Scalar($0) }))
        } else if ASCII.matches(text.span, 0..<first, "utf-8"), let decoded = String(validating: decoded.span) {
            result = decoded
        } else {
            return nil
        }
        // Unicode has no other control characters, and will have none.
        let hasControl = result.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        return hasControl ? nil : result
    }

    /// Replaces each `%` and the two hexadecimal digits after it by a byte; nil if a digit is missing, or if a byte of
    /// the text is not ASCII.
    private static func percentDecoded(_ text: some Sequence<UInt8>) -> ContiguousArray<UInt8>? {
        var decoded: ContiguousArray<UInt8> = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte < 0x80 else { return nil }
            guard byte == ASCII.percent else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(ASCII.hexadecimalValue),
                let low = rest.next().flatMap(ASCII.hexadecimalValue)
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}
