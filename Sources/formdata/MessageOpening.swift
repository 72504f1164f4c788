import MultipartFormCodec

/// The first bytes of a message, and the boundary that they suggest.
///
/// Without a Content-Type, the tool reads the message with this boundary. Otherwise, the boundary helps to explain
/// errors.
package struct MessageOpening {
    /// The maximum length of a line that may give a boundary, in bytes.
    private static let lineLimit = 300
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first bytes of the message; all bytes if the message is short.
    private let bytes: ArraySlice<UInt8>
    /// The boundary in the first nonempty line; nil if the line does not look like a delimiter, or if ``OtherKind``
    /// recognizes a log or a printed form that contains the line.
    let boundary: String?
    /// The offset of the first nonempty line.
    private let lineOffset: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var start = bytes.startIndex
        if bytes.starts(with: Self.byteOrderMark) { start += Self.byteOrderMark.count }
        let isLineBreak = { (byte: UInt8) in byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
        let rest = bytes[start...].drop(while: isLineBreak)
        let line = Self.boundary(inLineAtStartOf: rest, isFirst: true)
        boundary = line == nil || OtherKind.isWrapper(rest) ? nil : line
        lineOffset = rest.startIndex - bytes.startIndex
    }

    var isEmpty: Bool { bytes.isEmpty }

    var hasByteOrderMark: Bool { bytes.starts(with: Self.byteOrderMark) }

    /// Returns the offset of the first line that begins with two hyphens and the boundary; nil if `bytes` has no such
    /// line.
    func offsetOfDelimiter(_ boundary: Boundary) -> Int? {
        Self.startOfLine(in: bytes, beginningWith: boundary.dashBoundary).map { $0 - bytes.startIndex }
    }

    /// Returns the index of the first line that begins with `text`; nil if there is no such line.
    private static func startOfLine(in bytes: ArraySlice<UInt8>, beginningWith text: [UInt8]) -> Int? {
        var line = bytes
        // Each pass removes a line.
        while !line.starts(with: text) {
            guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            line = line[(end + 1)...]
        }
        return line.startIndex
    }

    /// Whether the message begins with a delimiter and the header section of a part.
    var isForm: Bool {
        let lines = bytes.prefix(Self.lineLimit).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        guard boundary != nil, lines.count > 1 else { return false }
        return String(decoding: lines[1], as: UTF8.self).lowercased().hasPrefix("content-disposition: form-data")
    }

    /// Whether the first line is the size of a chunk (RFC 9112 §7.1), and the second line a delimiter.
    var isInChunks: Bool {
        let size = bytes.prefix { ASCII.hexadecimalValue($0) != nil }
        let rest = bytes[size.endIndex...]
        return 1...15 ~= size.count && rest.starts(with: "\r\n--".utf8)
            && Self.boundary(inLineAtStartOf: rest.dropFirst(2)) != nil
    }

    /// Returns an error message for the line that contains the byte at `offset`, if the line is a delimiter with other
    /// bytes after it. Returns nil if the line does not begin with a delimiter, or if `offset` is not in `bytes`.
    func words(_ reason: String, forDelimiter boundary: Boundary, at offset: Int) -> String? {
        guard offset < bytes.count else { return nil }
        let lineFeed = UInt8(ascii: "\n")
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? bytes.startIndex
        var line = bytes[start...].prefix(Self.lineLimit).prefix { $0 != lineFeed }
        guard line.starts(with: boundary.dashBoundary) else { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let rest = line.dropFirst(boundary.dashBoundary.count)
        if rest == [UInt8(ascii: "\r")] { return "lines end in CR CR LF, as text mode makes of CR LF" }
        let isDouble = rest.indices.contains { rest[$0...].starts(with: boundary.bytes) }
        let hint = isDouble ? "; is the line break between two delimiters missing?" : ""
        return "\(reason): \(HeaderLine.shown(ContiguousArray(line)[...], columns: 64))\(hint)"
    }

    /// Whether the line at an offset ends in LF alone.
    func lineEndsInLF(at offset: Int) -> Bool {
        bytes.dropFirst(offset).prefix { $0 != UInt8(ascii: "\n") }.last != UInt8(ascii: "\r")
    }

    /// A description of input that is not a form, such as "JSON, not a form"; nil if the first line looks like a
    /// delimiter, or if the bytes are not recognized.
    var otherKind: String? { boundary == nil ? OtherKind.words(for: bytes) : nil }

    /// Returns the first nonempty line if it seems to be a delimiter that lacks the two hyphens before the boundary;
    /// otherwise nil.
    ///
    /// - If `expected` is not nil, the line must equal `expected`.
    /// - If `expected` is nil, the last line must be the same line with two hyphens at its end, such as `abc--` for
    ///   `abc`.
    func bareBoundary(_ expected: Boundary?) -> String? {
        let lines = bytes.dropFirst(lineOffset).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard boundary == nil, let line = lines.first, line.count <= Self.lineLimit else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        if let expected { return "\(expected)".utf8.elementsEqual(line) ? text : nil }
        return lines.dropFirst().last.map { $0.elementsEqual("\(text)--".utf8) } == true ? text : nil
    }

    /// Describes a delimiter after the first line that has almost the expected boundary, for instance `--abc` in place
    /// of `abc`: the boundaries differ only in the number of leading hyphens. Returns nil if there is no such
    /// delimiter.
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

    /// The offset and the boundary of the first delimiter after the first line; nil if no later line looks like a
    /// delimiter. A delimiter whose boundary is malformed is skipped.
    var laterDelimiter: (offset: Int, boundary: String)? {
        laterDelimiters.first { (try? Boundary(parsing: $0.boundary)) != nil }
    }

    private var laterDelimiters: some Sequence<(offset: Int, boundary: String)> {
        sequence(state: bytes) { line in
            // Each pass removes a line.
            while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                line = line[(end + 1)...]
                if let boundary = Self.boundary(inLineAtStartOf: line) {
                    return (line.startIndex - bytes.startIndex, boundary)
                }
            }
            return nil
        }
    }

    /// Describes how the boundary of the first line differs from `expected`. Returns nil in these cases:
    ///
    /// - The first line has no boundary.
    /// - The boundaries are equal.
    /// - `isRelated` is true, but neither boundary seems to be made from the other.
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

    /// Describes how one boundary may have been made from the other; empty if no relation is recognized.
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

    /// Returns the boundary in the first line of `bytes`; nil if the line does not look like a delimiter.
    ///
    /// If `isFirst` is true, the line is the first line of the message.
    private static func boundary(inLineAtStartOf bytes: ArraySlice<UInt8>, isFirst: Bool = false) -> String? {
        let line = bytes.prefix(lineLimit + 1).prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: "--".utf8), line.count <= lineLimit else { return nil }
        var boundary = line.dropFirst(2)
        while let last = boundary.last, " \t\r".utf8.contains(last) { boundary.removeLast() }
        if boundary.count > 2, boundary.suffix(2).elementsEqual("--".utf8) {
            let rest = bytes[line.endIndex...].dropFirst()
            let close = Array("--".utf8) + boundary + "--".utf8
            let isClosedLater = isFirst && startOfLine(in: rest, beginningWith: close) != nil
            // A line such as `--abc--` is the close delimiter of the boundary `abc`, or a delimiter of the boundary
            // `abc--`. The boundary is `abc--` if a header field follows the line. The boundary of the first line
            // is also `abc--` if a later line begins with `--abc----`.
            if !isClosedLater, !beginsWithField(rest) { boundary.removeLast(2) }
        }
        return String(validating: boundary.span)
    }

    /// Whether some bytes begin with the name and the colon of a header field.
    private static func beginsWithField(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix(lineLimit).prefix(while: ASCII.isTokenCharacter)
        return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: ":")
    }
}
