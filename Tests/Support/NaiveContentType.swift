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
        let start = type.count + 1 + subtype.count
        guard !isStrict else { return try strictBoundary(in: text, from: start) }
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
        return boundary
    }

    private func strictBoundary(in text: [UInt8], from start: Int) throws(Failure) -> [UInt8] {
        var parameters = NaiveParameters(
            text[start...],
            malformed: "malformed-content-type",
            backslash: "invalid-boundary"
        )
        var boundary: NaiveParameters.Parameter?
        var failure: Failure?
        while let parameter = try parameters.next() {
            let mayBeEmpty = parameter.isQuoted || ["", "boundary"].contains(parameter.name)
            guard mayBeEmpty || !parameter.value.isEmpty else { throw Failure(code: "malformed-content-type") }
            if parameter.name.contains("*") {
                failure = failure ?? Failure(code: "extended-parameter-not-allowed")
            } else if parameter.name == "boundary" {
                if boundary != nil { failure = failure ?? Failure(code: "duplicate-parameter") }
                boundary = parameter
            }
        }
        if let failure { throw failure }
        guard let boundary else { throw Failure(code: "missing-boundary") }
        let (before, after) = (text[..<boundary.place.lowerBound], text[boundary.place.upperBound...])
        guard Self.afterBoundary(before).isEmpty, !Self.afterBoundary(after).contains(61) else {
            throw Failure(code: "duplicate-parameter")
        }
        let characters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_-./:=? ".utf8)
        let value = boundary.value
        guard 1...70 ~= value.count, value.last != 32, value.allSatisfy(characters.contains) else {
            throw Failure(code: "invalid-boundary")
        }
        guard NaiveGrammar.accepts(contentType: text) else { throw Failure(code: "ambiguous-header") }
        return value
    }

    /// The first byte other than white space after each "boundary" in the text, in capitals or not; zero at the end.
    private static func afterBoundary(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.indices.compactMap { start in
            guard lowercased(Array(text[start...].prefix(8))) == "boundary" else { return nil }
            return text[(start + 8)...].first { $0 != 32 && $0 != 9 } ?? 0
        }
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
