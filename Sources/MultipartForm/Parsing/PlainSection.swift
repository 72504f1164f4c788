/// Parses the header section of nearly every part in place and in one pass.
///
/// - Input: the bytes from a section's start; its lines end in CR LF.
/// - Output: the section's length and fields, if it is complete, valid and plain: without controls, folded lines or
///   anything else that needs a second look. Otherwise nil; ``HeaderScanner`` and ``HeaderSection`` decide.
/// - Cost: linear. No allocation, unless the previous part's fields are still in use.
struct PlainSection {
    private let rules: HeaderRules

    /// The places of the section's lines, and what an earlier section left after them.
    private var places: ContiguousArray<FieldPlace> = []
    private var count = 0
    private var disposition: DispositionLayout?
    private var hasType = false

    init(_ rules: HeaderRules) {
        self.rules = rules
    }

    /// Parses the section at the start of `bytes` into `fields`; returns its length, or nil if it is not plain.
    mutating func read(_ bytes: Span<UInt8>, into fields: inout HeaderFields) -> Int? {
        count = 0
        disposition = nil
        hasType = false
        let bytes = bytes.extracting(first: rules.options.maxHeaderBytes)
        var line = 0
        while !ASCII.isLineBreak(bytes, at: line) {
            guard let next = readLine(bytes, from: line), count <= rules.options.maxHeaderCount else { return nil }
            line = next
        }
        guard disposition != nil || !rules.requiresDisposition else { return nil }
        let length = line + 2
        fields.text.replace(with: bytes.extracting(first: length), places.span.extracting(first: count), disposition)
        return length
    }

    /// Reads a line; returns the offset of the next one.
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
            switch HeaderRules.field(named: name, bytes) {
            case .other:
                break
            case .contentType:
                guard !hasType || rules.allowsRepeatedContentType else { return nil }
                hasType = true
            case .transferEncoding:
                guard rules.allowsTransferEncoding(value, bytes) else { return nil }
            case .disposition:
                // Not in the usual form.
                return nil
            }
        }
        guard ASCII.isLineBreak(bytes, at: end) else { return nil }
        let place = FieldPlace(name: name, value: value)
        if count < places.count { places[count] = place } else { places.append(place) }
        count += 1
        return end + 2
    }
}
