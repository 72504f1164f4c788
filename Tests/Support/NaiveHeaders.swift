import Foundation

/// The header half of ``NaiveParser``.
struct NaiveHeaders {
    typealias Failure = NaiveParser.Failure

    private let lines: [[UInt8]]

    init(_ lines: [[UInt8]]) {
        self.lines = lines
    }

    /// The part; if there is a grammar that its lines must have, those of the message's dash-boundary.
    func part(inGrammarOf dash: [UInt8]? = nil) throws(Failure) -> CasePart {
        let fields = try fields()
        func values(_ name: String) -> [[UInt8]] { fields.filter { $0.0.lowercased() == name }.map(\.1) }
        let dispositions = values("content-disposition")
        let types = values("content-type")
        if dispositions.count > 1 { throw Failure(code: "duplicate-header") }
        var parameters: [String: [UInt8]] = [:]
        if let value = dispositions.first { parameters = try disposition(value) }
        let names = [parameters["name"], parameters["filename"]].compactMap(\.self)
        let extended = parameters["filename*"].flatMap(Self.extended)
        for text in names.map(Self.text) + [extended].compactMap(\.self) where Self.hasTooManyMarks(text) {
            throw Failure(code: "too-many-combining-marks")
        }
        if let dash, !NaiveGrammar.accepts(lines, dash: dash) { throw Failure(code: "ambiguous-header") }
        return CasePart(
            name: parameters["name"].map(Self.text),
            filename: extended ?? parameters["filename"].map(Self.text),
            contentType: types.last.map(Self.text),
            headers: fields.map { [$0.0, Self.text($0.1)] },
            body: Data()
        )
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func isUTF8(_ bytes: [UInt8]) -> Bool { validText(bytes) != nil }

    /// The text of bytes that are UTF-8: they need no repair.
    private static func validText(_ bytes: [UInt8]) -> String? {
        let text = text(bytes)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// Whether each byte is a character of a token.
    private static let isTokenCharacter = {
        let letters = Array("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        return (UInt8.min...UInt8.max).map(letters.contains)
    }()

    static func isToken(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isTokenCharacter[Int($0)] }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        [48...57, 65...90, 97...122].contains { $0.contains(byte) }
    }

    /// A length of 1 to 19 digits.
    static func length(_ text: [UInt8]) -> UInt64? {
        guard 1...19 ~= text.count, text.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return UInt64(Self.text(text))
    }

    /// Whether the text has more than 30 characters of a combining class other than zero in a row.
    static func hasTooManyMarks(_ text: String) -> Bool {
        text.unicodeScalars.split { $0.properties.canonicalCombiningClass == .notReordered }.contains { $0.count > 30 }
    }

    /// Whether the text has white space, a token, optional white space and "=" in a row.
    static func lacksSemicolon(_ text: [UInt8]) -> Bool {
        text.split(separator: 61, omittingEmptySubsequences: false).dropLast().contains { piece in
            let before = piece.reversed().drop { $0 == 32 || $0 == 9 }
            let rest = before.drop { isToken([$0]) }
            return rest.count < before.count && (rest.first == 32 || rest.first == 9)
        }
    }

    static func trim(_ bytes: [UInt8]) -> [UInt8] {
        let isText = { (byte: UInt8) in byte != 32 && byte != 9 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return [] }
        return Array(bytes[first...last])
    }

    func fields() throws(Failure) -> [(String, [UInt8])] {
        var result: [(String, [UInt8])] = []
        for line in lines {
            let isIndented = line[0] == 32 || line[0] == 9
            if isIndented, let last = result.popLast() {
                result.append((last.0, last.1 + [32] + Self.trim(line)))
                continue
            }
            guard let colon = line.firstIndex(of: 58) else { throw Failure(code: "malformed-header") }
            let name = Self.trim(Array(line[..<colon]))
            guard Self.isToken(name) else { throw Failure(code: "malformed-header") }
            result.append((Self.text(name), Self.trim(Array(line[(colon + 1)...]))))
        }
        return result.map { ($0.0, Self.trim($0.1)) }
    }

    private func disposition(_ value: [UInt8]) throws(Failure) -> [String: [UInt8]] {
        do {
            return try Self.disposition(value, escapes: true)
        } catch {
            guard error.code == "malformed-content-disposition", value.contains(92) else { throw error }
            return try Self.disposition(value, escapes: false)
        }
    }

    private static func disposition(_ value: [UInt8], escapes: Bool) throws(Failure) -> [String: [UInt8]] {
        let malformed = Failure(code: "malformed-content-disposition")
        let pieces = try split(value, escapes: escapes)
        // A disposition type or a media type.
        let type = pieces[0].split(separator: 47, maxSplits: 1, omittingEmptySubsequences: false)
        guard type.allSatisfy({ isToken(Array($0)) }) else { throw malformed }
        var found: [(String, [UInt8])] = []
        for piece in pieces.dropFirst() where !piece.isEmpty {
            guard let equals = piece.firstIndex(of: 61) else {
                guard isToken(piece) else { throw malformed }
                continue
            }
            let (name, value) = (trim(Array(piece[..<equals])), trim(Array(piece[(equals + 1)...])))
            guard isToken(name) else { throw malformed }
            if value.first == 34 {
                found.append((text(name).lowercased(), try unquote(value, escapes: escapes)))
            } else {
                guard !value.contains(34), !lacksSemicolon(value) else { throw malformed }
                found.append((text(name).lowercased(), value))
            }
        }
        var result: [String: [UInt8]] = [:]
        for (name, value) in found {
            guard result[name] == nil else {
                guard !["name", "filename", "filename*"].contains(name) else {
                    throw Failure(code: "duplicate-parameter")
                }
                continue
            }
            result[name] = value
        }
        return result
    }

    /// Splits at semicolons outside quotes. A quote opens a quoted string only right after "=".
    private static func split(_ value: [UInt8], escapes: Bool) throws(Failure) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        var index = 0
        while index < value.count {
            let byte = value[index]
            let last = pieces.count - 1
            if isQuoted, escapes, byte == 92, index + 1 < value.count {
                pieces[last] += [byte, value[index + 1]]
                index += 2
                continue
            }
            if byte == 34 {
                let before = trim(pieces[last])
                if isQuoted {
                    isQuoted = false
                } else if before.last == 61, before.firstIndex(of: 61) == before.count - 1 {
                    isQuoted = true
                }
            }
            if byte == 59, !isQuoted { pieces.append([]) } else { pieces[last].append(byte) }
            index += 1
        }
        guard !isQuoted else { throw Failure(code: "malformed-content-disposition") }
        return pieces.map(trim)
    }

    private static func unquote(_ text: [UInt8], escapes: Bool) throws(Failure) -> [UInt8] {
        var result: [UInt8] = []
        var index = 1
        while index < text.count, text[index] != 34 {
            let isPair = escapes && text[index] == 92 && index + 1 < text.count && [34, 92].contains(text[index + 1])
            if isPair { index += 1 }
            result.append(text[index])
            index += 1
        }
        guard index == text.count - 1 else { throw Failure(code: "malformed-content-disposition") }
        return result
    }

    private static func extended(_ value: [UInt8]) -> String? {
        let pieces = value.split(separator: 39, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
        guard pieces.count == 3, pieces[2].allSatisfy({ $0 < 128 }) else { return nil }
        var bytes: [UInt8] = []
        var rest = pieces[2][...]
        while let byte = rest.popFirst() {
            guard byte == 37 else {
                bytes.append(byte)
                continue
            }
            let digits = text(Array(rest.prefix(2)))
            guard digits.utf8.count == 2, !digits.contains("+"), !digits.contains("-"),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        let charset = text(pieces[0]).lowercased()
        let decoded =
            charset == "utf-8"
            ? validText(bytes)
            : charset == "iso-8859-1" ? String(data: Data(bytes), encoding: .isoLatin1) : nil
        guard let decoded, !decoded.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
        return decoded
    }
}
