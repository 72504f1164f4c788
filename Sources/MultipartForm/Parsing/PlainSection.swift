/// Reads the header section of nearly every part, in one pass and where it stands.
///
/// - Input: a message's bytes from a section's first on; its lines end in CR LF.
/// - Output: the section's length and its fields, if ``HeaderScanner`` and ``HeaderSection`` would accept it and it is
///   plain: whole, without controls or folded lines, and with nothing that has to be looked at twice. Otherwise nil;
///   the careful reader decides.
/// - Cost: linear. No allocation, unless the previous part's fields are still in use.
struct PlainSection {
    private let options: MultipartParser.Options
    private let rules: HeaderRules

    private var places: [FieldPlace] = []
    private var disposition: DispositionLayout?
    private var hasType = false

    init(_ options: MultipartParser.Options, _ rules: HeaderRules) {
        self.options = options
        self.rules = rules
    }

    /// Reads the section that `bytes` begin with into `fields`; its length, or nil if it is not plain.
    mutating func read(_ bytes: Span<UInt8>, into fields: inout HeaderFields) -> Int? {
        places.removeAll(keepingCapacity: true)
        disposition = nil
        hasType = false
        guard let length = readLines(bytes.extracting(first: options.maxHeaderBytes)) else { return nil }
        fields.text.replace(with: bytes.extracting(first: length), places.span, disposition)
        return length
    }

    /// Reads all lines; the length of the section with its blank line.
    private mutating func readLines(_ bytes: Span<UInt8>) -> Int? {
        var line = 0
        while !ASCII.isLineBreak(bytes, at: line) {
            guard places.count < options.maxHeaderCount, let end = readLine(bytes, from: line) else { return nil }
            line = end
        }
        return disposition != nil || !rules.requiresDisposition ? line + 2 : nil
    }

    /// Reads a line; where the next one begins.
    @inline(__always)
    private mutating func readLine(_ bytes: Span<UInt8>, from line: Int) -> Int? {
        let name: Range<Int>
        let value: Range<Int>
        let end: Int
        if ASCII.begins(bytes, at: line, with: "Content-Disposition: ") {
            guard disposition == nil, let layout = DispositionLayout(plain: bytes, from: line + 21, mode: rules.mode)
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
            end = ASCII.endOfPlainText(bytes, from: name.upperBound + 1, isStrict: rules.mode == .strict)
            value = ASCII.trimmingWhitespace(bytes, name.upperBound + 1..<end)
            guard isUnremarkable(name, value, bytes) else { return nil }
        }
        guard ASCII.isLineBreak(bytes, at: end) else { return nil }
        places.append(FieldPlace(name: name, value: value))
        return end + 2
    }

    /// Whether a field needs no check by the careful reader.
    @inline(__always)
    private mutating func isUnremarkable(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        switch HeaderRules.field(named: name, bytes) {
        case .other:
            return true
        case .contentType:
            defer { hasType = true }
            return !hasType || !rules.isSingle(.contentType)
        case .transferEncoding:
            return rules.allowsTransferEncoding(value, bytes)
        case .disposition:
            // Not in the form that nearly all are in.
            return false
        }
    }
}
