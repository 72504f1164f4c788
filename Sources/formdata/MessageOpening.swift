import MultipartForm

/// What the first bytes of a message say about its boundary, used to read the message without a Content-Type, or to
/// explain why the Content-Type is wrong.
package struct MessageOpening {
    /// The maximum length of a first line that may give the boundary, in bytes.
    private static let lineLimit = 300
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first bytes of the message: all, or as many as are read at once.
    private let bytes: ArraySlice<UInt8>
    /// What follows the two hyphens of the first line that is not empty; nil if that line does not begin with two
    /// hyphens.
    let boundary: String?
    /// The offset of the first line that is not empty.
    private let lineOffset: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var start = bytes.startIndex
        if bytes.starts(with: Self.byteOrderMark) { start += Self.byteOrderMark.count }
        let isLineBreak = { (byte: UInt8) in byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
        let rest = bytes[start...].drop(while: isLineBreak)
        boundary = Self.boundary(inLineAtStartOf: rest, isFirst: true)
        lineOffset = rest.startIndex - bytes.startIndex
    }

    var isEmpty: Bool { bytes.isEmpty }

    var hasByteOrderMark: Bool { bytes.starts(with: Self.byteOrderMark) }

    /// The offset of the first line that begins with two hyphens and a boundary; nil if it is not among the first
    /// bytes.
    func offsetOfDelimiter(_ boundary: Boundary) -> Int? {
        Self.startOfLine(in: bytes, beginningWith: boundary.dashBoundary).map { $0 - bytes.startIndex }
    }

    /// The index of the first line that begins with a text.
    private static func startOfLine(in bytes: ArraySlice<UInt8>, beginningWith text: [UInt8]) -> Int? {
        var line = bytes
        // Each pass drops a line.
        while !line.starts(with: text) {
            guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            line = line[(end + 1)...]
        }
        return line.startIndex
    }

    /// Whether the line at an offset ends in LF alone.
    func lineEndsInLF(at offset: Int) -> Bool {
        bytes.dropFirst(offset).prefix { $0 != UInt8(ascii: "\n") }.last != UInt8(ascii: "\r")
    }

    /// What the bytes are if the first line does not begin like a delimiter; nil if that is not known.
    var otherKind: String? { boundary == nil ? OtherKind.words(for: bytes) : nil }

    /// The first line that is not empty, if it is a boundary without the two hyphens before it. Nil if it is not. The
    /// line must be `expected`; if `expected` is nil, the last line must repeat the first one with the two hyphens of
    /// the close delimiter.
    func bareBoundary(_ expected: Boundary?) -> String? {
        let lines = bytes.dropFirst(lineOffset).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard boundary == nil, let line = lines.first, line.count <= Self.lineLimit else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        if let expected { return "\(expected)".utf8.elementsEqual(line) ? text : nil }
        return lines.dropFirst().last.map { $0.elementsEqual("\(text)--".utf8) } == true ? text : nil
    }

    /// A clause about the first later line that would be a delimiter with another number of hyphens; nil if there is
    /// none.
    func laterDelimiter(unlike boundary: Boundary) -> String? {
        let expected = boundary.bytes
        return laterDelimiters.first { _, found in
            !found.utf8.elementsEqual(expected) && Self.differInHyphens(Array(found.utf8), and: expected)
        }
        .map { offset, found in
            let relation = Self.relation(of: Array(found.utf8), to: expected)
            return "the line at offset \(offset) begins with boundary \(Self.shown(found)), "
                + "not with \(Self.shown("\(boundary)"))\(relation)"
        }
    }

    /// The offset and the boundary of the first later line that looks like a delimiter; nil if there is none.
    var laterDelimiter: (offset: Int, boundary: String)? {
        laterDelimiters.first { (try? Boundary(parsing: $0.boundary)) != nil }
    }

    private var laterDelimiters: some Sequence<(offset: Int, boundary: String)> {
        sequence(state: bytes) { line in
            // Each pass drops a line.
            while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                line = line[(end + 1)...]
                if let boundary = Self.boundary(inLineAtStartOf: line) {
                    return (line.startIndex - bytes.startIndex, boundary)
                }
            }
            return nil
        }
    }

    /// How the boundary of the first line differs from the expected one, in words; nil if it does not differ. With
    /// `isRelated`, returns words only if one boundary may have been made from the other.
    func difference(from expected: Boundary, isRelated: Bool = false) -> String? {
        guard let boundary, !boundary.utf8.elementsEqual(expected.bytes) else { return nil }
        let (found, announced) = (Self.shown(boundary), Self.shown("\(expected)"))
        let relation = Self.relation(of: Array(boundary.utf8), to: expected.bytes)
        guard !isRelated || !relation.isEmpty else { return nil }
        return "message begins with boundary \(found), not with \(announced)\(relation)"
    }

    private static func shown(_ boundary: String) -> String {
        "\"\(TerminalText.truncated(TerminalText.escaped(boundary), toWidth: 72))\""
    }

    /// How `found` may have been made from `expected`, or the reverse, in words; empty if this is not clear.
    private static func relation(of found: [UInt8], to expected: [UInt8]) -> String {
        let isQuote = { (byte: UInt8) in byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
        if differInHyphens(found, and: expected) { return ": the same but for leading hyphens" }
        if found.elementsEqual(expected.drop(while: isQuote).reversed().drop(while: isQuote).reversed()) {
            return ": the same without quotes"
        }
        if String(decoding: found, as: UTF8.self).lowercased() == String(decoding: expected, as: UTF8.self).lowercased()
        {
            return ": the same but for letter case"
        }
        if expected.starts(with: found) {
            let rest = String(decoding: expected[found.count...], as: UTF8.self)
            return ": the same without \(shown(rest)) at its end"
        }
        return found.starts(with: expected) ? ": the same, and more" : ""
    }

    private static func differInHyphens(_ found: [UInt8], and expected: [UInt8]) -> Bool {
        let isHyphen = { (byte: UInt8) in byte == UInt8(ascii: "-") }
        return found.drop(while: isHyphen) == expected.drop(while: isHyphen)
    }

    /// The boundary of the delimiter in the first line of some bytes; nil if this line is not a delimiter. `isFirst` is
    /// true for the first line of the message.
    private static func boundary(inLineAtStartOf bytes: ArraySlice<UInt8>, isFirst: Bool = false) -> String? {
        let line = bytes.prefix(lineLimit + 1).prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: "--".utf8), line.count <= lineLimit else { return nil }
        var boundary = line.dropFirst(2)
        while let last = boundary.last, " \t\r".utf8.contains(last) { boundary.removeLast() }
        if boundary.count > 2, boundary.suffix(2).elementsEqual("--".utf8) {
            let rest = bytes[line.endIndex...].dropFirst()
            let close = Array("--".utf8) + boundary + "--".utf8
            let isClosedLater = isFirst && startOfLine(in: rest, beginningWith: close) != nil
            // Without a later close delimiter and without a header field after it, this line is the close delimiter of
            // an empty form, so its last two hyphens are not part of the boundary.
            if !isClosedLater, !beginsWithField(rest) { boundary.removeLast(2) }
        }
        return String(validating: boundary.span)
    }

    /// Whether some bytes begin with a header field, as they do after a delimiter that is not the close delimiter.
    private static func beginsWithField(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix(lineLimit).prefix(while: ASCII.isTokenCharacter)
        return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: ":")
    }
}
