/// Reads the header section of nearly every part, in one pass and where it stands.
///
/// - Input: a message's bytes from a section's first on; its lines end in CR LF.
/// - Output: the section's length and its fields, if ``HeaderScanner`` and ``HeaderSection`` would accept it and it is
///   plain: whole, without controls or folded lines, and with nothing that has to be looked at twice. Otherwise
///   nothing, and the careful way decides.
/// - Cost: linear. No allocation if nobody kept the fields of the part before.
struct PlainSection {
    let limits: Limits
    let mode: ParsingMode
    /// Whether the section belongs to a part of a nested multipart body, which needs no form-data disposition.
    let isNested: Bool

    private var places: [FieldPlace] = []
    private var disposition: DispositionLayout?
    private var hasType = false

    init(limits: Limits, mode: ParsingMode, isNested: Bool) {
        self.limits = limits
        self.mode = mode
        self.isNested = isNested
    }

    /// Reads the section that `bytes` begin with into `fields`; its length, or nil if it is not plain.
    mutating func read(_ bytes: Span<UInt8>, into fields: inout HeaderFields) -> Int? {
        places.removeAll(keepingCapacity: true)
        disposition = nil
        hasType = false
        guard let length = readLines(bytes.extracting(first: limits.maxHeaderBytes)) else { return nil }
        fields.text.replace(with: bytes.extracting(first: length), places.span, disposition)
        return length
    }

    /// Reads all lines; the length of the section with its blank line.
    private mutating func readLines(_ bytes: Span<UInt8>) -> Int? {
        var line = 0
        while !ASCII.isLineBreak(bytes, at: line) {
            guard places.count < limits.maxHeaderCount, let end = readLine(bytes, from: line) else { return nil }
            line = end
        }
        let length = line + 2
        // Strict mode: a part has a disposition.
        guard mode == .lenient || disposition != nil || isNested else { return nil }
        return length
    }

    /// Reads a line; where the next one begins.
    @inline(__always)
    private mutating func readLine(_ bytes: Span<UInt8>, from line: Int) -> Int? {
        let name: Range<Int>
        let value: Range<Int>
        let end: Int
        if ASCII.begins(bytes, at: line, with: "Content-Disposition: ") {
            guard disposition == nil, let layout = DispositionLayout(plain: bytes, from: line + 21, mode: mode)
            else { return nil }
            disposition = layout
            name = line..<line + 19
            value = line + 21..<layout.end
            end = layout.end
        } else {
            name = Parameters.token(in: bytes, from: line)
            guard !name.isEmpty, name.upperBound < bytes.count, bytes[name.upperBound] == ASCII.colon else {
                return nil
            }
            end = ASCII.endOfPlainText(bytes, from: name.upperBound + 1, isStrict: mode == .strict)
            value = ASCII.trimmingWhitespace(bytes, name.upperBound + 1..<end)
            guard isUnremarkable(name, value, bytes) else { return nil }
        }
        guard ASCII.isLineBreak(bytes, at: end) else { return nil }
        places.append(FieldPlace(name: name, value: value))
        return end + 2
    }

    /// Whether a field asks for no check of its value or of other fields.
    private mutating func isUnremarkable(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        switch name.count {
        case 12 where mode == .strict && ASCII.isFieldName(bytes, name, "Content-Type", "content-type"):
            defer { hasType = true }
            return !hasType
        case 19:
            return !ASCII.matches(bytes, name, "content-disposition")
        case 25:
            return mode == .lenient || HeaderSection.isIdentityEncoding(value, bytes)
                || !ASCII.isFieldName(bytes, name, "Content-Transfer-Encoding", "content-transfer-encoding")
        default:
            return true
        }
    }
}
