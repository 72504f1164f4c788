/// A line of a header section in strict mode's grammar: what all parsers are known to read as the same field.
///
///     line        = disposition / type / encoding / length / other
///     disposition = ("Content-Disposition" / "content-disposition") ":" SP "form-data" *(";" SP name "=" value)
///     type        = ("Content-Type" / "content-type") ":" [SP] token "/" token *(";" [SP] token "=" value)
///     encoding    = ("Content-Transfer-Encoding" / "content-transfer-encoding") ":" [SP] ("7bit" / "8bit" / "binary")
///     length      = ("Content-Length" / "content-length") ":" [SP] 1*19DIGIT
///     other       = 1*(ALPHA / DIGIT / "-") ":" [SP] text
///     name        = "name" / "filename"
///     value       = token / DQUOTE *(any byte but controls, DQUOTE and backslash) DQUOTE
///     token       = 1*tchar, without an apostrophe
///     text        = 1*(any byte but controls), without SP at either end
///
/// `other` does not begin with `content-`, no line has more than ``longest`` bytes, and ``HeaderDecoys`` and
/// ``accept(_:isName:_:)`` have what else is refused. The letters in quotes have one case, but for the encodings'. The
/// parts of a nested message have any disposition type. ``FieldChecks`` has the encodings and lengths.
///
/// - Input: a section's bytes from the line's start.
/// - Output: the field, or why the line is not in the grammar.
/// - Cost: linear; no allocation.
struct CanonicalLine {
    /// The most bytes of a line without its break. Some parsers cut or refuse longer ones.
    static let longest = 1500

    private let start: Int
    /// Where the line ends, before its break.
    private(set) var end: Int
    private(set) var kind = FieldChecks.Kind.other
    /// The names of a disposition.
    private(set) var name = TextRange.none
    private(set) var filename = TextRange.none
    /// What is not in the grammar, in words.
    private(set) var fault: StaticString = "its form"

    init(from start: Int) {
        self.start = start
        end = start
    }

    /// Parses the line; nil if it is not in the grammar, or breaks another rule.
    mutating func parse(_ bytes: Span<UInt8>, _ rules: HeaderRules) -> FieldRanges? {
        let usual: StaticString = "Content-Disposition: "
        let lowercase: StaticString = "content-disposition: "
        let isDisposition =
            ASCII.begins(bytes, at: start, with: usual) || ASCII.begins(bytes, at: start, with: lowercase)
        let field: FieldRanges?
        if isDisposition {
            kind = .disposition
            let value = start + usual.utf8CodeUnitCount
            parseDisposition(bytes, from: value, rules)
            field = end > value ? FieldRanges(name: start..<value - 2, value: value..<end) : nil
        } else {
            field = parseField(bytes)
        }
        guard end - start <= Self.longest else {
            fault = "a line of more than 1500 bytes"
            return nil
        }
        return field
    }

    /// What the line has that parsers look for at other places; nil for nothing.
    func decoy(_ bytes: Span<UInt8>, _ rules: HeaderRules) -> StaticString? {
        HeaderDecoys.fault(in: start..<end, of: bytes, (name, filename), rules)
    }

    private mutating func fail(_ fact: StaticString) {
        fault = fact
        end = start
    }

    // Content-Disposition.

    /// Parses a disposition's value; leaves `end` at the line's start if it is not in the grammar.
    private mutating func parseDisposition(_ bytes: Span<UInt8>, from start: Int, _ rules: HeaderRules) {
        let type: StaticString = "form-data"
        var position = start
        if rules.isNested {
            position = Parameters.endOfCanonicalToken(in: bytes, from: start)
        } else if ASCII.begins(bytes, at: start, with: type) {
            position += type.utf8CodeUnitCount
        }
        guard position > start else { return fail("the disposition type") }
        // Each pass takes a parameter.
        while position < bytes.count, bytes[position] == ASCII.semicolon {
            let isName =
                ASCII.begins(bytes, at: position, with: "; name=\"") || Self.has("; name=", bytes, at: position)
            guard isName || Self.has("; filename=", bytes, at: position) else {
                return fail("a semicolon without a space and name= or filename= after it")
            }
            let value = position + (isName ? 7 : 11)
            guard let next = parseValue(bytes, from: value, isName: isName) else {
                end = self.start
                return
            }
            position = next
        }
        end = name.exists || rules.isNested ? position : self.start
    }

    /// Whether the word is at an offset, in the same letter case.
    private static func has(_ word: StaticString, _ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard bytes.count - start > word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            // SAFETY: the index is less than the number of the word's bytes.
            guard unsafe bytes[start + index] == word.utf8Start[index] else { return false }
        }
        return true
    }

    /// Parses and keeps a parameter's value; returns where it ends, with its quote.
    private mutating func parseValue(_ bytes: Span<UInt8>, from start: Int, isName: Bool) -> Int? {
        guard start < bytes.count, !(isName ? name : filename).exists else { return nil }
        let isQuoted = bytes[start] == ASCII.quote
        let first = isQuoted ? start + 1 : start
        let end =
            isQuoted
            ? ASCII.endOfPlainQuotedText(bytes, from: first) : Parameters.endOfCanonicalToken(in: bytes, from: first)
        guard isQuoted ? end < bytes.count && bytes[end] == ASCII.quote : first < end else {
            fault = "a character in a value, such as a tab"
            return nil
        }
        guard accept(first..<end, isName: isName, bytes) else { return nil }
        if isName { name = TextRange(first..<end) } else { filename = TextRange(first..<end) }
        return isQuoted ? end + 1 : end
    }

    /// Whether a name or a file name has nothing at its edges, or in a name, that some parsers cut off or drop.
    private mutating func accept(_ range: Range<Int>, isName: Bool, _ bytes: Span<UInt8>) -> Bool {
        guard !range.isEmpty else {
            if isName { fault = "an empty name" }
            // A file name is empty where no file was chosen.
            return !isName
        }
        let last = bytes[range.upperBound - 1]
        guard bytes[range.lowerBound] != ASCII.space, last != ASCII.space else {
            fault = "a space at a name's edge"
            return false
        }
        if isName {
            let value = bytes.extracting(range)
            guard ASCII.firstOffset(of: ASCII.semicolon, in: value, from: 0) == value.count else {
                fault = "a semicolon in a name"
                return false
            }
        } else if last == ASCII.slash || last == UInt8(ascii: "."), Self.isDirectory(bytes.extracting(range)) {
            fault = "a file name whose last component is empty, . or .."
            return false
        }
        return true
    }

    /// Whether nothing but up to two dots follows the last slash.
    private static func isDirectory(_ filename: Span<UInt8>) -> Bool {
        var dots = 0
        while dots < filename.count, filename[filename.count - 1 - dots] == UInt8(ascii: ".") { dots += 1 }
        let isWhole = dots == filename.count || filename[filename.count - 1 - dots] == ASCII.slash
        return dots <= 2 && isWhole
    }

    // Other fields.

    /// Parses another line; nil if it is not in the grammar.
    private mutating func parseField(_ bytes: Span<UInt8>) -> FieldRanges? {
        let name = start..<HeaderSearch.first(.name, bytes, from: start)
        let colon = name.upperBound
        guard !name.isEmpty, colon + 1 < bytes.count, bytes[colon] == ASCII.colon else {
            fault = "a field name with other characters than letters, digits and hyphens"
            return nil
        }
        kind = FieldChecks.Kind(named: name, bytes)
        let first = colon + (bytes[colon + 1] == ASCII.space ? 2 : 1)
        let last = ASCII.endOfPlainText(bytes, from: first)
        guard first < last, bytes[first] != ASCII.space, bytes[last - 1] != ASCII.space else {
            fault = "an empty value, or white space around one"
            return nil
        }
        let field = FieldRanges(name: name, value: first..<last)
        if let fault = Self.fault(of: field, kind, bytes) {
            self.fault = fault
            return nil
        }
        end = last
        return field
    }

    /// What is not in the grammar in the spelling of a field's name, or in a Content-Type's value; nil for nothing.
    static func fault(of field: FieldRanges, _ kind: FieldChecks.Kind, _ bytes: Span<UInt8>) -> StaticString? {
        let name = field.name
        let isSpelled: Bool
        switch kind {
        case .disposition: isSpelled = false
        case .contentType: isSpelled = isEither("Content-Type", "content-type", bytes, at: name.lowerBound)
        case .contentLength: isSpelled = isEither("Content-Length", "content-length", bytes, at: name.lowerBound)
        case .transferEncoding:
            isSpelled = isEither(
                "Content-Transfer-Encoding",
                "content-transfer-encoding",
                bytes,
                at: name.lowerBound
            )
        case .other: isSpelled = name.count < 8 || !ASCII.matches(bytes, name.prefix(8), "content-")
        }
        guard isSpelled else {
            return "the spelling of a field name that begins with Content-, or a space that is missing"
        }
        return kind == .contentType ? faultOfMediaType(field.value, bytes) : nil
    }

    private static func isEither(
        _ usual: StaticString,
        _ lowercase: StaticString,
        _ bytes: Span<UInt8>,
        at start: Int
    ) -> Bool {
        ASCII.begins(bytes, at: start, with: usual) || ASCII.begins(bytes, at: start, with: lowercase)
    }

    /// What is not in the grammar in a media type, which ends before a line break.
    static func faultOfMediaType(_ value: Range<Int>, _ bytes: Span<UInt8>) -> StaticString? {
        let fault: StaticString = "a media type that is not type/subtype, with parameters of a name and a value"
        let decoy: StaticString = "\"multipart/\" in a media type"
        let slash = Parameters.endOfCanonicalToken(in: bytes, from: value.lowerBound)
        guard value.lowerBound < slash, slash < value.upperBound, bytes[slash] == ASCII.slash else { return fault }
        let subtype = Parameters.endOfCanonicalToken(in: bytes, from: slash + 1)
        guard subtype > slash + 1 else { return fault }
        guard !isMultipart(value.lowerBound..<slash, bytes) else { return decoy }
        var position = subtype
        while position < value.upperBound {
            guard let next = endOfParameter(bytes, from: position) else { return fault }
            position = next
        }
        if position > subtype {
            let parameters = bytes.extracting(..<position)
            var place = ASCII.firstOffset(of: ASCII.slash, in: parameters, from: subtype)
            while place < position {
                guard !isMultipart(value.lowerBound..<place, bytes) else { return decoy }
                place = ASCII.firstOffset(of: ASCII.slash, in: parameters, from: place + 1)
            }
        }
        return nil
    }

    /// Whether text ends in `multipart`, in any letter case.
    @inline(__always)
    private static func isMultipart(_ text: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        text.count >= 9 && bytes[text.upperBound - 1] | 0x20 == UInt8(ascii: "t")
            && ASCII.matches(bytes, text.upperBound - 9..<text.upperBound, "multipart")
    }

    /// The end of `";" [SP] token "=" value`; nil if there is something else.
    private static func endOfParameter(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard line[start] == ASCII.semicolon else { return nil }
        var name = start + 1
        if name < line.count, line[name] == ASCII.space { name += 1 }
        let equals = Parameters.endOfCanonicalToken(in: line, from: name)
        guard equals > name, equals + 1 < line.count, line[equals] == ASCII.equals else { return nil }
        return Parameters.endOfCanonicalValue(in: line, from: equals + 1)
    }
}
