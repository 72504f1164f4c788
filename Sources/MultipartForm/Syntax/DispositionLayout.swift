/// Where a Content-Disposition value has its type and parameters; text is decoded only when it is requested.
struct DispositionLayout: Sendable {
    let type: Range<Int>
    private(set) var name = TextRange.none
    private(set) var filename = TextRange.none
    /// A `filename*` parameter that can be decoded.
    private(set) var extendedFilename = TextRange.none

    /// The file name, from `filename*` if that can be decoded, else from `filename` (RFC 6266 §4.3).
    var shownFilename: TextRange { extendedFilename.exists ? extendedFilename : filename }

    /// Where the value ends.
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

    /// The range of a plain quoted string's value, which begins at `start` and ends before a quote.
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
    /// A backslash before a quote or a backslash is an escape. If the value is then malformed, lenient mode tries again
    /// with every backslash literal, since browsers send a value that ends in a raw backslash.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, mode: ParsingMode, isNested: Bool = false) throws(MultipartError) {
        let value = bytes.extracting(..<range.upperBound)
        do {
            try self.init(value, from: range.lowerBound, mode: mode, isNested: isNested, escapes: true)
        } catch {
            guard mode == .lenient, error.code == .malformedContentDisposition,
                range.contains(where: { value[$0] == ASCII.backslash })
            else { throw error }
            try self.init(value, from: range.lowerBound, mode: mode, isNested: isNested, escapes: false)
        }
    }

    private init(
        _ bytes: Span<UInt8>,
        from start: Int,
        mode: ParsingMode,
        isNested: Bool,
        escapes: Bool
    ) throws(MultipartError) {
        var position = start
        while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
        // Nearly every value begins like this; comparing words is faster than scanning bytes.
        let isForm = ASCII.begins(bytes, at: position, with: "form-data;")
        let type = isForm ? position..<position + 9 : Parameters.token(in: bytes, from: position)
        guard !type.isEmpty else { throw MultipartError(.malformedContentDisposition, at: position) }
        self.type = type
        self.end = bytes.count
        self.escapes = escapes

        var checks = Checks()
        if mode == .strict, !isNested, !isForm, !ASCII.matches(bytes, type, "form-data") {
            checks.fail(.invalidDispositionType, at: type.lowerBound)
        }
        var parameters = scanner(mode)
        while let parameter = try parameters.next(in: bytes) {
            guard let value = parameter.value else { continue }
            guard mode == .lenient || parameter.isQuoted || !value.isEmpty else {
                throw MultipartError(.malformedContentDisposition, at: value.lowerBound)
            }
            accept(parameter, value, in: bytes, mode: mode, &checks)
        }
        checks.failForRepetition(in: bytes)
        if let failure = checks.failure { throw failure }
        if mode == .strict {
            guard isNested || name.exists else { throw MultipartError(.missingName, at: start) }
            try refuseEncodedWords(in: bytes)
        }
        let extendedText = extendedFilename.text(in: bytes)
        if extendedText == nil { extendedFilename = .none }
        try refuseCombiningMarks(in: bytes, extendedText)
    }

    /// Some parsers decode a name such as `=?utf-8?q?a?=` (RFC 2047 §2).
    private func refuseEncodedWords(in bytes: Span<UInt8>) throws(MultipartError) {
        for value in [name, filename] {
            guard let range = value.range, Self.mayHaveEncodedWord(bytes.extracting(range)) else { continue }
            throw MultipartError(.encodedWordNotAllowed, at: range.lowerBound)
        }
    }

    /// Whether `=?` occurs, and `?=` after it.
    static func mayHaveEncodedWord(_ text: Span<UInt8>) -> Bool {
        var isOpen = false
        var index = 0
        while index + 1 < text.count {
            switch (text[index], text[index + 1], isOpen) {
            case (ASCII.equals, ASCII.questionMark, false):
                isOpen = true
                index += 2
            case (ASCII.questionMark, ASCII.equals, true):
                return true
            default:
                index += 1
            }
        }
        return false
    }

    /// A program that compares such names as `String` takes quadratic time.
    private func refuseCombiningMarks(in bytes: Span<UInt8>, _ extendedText: String?) throws(MultipartError) {
        // An escape is a backslash before a byte that ends a run of marks with or without it.
        for value in [name, filename] {
            guard let range = value.range, CombiningMarks.exceedLimit(bytes.extracting(range)) else { continue }
            throw MultipartError(.tooManyCombiningMarks, at: range.lowerBound)
        }
        if let range = extendedFilename.range, let extendedText,
            CombiningMarks.exceedLimit(ContiguousArray(extendedText.utf8).span)
        {
            throw MultipartError(.tooManyCombiningMarks, at: range.lowerBound)
        }
    }

    private func scanner(_ mode: ParsingMode) -> Parameters {
        Parameters(field: .contentDisposition, mode: mode, escapes: escapes, position: type.upperBound)
    }

    /// Records a parameter; failed checks are thrown at the end of the value, since its grammar comes first.
    private mutating func accept(
        _ parameter: Parameters.Parameter,
        _ value: Range<Int>,
        in bytes: Span<UInt8>,
        mode: ParsingMode,
        _ checks: inout Checks
    ) {
        let text = TextRange(value, hasEscapes: parameter.hasEscapes)
        let start = parameter.name.lowerBound
        if mode == .strict, parameter.isExtended(in: bytes) {
            checks.fail(.extendedParameterNotAllowed, at: start)
        } else if ASCII.matches(bytes, parameter.name, "name") {
            if name.exists { checks.fail(.duplicateParameter, at: start) }
            name = text
        } else if ASCII.matches(bytes, parameter.name, "filename") {
            if filename.exists { checks.fail(.duplicateParameter, at: start) }
            filename = text
        } else if ASCII.matches(bytes, parameter.name, "filename*") {
            if extendedFilename.exists { checks.fail(.duplicateParameter, at: start) }
            extendedFilename = TextRange(value, hasEscapes: parameter.hasEscapes, isExtended: true)
        } else if mode == .strict {
            checks.names.append(parameter.name)
        }
    }

    /// The first check that failed, and the names that only have to differ.
    private struct Checks {
        var failure: MultipartError?
        var names: [Range<Int>] = []

        mutating func fail(_ code: MultipartError.Code, at offset: Int) {
            failure = failure ?? MultipartError(code, at: offset)
        }

        /// Fails at the first name that occurs again, unless something before it has failed.
        mutating func failForRepetition(in bytes: Span<UInt8>) {
            guard names.count > 1 else { return }
            names.sort { (Self.order($0, $1, in: bytes), $0.lowerBound) < (0, $1.lowerBound) }
            for (name, next) in zip(names, names.dropFirst()) where Self.order(name, next, in: bytes) == 0 {
                guard failure?.offset ?? .max > UInt64(next.lowerBound) else { continue }
                failure = MultipartError(.duplicateParameter, at: next.lowerBound)
            }
        }

        /// The order of two names, letter case ignored: negative, positive, or 0 if they are equal.
        private static func order(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Int {
            guard left.count == right.count else { return left.count - right.count }
            for (left, right) in zip(left, right) {
                let difference = Int(ASCII.lowercased(bytes[left])) - Int(ASCII.lowercased(bytes[right]))
                guard difference == 0 else { return difference }
            }
            return 0
        }
    }
}

extension DispositionLayout {
    /// The parameters, of a value without an error, which lenient mode reads as strict mode does.
    func parameters(in bytes: Span<UInt8>) -> [ContentDisposition.Parameter] {
        var scanner = self.scanner(.lenient)
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
    /// character; the parameter is then ignored.
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

    /// Replaces each `%` and its two digits by a byte; nil if they are not digits, or a byte is not ASCII.
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

/// The value of a part's Content-Disposition field, as received (RFC 7578 §4.2): `form-data; name="…"; filename="…"`.
package struct ContentDisposition: Sendable {
    /// One parameter.
    package struct Parameter: Sendable {
        /// The name, as it was sent; its letter case has no meaning.
        package let name: String

        /// The value, without quotes; empty for a name without a value.
        package let value: String
    }

    /// The disposition type, as it was sent; `form-data` for a part of a form.
    package let type: String

    /// All parameters in the order sent; `filename*` is not decoded.
    package let parameters: [Parameter]

    /// The name of the form's field; nil when it was not sent.
    package let name: String?

    /// The file name as it was sent, from `filename*` if that can be decoded (RFC 6266 §4.3); nil if there is none.
    package let filename: String?

    package init(_ bytes: Span<UInt8>, _ range: Range<Int>, mode: ParsingMode) throws(MultipartError) {
        let layout = try DispositionLayout(bytes, range, mode: mode)
        type = String(repairing: bytes.extracting(layout.type))
        name = layout.name.text(in: bytes)
        filename = layout.shownFilename.text(in: bytes)
        parameters = layout.parameters(in: bytes.extracting(..<range.upperBound))
    }
}
