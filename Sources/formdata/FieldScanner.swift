/// Scans what follows the `=` of a field in curl's syntax.
///
/// - Input: the bytes of a value, or of paths, with parameters behind them.
/// - Output: words with their quotes undone, and the parameters `type` and `filename`.
/// - Invariant: `position` only grows.
/// - Cost: linear, but for the search for the parameters of an unquoted value, which looks a few bytes ahead of each
///   semicolon.
struct FieldScanner {
    /// What stands behind a value or a path.
    struct Parameters {
        /// The media type, parameters of its own included.
        var type: String?
        /// The file name.
        var filename: String?
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Creates a scanner.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all is scanned.
    var isAtEnd: Bool { position == bytes.count }

    /// Leaves out some bytes.
    mutating func skip(_ count: Int) {
        position = min(position + count, bytes.count)
    }

    /// A text field's value: a quoted word, or all up to the first known parameter.
    mutating func value() -> String {
        if let quoted = quotedWord(inList: false) { return quoted }
        let start = position
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: ";"), knownParameter(behind: position) != nil { break }
            position += 1
        }
        return text(start..<position)
    }

    /// A path or file name: a quoted word, or all up to a semicolon, or to a comma in a list.
    mutating func word(inList: Bool) -> String {
        skipWhitespace()
        if let quoted = quotedWord(inList: inList) { return quoted }
        let start = position
        while position < bytes.count, !isEnd(bytes[position], inList) { position += 1 }
        return text(trimmed(start..<position))
    }

    /// The parameters up to the end, or to a comma in a list.
    ///
    /// - Throws: ``ToolError`` for a parameter that is unknown or malformed.
    mutating func parameters(inList: Bool) throws -> Parameters {
        var parameters = Parameters()
        // Each turn scans a semicolon at least.
        while position < bytes.count, bytes[position] == UInt8(ascii: ";") {
            guard let (name, start) = knownParameter(behind: position) else {
                position += 1
                let word = word(inList: inList)
                guard word.isEmpty else { throw ToolError.usage("field has an unknown parameter ;\(word)") }
                continue
            }
            position = start
            switch name {
            case "type": parameters.type = try mediaType(inList: inList)
            case "filename": parameters.filename = word(inList: inList)
            default: throw ToolError.usage("field parameter ;\(name)= is not supported")
            }
        }
        return parameters
    }

    /// A media type with its own parameters, up to the next parameter of the field.
    private mutating func mediaType(inList: Bool) throws -> String {
        skipWhitespace()
        let start = position
        var isQuoted = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            let isComma = inList && byte == UInt8(ascii: ",")
            let isNext = byte == UInt8(ascii: ";") && knownParameter(behind: position) != nil
            if !isQuoted, isComma || isNext { break }
            position += 1
        }
        let type = text(trimmed(start..<position))
        let halves = type.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else {
            throw ToolError.usage("field has a malformed type \(type)")
        }
        return type
    }

    /// A word in quotes with nothing but white space between it and its end; otherwise its quotes mean nothing.
    private mutating func quotedWord(inList: Bool) -> String? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        var word: [UInt8] = []
        var index = position + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            let isEscape =
                bytes[index] == UInt8(ascii: "\\") && (next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\"))
            word.append(isEscape ? next : bytes[index])
            index += isEscape ? 2 : 1
        }
        guard index < bytes.count else { return nil }
        index += 1
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        guard index == bytes.count || isEnd(bytes[index], inList) else { return nil }
        position = index
        return String(decoding: word, as: UTF8.self)
    }

    /// The name of the parameter behind a semicolon, and where its value begins; nil if curl has none of that name.
    private func knownParameter(behind semicolon: Int) -> (name: String, value: Int)? {
        var start = semicolon + 1
        while start < bytes.count, isSpace(bytes[start]) { start += 1 }
        for name in ["type", "filename", "headers", "encoder"] {
            let end = start + name.utf8.count
            guard end < bytes.count, bytes[end] == UInt8(ascii: "=") else { continue }
            if text(start..<end).lowercased() == name { return (name, end + 1) }
        }
        return nil
    }

    private func isEnd(_ byte: UInt8, _ inList: Bool) -> Bool {
        byte == UInt8(ascii: ";") || (inList && byte == UInt8(ascii: ","))
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private mutating func skipWhitespace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, isSpace(bytes[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
