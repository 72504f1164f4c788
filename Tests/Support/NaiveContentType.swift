package import MultipartFormCodec

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
        let start = type.count + 1 + subtype.count
        let rest = NaiveHeaders.trim(Array(text.dropFirst(start)))
        guard rest.isEmpty || rest[0] == 59 else { throw malformed }
        var boundary: [UInt8]?
        var failure: Failure?
        for piece in try pieces(rest).dropFirst() {
            guard let (name, value) = try parameter(in: piece), name == "boundary" else { continue }
            if boundary != nil { failure = failure ?? Failure(code: "duplicate-parameter") }
            boundary = value
        }
        if let failure { throw failure }
        guard var boundary else { throw Failure(code: "missing-boundary") }
        while boundary.last == 32 || boundary.last == 9 { boundary.removeLast() }
        guard 1...256 ~= boundary.count, !boundary.contains(where: { $0 < 32 || $0 == 127 }) else {
            throw Failure(code: "invalid-boundary")
        }
        if isStrict {
            let characters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_-./:=? ".utf8)
            guard boundary.count <= 70, boundary.allSatisfy(characters.contains),
                boundary.contains(where: { $0 != 48 && NaiveHeaders.isAlphanumeric($0) })
            else {
                throw Failure(code: "invalid-boundary")
            }
            guard NaiveGrammar.accepts(contentType: value) else { throw Failure(code: "ambiguous-header") }
        }
        return boundary
    }

    /// The name of a parameter, in lower case, and its value.
    private func parameter(in piece: [UInt8]) throws(Failure) -> (String, [UInt8])? {
        let malformed = Failure(code: "malformed-content-type")
        guard !NaiveHeaders.trim(piece).isEmpty else { return nil }
        guard let equals = piece.firstIndex(of: 61) else {
            guard NaiveHeaders.isToken(NaiveHeaders.trim(piece)) else { throw malformed }
            return nil
        }
        let name = NaiveHeaders.trim(Array(piece[..<equals]))
        let text = NaiveHeaders.trim(Array(piece[(equals + 1)...]))
        guard NaiveHeaders.isToken(name) else { throw malformed }
        guard text.first != 34 else { return (Self.lowercased(name), try unquote(text)) }
        guard !text.contains(34), !NaiveHeaders.lacksSemicolon(text) else { throw malformed }
        return (Self.lowercased(name), text)
    }

    /// The text between semicolons outside quotes, without leading white space. A quote opens a quoted string only
    /// right after "=".
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

    private static func token(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(bytes.prefix { NaiveHeaders.isToken([$0]) })
    }

    private static func lowercased(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
