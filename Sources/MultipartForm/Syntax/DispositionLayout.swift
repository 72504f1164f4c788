/// Where a Content-Disposition value has its type and parameters; text is decoded only when it is requested.
struct DispositionLayout: Sendable, BitwiseCopyable {
    /// A parameter's value as a range of the bytes it was scanned in.
    struct Value: Sendable, BitwiseCopyable {
        private let lower: UInt32
        private let upper: UInt32
        /// Whether a backslash in it may escape the next byte.
        let hasEscapes: Bool

        init(_ range: Range<Int>, hasEscapes: Bool = false) {
            lower = UInt32(range.lowerBound)
            upper = UInt32(range.upperBound)
            self.hasEscapes = hasEscapes
        }

        var range: Range<Int> { Int(lower)..<Int(upper) }
    }

    private(set) var type: Value
    private(set) var name: Value?
    private(set) var filename: Value?
    /// A `filename*` parameter that can be decoded.
    private(set) var extendedFilename: Value?

    /// Where the value ends.
    let end: Int
    /// Whether a backslash in a quoted string may escape the byte after it.
    private let escapes: Bool

    /// Scans `form-data; name="…"`, with or without `; filename="…"`, as browsers and most clients send it.
    ///
    /// Nil for anything else, such as a backslash, a control character or, in strict mode, a byte beyond ASCII.
    init?(plain bytes: Span<UInt8>, from start: Int, mode: ParsingMode) {
        let isStrict = mode == .strict
        guard ASCII.begins(bytes, at: start, with: "form-data; name=\"") else { return nil }
        let name = start + 17..<ASCII.endOfPlainQuotedText(bytes, from: start + 17, isStrict: isStrict)
        guard name.upperBound < bytes.count, bytes[name.upperBound] == ASCII.quote else { return nil }
        self.type = Value(start..<start + 9)
        self.name = Value(name)
        var end = name.upperBound + 1
        if ASCII.begins(bytes, at: end, with: "; filename=\"") {
            let filename = end + 12..<ASCII.endOfPlainQuotedText(bytes, from: end + 12, isStrict: isStrict)
            guard filename.upperBound < bytes.count, bytes[filename.upperBound] == ASCII.quote else { return nil }
            self.filename = Value(filename)
            end = filename.upperBound + 1
        }
        self.end = end
        self.escapes = true
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
        self.type = Value(type)
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
        if mode == .strict, !isNested, name == nil { throw MultipartError(.missingName, at: start) }
        if let extended = extendedFilename, Self.decodeExtended(bytes, extended) == nil { extendedFilename = nil }
    }

    private func scanner(_ mode: ParsingMode) -> Parameters {
        Parameters(field: .contentDisposition, mode: mode, escapes: escapes, position: type.range.upperBound)
    }

    /// Records a parameter; failed checks are thrown at the end of the value, since its grammar comes first.
    private mutating func accept(
        _ parameter: Parameters.Parameter,
        _ value: Range<Int>,
        in bytes: Span<UInt8>,
        mode: ParsingMode,
        _ checks: inout Checks
    ) {
        let place = Value(value, hasEscapes: parameter.hasEscapes)
        let start = parameter.name.lowerBound
        if mode == .strict, parameter.isExtended(in: bytes) {
            checks.fail(.extendedParameterNotAllowed, at: start)
        } else if ASCII.matches(bytes, parameter.name, "name") {
            if name != nil { checks.fail(.duplicateParameter, at: start) }
            name = place
        } else if ASCII.matches(bytes, parameter.name, "filename") {
            if filename != nil { checks.fail(.duplicateParameter, at: start) }
            filename = place
        } else if ASCII.matches(bytes, parameter.name, "filename*") {
            if extendedFilename != nil { checks.fail(.duplicateParameter, at: start) }
            extendedFilename = place
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
            let value = parameter.value.map { text(Value($0, hasEscapes: parameter.hasEscapes), in: bytes) }
            let name = String(repairing: bytes.extracting(parameter.name))
            result.append(ContentDisposition.Parameter(name: name, value: value ?? ""))
        }
        return result
    }

    func text(_ value: Value, in bytes: Span<UInt8>) -> String {
        guard value.hasEscapes else { return String(repairing: bytes.extracting(value.range)) }
        return String(repairing: Parameters.unescape(bytes, value.range, hasEscapes: true, everyPair: false).span)
    }

    /// The file name, from `filename*` if that can be decoded, else from `filename` (RFC 6266 §4.3).
    func filenameText(in bytes: Span<UInt8>) -> String? {
        if let extendedFilename { return Self.decodeExtended(bytes, extendedFilename) }
        return filename.map { text($0, in: bytes) }
    }

    /// Decodes `charset'language'value` (RFC 8187 §3.2.1) in UTF-8 or ISO-8859-1.
    ///
    /// Nil for another character set, a malformed percent escape, bytes that are not in the character set, or a control
    /// character; the parameter is then ignored.
    private static func decodeExtended(_ bytes: Span<UInt8>, _ value: Value) -> String? {
        let text = Parameters.unescape(bytes, value.range, hasEscapes: value.hasEscapes, everyPair: false)
        guard let first = text.firstIndex(of: ASCII.apostrophe),
            let second = text[(first + 1)...].firstIndex(of: ASCII.apostrophe)
        else { return nil }

        var decoded: ContiguousArray<UInt8> = []
        var rest = text[(second + 1)...].makeIterator()
        while let byte = rest.next() {
            guard byte < 0x80 else { return nil }
            if byte == ASCII.percent {
                guard let high = rest.next().flatMap(ASCII.hexadecimalValue),
                    let low = rest.next().flatMap(ASCII.hexadecimalValue)
                else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(byte)
            }
        }

        let isLatin = ASCII.matches(text.span, 0..<first, "iso-8859-1")
        guard isLatin || ASCII.matches(text.span, 0..<first, "utf-8") && String.isUTF8(decoded.span) else { return nil }
        let result =
            isLatin
            ? String(String.UnicodeScalarView(decoded.map { Unicode.Scalar($0) }))
            : String(decoding: decoded, as: UTF8.self)
        // Unicode has no other control characters, and will have none.
        let hasControl = result.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        return hasControl ? nil : result
    }
}
