// Reads media types, and finds text in a value that some parsers take for a name, a field or a delimiter.
extension StrictSection {
    /// Reads the value of a Content-Type field. Returns the end of the value.
    @inline(__always)
    mutating func readType(_ bytes: Span<UInt8>, from start: Int, _ message: Message) throws(Reason) -> Int {
        let slash = HeaderSearch.first(.word, bytes, from: start)
        if start < slash, slash < bytes.count, bytes[slash] == ASCII.slash {
            let end = HeaderSearch.first(.word, bytes, from: slash &+ 1)
            if slash &+ 1 < end, end < bytes.count, bytes[end] == ASCII.carriageReturn,
                Self.reason(againstMediaType: start..<end, slash: slash, bytes) == nil
            {
                assert(Self.reason(againstType: start..<end, bytes, message.dashBoundary) == nil, "a plain type")
                contentType = start..<end
                return end
            }
        }
        return try readUnusualType(bytes, from: start, message)
    }

    /// Reads a media type that has parameters, or characters other than letters, digits and hyphens.
    @inline(never)
    private mutating func readUnusualType(
        _ bytes: Span<UInt8>,
        from start: Int,
        _ message: Message
    ) throws(Reason) -> Int {
        guard let end = Self.endOfType(bytes, from: start) else { throw .mediaType }
        if let reason = Self.reason(againstType: start..<end, bytes, message.dashBoundary) { throw reason }
        contentType = start..<end
        return end
    }

    /// Returns the end of `restricted "/" restricted *(";" [SP] token "=" value)`; nil if the text has another form.
    private static func endOfType(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        let slash = StrictGrammar.endOfRestricted(bytes, from: start)
        guard start < slash, slash < bytes.count, bytes[slash] == ASCII.slash else { return nil }
        var end = StrictGrammar.endOfRestricted(bytes, from: slash + 1)
        guard slash + 1 < end else { return nil }
        while end < bytes.count, bytes[end] == ASCII.semicolon {
            let name = end + (end + 1 < bytes.count && bytes[end + 1] == ASCII.space ? 2 : 1)
            let equals = StrictGrammar.endOfToken(bytes, from: name)
            guard name < equals, equals < bytes.count, bytes[equals] == ASCII.equals else { return nil }
            let value = equals + 1
            end = StrictGrammar.endOfValue(bytes, from: value)
            guard value < end else { return nil }
        }
        return end
    }

    /// Returns why strict mode refuses a media type that matches the grammar in ``StrictSection``; nil if strict mode
    /// accepts the type. Strict mode refuses types that some parsers misread.
    private static func reason(
        againstType type: Range<Int>,
        _ bytes: Span<UInt8>,
        _ dashBoundary: [UInt8]
    ) -> Reason? {
        guard ASCII.endOfASCII(bytes.extracting(type), from: 0) == type.count || String.isUTF8(bytes.extracting(type))
        else { return .notUTF8 }
        let mediaType = type.lowerBound..<(type.first { bytes[$0] == ASCII.semicolon } ?? type.upperBound)
        let slash = mediaType.first { bytes[$0] == ASCII.slash } ?? mediaType.upperBound
        if let reason = reason(againstMediaType: mediaType, slash: slash, bytes) { return reason }
        for index in type {
            switch bytes[index] {
            case ASCII.slash where endsInMultipart(bytes, type.lowerBound..<index):
                return .multipart
            case ASCII.semicolon where !hasKnownCharset(bytes.extracting(index + 1..<type.upperBound)):
                return .charset
            default:
                break
            }
        }
        return pattern(in: type, of: bytes, dashBoundary)
    }

    /// Returns why strict mode refuses a media type, regardless of its parameters; nil if strict mode accepts it.
    /// `type` is the range of the media type without parameters, and `slash` is the position of its slash.
    @inline(__always)
    private static func reason(againstMediaType type: Range<Int>, slash: Int, _ bytes: Span<UInt8>) -> Reason? {
        let message: StaticString = "message"
        let urlEncoded: StaticString = "application/x-www-form-urlencoded"
        let topLevel = type.lowerBound..<slash
        // Most top-level types, such as `text` and `image`, are shorter than every top-level type that is refused.
        guard topLevel.count >= message.utf8CodeUnitCount else { return nil }
        if topLevel.count == message.utf8CodeUnitCount {
            return ASCII.matches(bytes, topLevel, message) ? .message : nil
        }
        if bytes[slash &- 1] | 0x20 == UInt8(ascii: "t") { return endsInMultipart(bytes, topLevel) ? .multipart : nil }
        guard type.count == urlEncoded.utf8CodeUnitCount else { return nil }
        return ASCII.matches(bytes, type, urlEncoded) ? .urlEncoded : nil
    }

    /// Whether the range `text` ends in `multipart`, in any letter case.
    @inline(__always)
    private static func endsInMultipart(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Bool {
        text.count >= 9 && bytes[text.upperBound - 1] | 0x20 == UInt8(ascii: "t")
            && ASCII.matches(bytes, text.suffix(9), "multipart")
    }

    /// Whether `text` begins with `charset=utf-8`, or with a parameter other than `charset`.
    ///
    /// `text` begins after a semicolon. The letter case of the parameter does not matter, and the charset may be in
    /// quotes.
    private static func hasKnownCharset(_ text: Span<UInt8>) -> Bool {
        let charset: StaticString = "charset="
        let utf8: StaticString = "utf-8"
        let start = text.count > 0 && text[0] == ASCII.space ? 1 : 0
        var value = start + charset.utf8CodeUnitCount
        guard value <= text.count, ASCII.matches(text, start..<value, charset) else { return true }
        let isQuoted = value < text.count && text[value] == ASCII.quote
        if isQuoted { value += 1 }
        let end = value + utf8.utf8CodeUnitCount
        guard end <= text.count, ASCII.matches(text, value..<end, utf8) else { return false }
        return end == text.count || text[end] == ASCII.semicolon || text[end] == ASCII.quote
    }

    /// Returns why strict mode refuses a value that contains one of these texts; nil if the value contains none:
    /// - `name=`, which some parsers take for the part's name
    /// - `content-disposition`, or the name and the colon of any `Content-` field, which some parsers take for a field
    /// - the dash-boundary, which some parsers take for a delimiter
    ///
    /// Takes linear time. Searches for the dash-boundary once. Compares a limited number of bytes at each equals sign
    /// and each hyphen. Reads each run of letters and hyphens at most once.
    static func pattern(in text: Range<Int>, of bytes: Span<UInt8>, _ dashBoundary: [UInt8]) -> Reason? {
        let text = bytes.extracting(text)
        if text.count >= dashBoundary.count {
            var search = DelimiterSearch(needle: dashBoundary)
            guard search.search(text, from: 0) == nil else { return .dashBoundary }
        }
        // The end of the last run of letters and hyphens that was read. No colon follows that run.
        var endOfLetters = 0
        var next = 0
        while true {
            let index = ASCII.firstOffset(of: ASCII.equals, or: ASCII.hyphen, in: text, from: next)
            guard index < text.count else { return nil }
            next = index + 1
            guard text[index] == ASCII.hyphen else {
                if ends(text, index, in: "name") { return .nameElsewhere }
                continue
            }
            guard ends(text, index, in: "content") else { continue }
            if begins(text.extracting(index..<text.count), with: "-disposition") { return .fieldElsewhere }
            guard index >= endOfLetters else { continue }
            endOfLetters = index
            while endOfLetters < text.count, isInFieldName(text[endOfLetters]) { endOfLetters += 1 }
            if endOfLetters < text.count, text[endOfLetters] == ASCII.colon { return .fieldElsewhere }
        }
    }

    private static func isInFieldName(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || byte == ASCII.hyphen }

    /// Whether `text` begins with `word`, in any letter case.
    private static func begins(_ text: Span<UInt8>, with word: StaticString) -> Bool {
        text.count >= word.utf8CodeUnitCount && ASCII.matches(text, 0..<word.utf8CodeUnitCount, word)
    }

    /// Whether `text[..<end]` ends in `word`, in any letter case.
    private static func ends(_ text: Span<UInt8>, _ end: Int, in word: StaticString) -> Bool {
        end >= word.utf8CodeUnitCount && ASCII.matches(text, end - word.utf8CodeUnitCount..<end, word)
    }
}
