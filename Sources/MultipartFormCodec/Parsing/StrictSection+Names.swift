// Reads names and file names, and checks their text.
extension StrictSection {
    /// Reads the value of `name=` and, if present, the file name after it. Returns the end of the disposition.
    @inline(__always)
    mutating func readNames(_ bytes: Span<UInt8>, from start: Int, _ message: Message) throws(Reason) -> Int {
        let (name, end) = try readValue(bytes, from: start, isName: true, message)
        self.name = name
        return try readFilename(bytes, from: end, message)
    }

    /// Reads `; filename=` and its value, if present. Returns the end of the disposition.
    @inline(__always)
    mutating func readFilename(_ bytes: Span<UInt8>, from start: Int, _ message: Message) throws(Reason) -> Int {
        let filenameStart: StaticString = "; filename="
        guard ASCII.begins(bytes, at: start, with: filenameStart) else { return start }
        let value = start &+ filenameStart.utf8CodeUnitCount
        let (filename, end) = try readValue(bytes, from: value, isName: false, message)
        self.filename = filename
        return end
    }

    /// Reads a value. Returns the range of its text without quotes, and the end of the value with its quotes.
    ///
    /// Nearly every value is quoted text without special characters. In such a value, one search finds the closing
    /// quote.
    @inline(__always)
    private func readValue(
        _ bytes: Span<UInt8>,
        from start: Int,
        isName: Bool,
        _ message: Message
    ) throws(Reason) -> (text: TextRange, end: Int) {
        let first = start &+ 1
        if start < bytes.count, bytes[start] == ASCII.quote {
            let end = HeaderSearch.first(.quotedText, bytes, from: first)
            if end < bytes.count, bytes[end] == ASCII.quote,
                Self.hasPlainEdges(bytes, from: first, to: end, isName: isName)
            {
                assert(Self.reason(against: first..<end, isName: isName, bytes) == nil, "plain text is in the grammar")
                assert(Self.pattern(in: start..<end, of: bytes, message.dashBoundary) == nil)
                return (TextRange(first..<end), end &+ 1)
            }
        }
        return try readUnusualValue(bytes, from: start, isName: isName, message)
    }

    /// Whether the first and the last byte of a quoted text need no further check:
    /// - Neither of them is a space.
    /// - A name is not empty, and does not begin with a slash.
    /// - A file name does not end in a slash or a dot.
    @inline(__always)
    private static func hasPlainEdges(_ bytes: Span<UInt8>, from start: Int, to end: Int, isName: Bool) -> Bool {
        // If the text is empty, `first` and `last` are the quotes around the text. No check below refuses a quote.
        let (first, last) = (bytes[start], bytes[end &- 1])
        guard first != ASCII.space, last != ASCII.space else { return false }
        return isName ? start < end && first != ASCII.slash : last != ASCII.slash && last != ASCII.period
    }

    @inline(never)
    private func readUnusualValue(
        _ bytes: Span<UInt8>,
        from start: Int,
        isName: Bool,
        _ message: Message
    ) throws(Reason) -> (text: TextRange, end: Int) {
        let end = StrictGrammar.endOfValue(bytes, from: start)
        guard end > start else { throw .value }
        let text = bytes[start] == ASCII.quote ? start + 1..<end - 1 : start..<end
        let reason =
            Self.reason(against: text, isName: isName, bytes) ?? Self.pattern(in: text, of: bytes, message.dashBoundary)
        if let reason { throw reason }
        return (TextRange(text), end)
    }

    /// Returns why strict mode refuses the text of a name or file name; nil if strict mode accepts the text.
    private static func reason(against text: Range<Int>, isName: Bool, _ bytes: Span<UInt8>) -> Reason? {
        guard !text.isEmpty else { return isName ? .emptyName : nil }
        guard bytes[text.lowerBound] != ASCII.space, bytes[text.upperBound - 1] != ASCII.space else {
            return .edgeSpace
        }
        let text = bytes.extracting(text)
        return reason(againstUnicode: text)
            ?? (isName ? reason(againstName: text) : reason(againstFilename: text))
    }

    private static func reason(againstUnicode text: Span<UInt8>) -> Reason? {
        let end = ASCII.endOfASCII(text, from: 0)
        guard end < text.count else { return nil }
        guard String.isUTF8(text) else { return .notUTF8 }
        // Lenient mode also refuses this text, and throws its own error first. So this reason never appears in an
        // error.
        guard !CombiningMarks.exceedLimit(text) else { return .combiningMarks }
        guard text.count < 3 || text[0] != 0xEF || text[1] != 0xBB || text[2] != 0xBF else { return .byteOrderMark }
        // Searches for U+2028 and U+2029. In UTF-8, they are E2 80 A8 and E2 80 A9.
        var index = ASCII.firstOffset(of: 0xE2, in: text, from: end)
        while index + 2 < text.count {
            if text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 { return .lineSeparator }
            index = ASCII.firstOffset(of: 0xE2, in: text, from: index + 1)
        }
        return nil
    }

    /// Returns why strict mode refuses the text of a name; nil if strict mode accepts the text.
    private static func reason(againstName name: Span<UInt8>) -> Reason? {
        guard name[0] != ASCII.slash else { return .slashFirst }
        var count = 0
        var isInBrackets = false
        for index in name.indices {
            switch name[index] {
            case ASCII.openBracket:
                // The key before the first bracket must not be empty.
                guard !isInBrackets, index > 0 else { return .brackets }
                count += 1
                isInBrackets = true
            case ASCII.closeBracket:
                guard isInBrackets else { return .brackets }
                isInBrackets = false
            case ASCII.comma, ASCII.colon, ASCII.semicolon, ASCII.equals:
                return .separator
            case ASCII.space where name[index - 1] == ASCII.openBracket:
                return .brackets
            default:
                guard count == 0 || isInBrackets else { return .brackets }
            }
        }
        guard !isInBrackets else { return .brackets }
        return count <= maxBrackets ? nil : .manyBrackets
    }

    private static func reason(againstFilename filename: Span<UInt8>) -> Reason? {
        var semicolons = 0
        var component = 0
        for index in filename.indices {
            switch filename[index] {
            case ASCII.semicolon:
                semicolons += 1
                guard semicolons == 1 else { return .semicolons }
            case ASCII.questionMark where index > 0 && filename[index - 1] == ASCII.equals:
                return .encodedWord
            case ASCII.slash:
                component = index + 1
            default:
                break
            }
        }
        return namesFile(filename.extracting(component..<filename.count)) ? nil : .lastComponent
    }

    /// Whether the last component of a file name can name a file. Ignores invisible characters, because some parsers
    /// remove them. The rest must be neither empty nor `.` nor `..`.
    private static func namesFile(_ component: Span<UInt8>) -> Bool {
        // Nearly every file name has a letter or a digit, so that no other check is needed.
        let isPlain = component.indices.contains {
            component[$0] != ASCII.period && ASCII.isPlainTokenCharacter(component[$0])
        }
        guard !isPlain else { return true }
        var dots = 0
        for scalar in String(repairing: component).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                continue
            default:
                guard scalar == "." else { return true }
                dots += 1
                if dots > 2 { return true }
            }
        }
        return false
    }
}
