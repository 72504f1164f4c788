/// The ranges of the type, the name and the file name in a Content-Disposition value. The text in a range is decoded
/// only on request.
struct DispositionLayout: Sendable {
    let type: Range<Int>
    private(set) var name = TextRange.none
    private(set) var filename = TextRange.none
    /// The value of `filename*`, if the value can be decoded; otherwise ``TextRange/none``.
    private(set) var extendedFilename = TextRange.none

    /// The effective file name: the value of `filename*` if that value can be decoded, otherwise the value of
    /// `filename` (RFC 6266 §4.3).
    var shownFilename: TextRange { extendedFilename.exists ? extendedFilename : filename }

    /// The offset after the last scanned byte.
    let end: Int
    /// Whether a backslash in a quoted string may escape the next byte. If false, every backslash is literal.
    private let escapes: Bool

    /// Scans `form-data; name="…"` or `form-data; name="…"; filename="…"`, as browsers and most clients send the value.
    ///
    /// Returns nil in these cases:
    /// - The bytes at `start` match neither pattern.
    /// - The name or the file name has a backslash or a control character.
    /// - The name or the file name has more combining marks in a row than ``CombiningMarks/limit``.
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

    /// Returns the range of a quoted string's text, from `start` to the closing quote.
    ///
    /// Returns nil if the closing quote is missing, or if the text has a backslash, a control character, or more
    /// combining marks in a row than ``CombiningMarks/limit``.
    @inline(__always)
    private static func plainValue(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        let end = ASCII.endOfPlainQuotedText(bytes, from: start)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        let value = start..<end
        guard !CombiningMarks.exceedLimit(bytes.extracting(value)) else { return nil }
        return value
    }

    /// Scans the Content-Disposition value `bytes[range]`.
    ///
    /// The first attempt reads `\"` and `\\` as escapes. If the value is then malformed, the second attempt reads every
    /// backslash literally. For instance, browsers send `name="a\"` for the name `a\`.
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
        // Nearly every value begins with this text. Comparing eight bytes at a time is faster than scanning a token.
        let isForm = ASCII.begins(bytes, at: position, with: "form-data;")
        let type = isForm ? position..<position + 9 : try Self.type(in: bytes, from: position)
        guard !type.isEmpty else { throw MultipartError(ErrorCode.malformedContentDisposition, at: position) }
        self.type = type
        self.end = bytes.count
        self.escapes = escapes

        // The offset of the first parameter that repeats an earlier one. The initializer throws the error for it only
        // after the loop, because a grammar error anywhere in the value takes precedence.
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

    /// Returns the range of the disposition type; an empty range if there is none.
    ///
    /// The type is a token (RFC 2183 §2). The function also accepts a media type, such as `multipart/form-data`,
    /// because some clients send a media type, and most receivers ignore the disposition type.
    private static func type(in bytes: Span<UInt8>, from start: Int) throws(MultipartError) -> Range<Int> {
        let type = Parameters.token(in: bytes, from: start)
        guard !type.isEmpty, type.upperBound < bytes.count, bytes[type.upperBound] == ASCII.slash else { return type }
        let subtype = Parameters.token(in: bytes, from: type.upperBound + 1)
        guard !subtype.isEmpty else {
            let reason = "disposition type has a slash and no subtype"
            throw MultipartError(ErrorCode.malformedContentDisposition, reason, at: subtype.lowerBound)
        }
        return start..<subtype.upperBound
    }

    /// Throws if the name or the file name has too many combining marks in a row. Comparing strings with many combining
    /// marks in a row takes quadratic time.
    private func checkCombiningMarks(in bytes: Span<UInt8>, _ extendedText: String?) throws(MultipartError) {
        // Checks the name and the file name with their escapes, `\"` and `\\`. Unescaping them first would give the
        // same result: each escape becomes a quote or a backslash, which still separates the marks before it from those
        // after it.
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

    /// Stores the range of a `name`, `filename` or `filename*` parameter, and ignores any other parameter. Returns
    /// false if a parameter with the same name was stored before.
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
    /// Returns all parameters, with escapes removed from their values.
    ///
    /// - Precondition: An initializer of ``DispositionLayout`` has accepted the value in `bytes`.
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

    /// Decodes an extended value, `charset'language'value` (RFC 8187 §3.2.1), in UTF-8 or ISO-8859-1.
    ///
    /// Returns nil in these cases, and the caller then ignores the parameter:
    /// - An apostrophe is missing.
    /// - The character set is neither UTF-8 nor ISO-8859-1.
    /// - A percent escape is malformed.
    /// - The text before percent-decoding is not ASCII.
    /// - The decoded bytes are not valid in the character set.
    /// - The decoded text has a control character.
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
        // Unicode's control characters are U+0000–U+001F and U+007F–U+009F. Unicode's stability policy guarantees that
        // no control character is added.
        let hasControl = result.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        return hasControl ? nil : result
    }

    /// Decodes percent escapes to bytes. Returns nil if an escape is malformed, or if the text has a byte outside
    /// ASCII.
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
