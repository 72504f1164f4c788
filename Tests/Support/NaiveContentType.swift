package import MultipartForm

/// A naive parser of Content-Type: pieces and plain loops, sharing nothing with the library's scanner.
package struct NaiveContentType {
    private typealias Failure = NaiveParser.Failure

    private let value: [UInt8]
    private let isStrict: Bool

    package init(_ value: String, mode: ParsingMode) {
        self.value = Array(value.utf8)
        self.isStrict = mode == .strict
    }

    /// The boundary's bytes, or the code of the error.
    package func boundary() -> Result<[UInt8], NaiveParser.Failure> {
        Result { () throws(NaiveParser.Failure) in try read() }
    }

    private func read() throws(Failure) -> [UInt8] {
        let malformed = Failure(code: "malformed-content-type")
        guard !value.contains(where: { ($0 < 32 && $0 != 9) || $0 == 127 }) else { throw malformed }
        let text = NaiveHeaders.trim(value)
        let type = Self.token(text[...])
        guard !type.isEmpty, text.dropFirst(type.count).first == 47 else { throw malformed }
        let subtype = Self.token(text.dropFirst(type.count + 1))
        guard !subtype.isEmpty else { throw malformed }
        guard Self.lowercased(type) == "multipart", Self.lowercased(subtype) == "form-data" else {
            throw Failure(code: "unsupported-media-type")
        }
        let rest = NaiveHeaders.trim(Array(text.dropFirst(type.count + 1 + subtype.count)))
        guard rest.isEmpty || rest[0] == 59 else { throw malformed }
        var boundary: [UInt8]?
        var failure: Failure?
        for piece in try pieces(rest).dropFirst() {
            guard let (name, value) = try parameter(in: piece) else { continue }
            if isStrict, name.contains("*") {
                failure = failure ?? Failure(code: "extended-parameter-not-allowed")
            } else if name == "boundary" {
                if boundary != nil { failure = failure ?? Failure(code: "duplicate-parameter") }
                boundary = value
            }
        }
        if let failure { throw failure }
        guard let boundary else { throw Failure(code: "missing-boundary") }
        return try validated(boundary)
    }

    /// The name of a parameter, in lower case, and its value.
    private func parameter(in piece: [UInt8]) throws(Failure) -> (String, [UInt8])? {
        let malformed = Failure(code: "malformed-content-type")
        guard !NaiveHeaders.trim(piece).isEmpty else { return nil }
        guard let equals = piece.firstIndex(of: 61) else {
            guard !isStrict, NaiveHeaders.isToken(NaiveHeaders.trim(piece)) else { throw malformed }
            return nil
        }
        let (left, right) = (Array(piece[..<equals]), Array(piece[(equals + 1)...]))
        let (name, text) = (NaiveHeaders.trim(left), NaiveHeaders.trim(right))
        let isTight = name == left && right.first != 32 && right.first != 9
        guard NaiveHeaders.isToken(name), !isStrict || isTight else { throw malformed }
        let key = Self.lowercased(name)
        guard text.first == 34 else {
            let isFine =
                isStrict
                ? NaiveHeaders.isToken(text) || (key == "boundary" && text.isEmpty)
                : !text.contains(34) && !NaiveHeaders.lacksSemicolon(text)
            guard isFine else { throw malformed }
            return (key, text)
        }
        return (key, try unquote(text))
    }

    /// The text between semicolons outside quotes, without leading white space. A quote opens a quoted string only right
    /// after "=".
    private func pieces(_ text: [UInt8]) throws(Failure) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        var index = 0
        while index < text.count {
            let byte = text[index]
            let last = pieces.count - 1
            if isQuoted, byte == 92, index + 1 < text.count {
                pieces[last] += text[index...index + 1]
                index += 2
                continue
            }
            if byte == 34 {
                let before = NaiveHeaders.trim(pieces[last])
                isQuoted = !isQuoted && before.last == 61 && before.firstIndex(of: 61) == before.count - 1
            }
            if byte == 59, !isQuoted {
                pieces.append([])
            } else if !pieces[last].isEmpty || (byte != 32 && byte != 9) {
                pieces[last].append(byte)
            }
            index += 1
        }
        guard !isQuoted else { throw Failure(code: "malformed-content-type") }
        return pieces
    }

    private func unquote(_ text: [UInt8]) throws(Failure) -> [UInt8] {
        var result: [UInt8] = []
        var index = 1
        while index < text.count, text[index] != 34 {
            if text[index] == 92, index + 1 < text.count { index += 1 }
            result.append(text[index])
            index += 1
        }
        guard index == text.count - 1 else { throw Failure(code: "malformed-content-type") }
        return result
    }

    private func validated(_ boundary: [UInt8]) throws(Failure) -> [UInt8] {
        var boundary = boundary
        if !isStrict {
            while boundary.last == 32 || boundary.last == 9 { boundary.removeLast() }
        }
        let letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? "
        let isValid =
            isStrict
            ? boundary.count <= 70 && boundary.last != 32 && boundary.allSatisfy(Array(letters.utf8).contains)
            : boundary.count <= 256 && !boundary.contains { $0 < 32 || $0 == 127 }
        guard isValid, !boundary.isEmpty else { throw Failure(code: "invalid-boundary") }
        return boundary
    }

    private static func token(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(bytes.prefix { NaiveHeaders.isToken([$0]) })
    }

    private static func lowercased(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
