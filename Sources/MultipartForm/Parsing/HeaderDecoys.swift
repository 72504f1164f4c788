/// Finds in header lines what some parsers look for at any place: a name or a file name, a Content-Disposition, the
/// dash-boundary, and text that they decode or cut.
///
/// - Input: lines of a section, each in the grammar of ``CanonicalLine`` but for this, and where the disposition has
///   its names.
/// - Output: why strict mode refuses them; nil if it does not.
/// - Cost: linear; no allocation.
enum HeaderDecoys {
    static func fault(
        in lines: Range<Int>,
        of bytes: Span<UInt8>,
        _ names: (name: TextRange, filename: TextRange),
        _ rules: HeaderRules
    ) -> StaticString? {
        let text = bytes.extracting(..<lines.upperBound)
        let isASCII = ASCII.endOfASCII(text, from: lines.lowerBound) == lines.upperBound
        if !isASCII, let fault = faultOfNonASCII(in: lines, of: bytes, names) { return fault }
        var place = HeaderSearch.first(.decoy, text, from: lines.lowerBound)
        while place < lines.upperBound {
            let fault =
                text[place] == ASCII.equals
                ? fault(ofEqualsSignAt: place, bytes, names) : fault(ofHyphenAt: place, bytes, rules.dashBoundary)
            if let fault { return fault }
            place = HeaderSearch.first(.decoy, text, from: place + 1)
        }
        return nil
    }

    /// Whether an equals sign is that before the name or the file name.
    private static func isOwn(_ place: Int, _ bytes: Span<UInt8>, _ names: (name: TextRange, filename: TextRange))
        -> Bool
    {
        let distance = bytes[place + 1] == ASCII.quote ? 2 : 1
        return names.name.range?.lowerBound == place + distance || names.filename.range?.lowerBound == place + distance
    }

    private static func fault(
        ofEqualsSignAt place: Int,
        _ bytes: Span<UInt8>,
        _ names: (name: TextRange, filename: TextRange)
    ) -> StaticString? {
        guard !isOwn(place, bytes, names) else { return nil }
        if place >= 4, ASCII.matches(bytes, place - 4..<place, "name") {
            return "\"name=\" at another place than a parameter of the Content-Disposition"
        }
        guard bytes[place + 1] == ASCII.questionMark else { return nil }
        for range in [names.name.range, names.filename.range] {
            if let range, DispositionLayout.mayHaveEncodedWord(bytes.extracting(range)) { return "an encoded word" }
        }
        return nil
    }

    private static func fault(
        ofHyphenAt place: Int,
        _ bytes: Span<UInt8>,
        _ dashBoundary: [UInt8]
    ) -> StaticString? {
        guard bytes[place + 1] != ASCII.hyphen else {
            return begins(bytes, at: place, with: dashBoundary) ? "the boundary after two hyphens" : nil
        }
        // "t-d" is rarer than "-d".
        guard place > 7, bytes[place - 1] | 0x20 == UInt8(ascii: "t"), place + 12 <= bytes.count,
            ASCII.matches(bytes, place - 7..<place + 12, "content-disposition")
        else { return nil }
        // The name of the field itself, right after a line break or at the section's start, is followed by a colon.
        let start = place - 7
        guard bytes[start - 1] == ASCII.lineFeed else {
            return "\"Content-Disposition\" at another place than a line's start"
        }
        return nil
    }

    private static func begins(_ bytes: Span<UInt8>, at start: Int, with word: [UInt8]) -> Bool {
        guard bytes.count - start >= word.count else { return false }
        for index in word.indices where bytes[start + index] != word[index] { return false }
        return true
    }

    private static func faultOfNonASCII(
        in lines: Range<Int>,
        of bytes: Span<UInt8>,
        _ names: (name: TextRange, filename: TextRange)
    ) -> StaticString? {
        for range in [names.name.range, names.filename.range] {
            if let range, let fault = faultOfUnicode(bytes.extracting(range)) { return fault }
        }
        return String.isUTF8(bytes.extracting(lines)) ? nil : "text that is not UTF-8"
    }

    /// Why strict mode refuses a name or a file name with bytes beyond ASCII; nil if it does not.
    static func faultOfUnicode(_ name: Span<UInt8>) -> StaticString? {
        if name.count >= 3, name[0] == 0xEF, name[1] == 0xBB, name[2] == 0xBF { return "a byte order mark" }
        if CombiningMarks.exceedLimit(name) { return "many combining marks" }
        return String.isUTF8(name) ? nil : "text that is not UTF-8"
    }
}
