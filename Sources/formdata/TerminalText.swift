import MultipartFormCodec

/// Makes text from a client safe and short enough for a terminal.
enum TerminalText {
    /// Returns a text with an escape for each scalar that is not printable or not visible. A scalar that is not
    /// printable could move the cursor, break the line or reverse the text. A scalar that is not visible, such as a
    /// no-break space, would hide why two texts differ.
    ///
    /// An escape is `\u{…}`, as in Swift's string literals. A backslash in the text is not escaped.
    static func escaped(_ text: String) -> String {
        escaped(text) { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    static func escaped(_ text: String, by escape: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map { $0.isPrintable && $0.isVisible ? String($0) : escape($0) }.joined()
    }

    /// Returns a text as one word of a shell command. The word is in quotes if a character may have a meaning to the
    /// shell.
    static func shellWord(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-+_./:=".contains($0) }
        let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
        return isPlain ? text : "'\(pieces.joined(separator: #"'\''"#))'"
    }

    /// Searches a text for bytes that could control a terminal. The text arrives in pieces. The scanner finds:
    ///
    /// - control characters, including U+0080 to U+009F, but not tab, CR and LF
    /// - bytes that are not UTF-8, because some terminals interpret each byte on its own
    struct Scanner {
        /// The bytes of an incomplete character at the end of the last piece.
        private var rest: ContiguousArray<UInt8> = []

        /// Returns whether the next piece of the text has bytes that could control a terminal.
        mutating func finds(in piece: some Sequence<UInt8>) -> Bool {
            rest += piece
            var position = 0
            // Each pass reads at least one byte.
            while position < rest.count {
                let (end, isValid) = String.endOfSequence(in: rest.span, from: position)
                guard isValid else {
                    // An incomplete character at the end is accepted, because the next piece may complete it.
                    guard end == rest.count, 0xC2...0xF4 ~= rest[position] else { return true }
                    break
                }
                if isControl(at: position) { return true }
                position = end
            }
            rest.removeFirst(position)
            return false
        }

        private func isControl(at position: Int) -> Bool {
            switch rest[position] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
            // The control characters U+0080 to U+009F.
            case 0xC2: rest[position + 1] < 0xA0
            case let byte: ASCII.isControl(byte)
            }
        }
    }

    static func width(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns a text cut to `columns` columns. An ellipsis replaces the end that was cut.
    static func truncated(_ text: String, toWidth columns: Int) -> String {
        // Limits the number of scalars as well, because combining marks take no column. The limit allows a few marks
        // for each character.
        let maxCount = columns * 4
        guard width(of: text) > columns || text.unicodeScalars.count > maxCount else { return text }
        var used = 1
        let beginning = text.unicodeScalars.prefix(maxCount - 1).prefix { scalar in
            used += width(of: scalar)
            return used <= columns
        }
        return String(beginning) + "…"
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return scalar.properties.isEmojiPresentation || wide.contains { $0 ~= scalar.value } ? 2 : 1
        }
    }

    /// The blocks whose characters take two columns (Unicode Standard Annex #11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}

extension Unicode.Scalar {
    /// Whether a person can see the scalar. Scalars that take no room, and spaces that look like an ASCII space, are
    /// not visible. These scalars count as visible:
    ///
    /// - All ASCII scalars.
    /// - A variation selector, because it changes the character before it.
    /// - An ideographic space, because it is as wide as two spaces.
    fileprivate var isVisible: Bool {
        guard value >= 0x80 else { return true }
        if properties.generalCategory == .spaceSeparator { return self == "\u{3000}" }
        return properties.isVariationSelector || !properties.isDefaultIgnorableCodePoint
    }
}

extension BinaryInteger {
    /// The number with its unit, such as `1 byte` or `20 bytes`.
    var inBytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
