/// The parameters of a header field: `*( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )` (RFC 9110 §5.6.6).
///
/// One scanner serves Content-Type and Content-Disposition; ``Dialect`` holds what differs. It yields ranges, so
/// that text is made only of what is asked for. Each byte is looked at once per scan.
package struct Parameters: Sendable {
    /// The rules of a header field and a mode.
    package struct Dialect: Sendable {
        /// The mode decides on white space around "=", parameters without a value, and values that are no tokens.
        package var mode: ParsingMode
        /// Whether `;;` and a trailing `;` are legal (RFC 9110 §5.6.6; not in RFC 2183 §2).
        package var allowsEmptyParameter: Bool
        /// Whether a backslash in a quoted string may escape the byte after it.
        package var escapesWithBackslash = true
    }

    /// One parameter, as ranges of the field's bytes.
    package struct Parameter: Sendable {
        /// The name.
        package var name: Range<Int>
        /// The value without its quotes; nil for a name without "=".
        package var value: Range<Int>?
        /// Whether the value stood in quotes.
        package var isQuoted = false
        /// Whether the value has a backslash that may escape the byte after it.
        package var hasEscapes = false

        /// Whether the name is that of an extended or continued parameter, such as `filename*` or `name*0`
        /// (RFC 8187 §3.2, RFC 2231 §3). Peers disagree on what these mean.
        func isExtended(in bytes: Span<UInt8>) -> Bool {
            name.contains { bytes[$0] == ASCII.asterisk }
        }
    }

    /// The place where the grammar was broken.
    package struct Malformed: Error {
        /// The offset in the field's bytes.
        package let offset: Int
    }

    /// The rules to scan by.
    package let dialect: Dialect
    /// Where the next parameter, or its semicolon, begins.
    package private(set) var position: Int

    /// Creates a scanner that starts behind the field's first word.
    package init(_ dialect: Dialect, from position: Int) {
        self.dialect = dialect
        self.position = position
    }

    /// Scans the next parameter that has a name; nil at the end of the field.
    package mutating func next(in bytes: Span<UInt8>) throws(Malformed) -> Parameter? {
        while true {
            skipWhitespace(in: bytes)
            guard position < bytes.count else { return nil }
            guard bytes[position] == ASCII.semicolon else { throw Malformed(offset: position) }
            position += 1
            skipWhitespace(in: bytes)
            guard position < bytes.count, bytes[position] != ASCII.semicolon else {
                guard allowsEmpty else { throw Malformed(offset: position) }
                continue
            }
            return try parameter(in: bytes)
        }
    }

    /// Scans a token; the result is empty when there is none.
    @inline(__always)
    package static func token(in bytes: Span<UInt8>, from start: Int) -> Range<Int> {
        start..<ASCII.endOfToken(bytes, from: start)
    }

    private var isLenient: Bool { dialect.mode == .lenient }

    private var allowsEmpty: Bool { isLenient || dialect.allowsEmptyParameter }

    private mutating func parameter(in bytes: Span<UInt8>) throws(Malformed) -> Parameter {
        let name = Self.token(in: bytes, from: position)
        guard !name.isEmpty else { throw Malformed(offset: position) }
        position = name.upperBound
        skipWhitespace(in: bytes)
        guard position < bytes.count, bytes[position] == ASCII.equals else {
            guard isLenient, position == bytes.count || bytes[position] == ASCII.semicolon else {
                throw Malformed(offset: position)
            }
            return Parameter(name: name, value: nil)
        }
        guard isLenient || position == name.upperBound else { throw Malformed(offset: position) }
        position += 1
        let afterEquals = position
        skipWhitespace(in: bytes)
        guard isLenient || position == afterEquals || position == bytes.count else {
            throw Malformed(offset: afterEquals)
        }
        if position < bytes.count, bytes[position] == ASCII.quote {
            var parameter = Parameter(name: name, isQuoted: true)
            parameter.value = try quotedString(in: bytes, &parameter.hasEscapes)
            return parameter
        }
        return Parameter(name: name, value: try unquoted(in: bytes))
    }

    /// The text between two quotes, its escapes left as they are.
    private mutating func quotedString(
        in bytes: Span<UInt8>,
        _ hasEscapes: inout Bool
    ) throws(Malformed) -> Range<Int> {
        let start = position + 1
        position = start
        while position < bytes.count {
            switch bytes[position] {
            case ASCII.quote:
                defer { position += 1 }
                return start..<position
            case ASCII.backslash where dialect.escapesWithBackslash:
                hasEscapes = true
                position += 2
            default:
                position += 1
            }
        }
        throw Malformed(offset: start - 1)
    }

    /// A token; in lenient mode any text up to the next semicolon, without a quote or another parameter in it.
    private mutating func unquoted(in bytes: Span<UInt8>) throws(Malformed) -> Range<Int> {
        let start = position
        // Where the last token after white space begins: before "=" it is the name of a parameter, its ";" missing.
        var name: Int?
        while position < bytes.count, bytes[position] != ASCII.semicolon {
            switch bytes[position] {
            case ASCII.quote:
                throw Malformed(offset: position)
            case ASCII.equals:
                if let name { throw Malformed(offset: name) }
            case ASCII.space, ASCII.tab:
                break
            case let byte where ASCII.isTokenCharacter(byte):
                if position > start, ASCII.isWhitespace(bytes[position - 1]) { name = position }
            default:
                name = nil
            }
            position += 1
        }
        let value = ASCII.trimmingWhitespace(bytes, start..<position)
        if !isLenient {
            let token = Self.token(in: bytes, from: start)
            guard token == value else { throw Malformed(offset: token.upperBound) }
        }
        return value
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
    }
}

extension Parameters {
    /// Which quoted-pairs of a quoted string are undone.
    package enum Unescaping: Sendable {
        /// None: a backslash is a backslash.
        case none
        /// `\"` and `\\`; before any other byte a backslash is itself, as in the paths some browsers sent.
        case quoteAndBackslash
        /// All of them (RFC 9110 §5.6.4).
        case everyPair
    }

    /// The bytes of a quoted string's value, its quoted-pairs undone.
    package static func unescape(_ bytes: Span<UInt8>, _ range: Range<Int>, _ unescaping: Unescaping) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == ASCII.backslash, index + 1 < range.upperBound {
                let next = bytes[index + 1]
                let isPair =
                    switch unescaping {
                    case .none: false
                    case .quoteAndBackslash: next == ASCII.quote || next == ASCII.backslash
                    case .everyPair: true
                    }
                if isPair { index += 1 }
            }
            result.append(bytes[index])
            index += 1
        }
        return result
    }
}
