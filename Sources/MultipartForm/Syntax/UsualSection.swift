/// A header section exactly as the encoder writes it, in printable ASCII and without escapes or further fields:
///
///     Content-Disposition: form-data; name="…"[; filename="…"] CRLF [Content-Type: … CRLF] CRLF
///
/// Nearly every part has one, also when it was received: it can be sent on as it is.
struct UsualSection {
    static let nameOffset = 38

    let name: Range<Int>
    let count: Int
    private let disposition: DispositionLayout
    /// The value of the Content-Type; a section with a file name has one.
    let type: Range<Int>?

    /// Nil if the whole section is anything else.
    init?(_ section: Span<UInt8>) {
        guard section.count <= 1 << 20, ASCII.begins(section, at: 0, with: "Content-Disposition: "),
            let layout = DispositionLayout(plain: section, from: 21, mode: .strict), let name = layout.name
        else { return nil }
        self.name = name.range
        disposition = layout
        var end = layout.end
        if ASCII.begins(section, at: end, with: "\r\nContent-Type: ") {
            let start = end + 16
            end = ASCII.endOfPlainText(section, from: start, isStrict: true)
            let value = start..<end
            guard !value.isEmpty, ASCII.trimmingWhitespace(section, value) == value else { return nil }
            type = value
        } else {
            guard layout.filename == nil else { return nil }
            type = nil
        }
        count = section.count
        guard count == end + 4, ASCII.isLineBreak(section, at: end), ASCII.isLineBreak(section, at: end + 2)
        else { return nil }
    }

    /// Whether it was written for these values without a change; an escape is always longer.
    func isVerbatim(_ name: String?, _ filename: String?, _ contentType: String?) -> Bool {
        name?.utf8.count == self.name.count && filename?.utf8.count == disposition.filename?.range.count
            && contentType?.utf8.count == type?.count
    }

    func fields(of section: Span<UInt8>) -> HeaderFields {
        var places = [FieldPlace(name: 0..<19, value: 21..<disposition.end)] as ContiguousArray
        if let type { places.append(FieldPlace(name: type.lowerBound - 14..<type.lowerBound - 2, value: type)) }
        return HeaderFields(section, places.span, disposition)
    }
}

extension ContiguousArray<UInt8> {
    /// Appends a field's section and its content at once; false if the name needs an escape.
    mutating func append(usualSectionFor name: Span<UInt8>, _ content: Span<UInt8>) -> Bool {
        guard ASCII.endOfPlainQuotedText(name, from: 0, isStrict: true) == name.count else { return false }
        let head: StaticString = "Content-Disposition: form-data; name=\""
        let tail: StaticString = "\"\r\n\r\n"
        let count = UsualSection.nameOffset + name.count + tail.utf8CodeUnitCount + content.count
        // SAFETY: the pieces are as long as the memory, and each is copied to its own place.
        unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { memory in
            guard let start = memory.baseAddress else { return }
            let nameStart = unsafe start + UsualSection.nameOffset
            unsafe start.copy(UnsafeRawBufferPointer(start: head.utf8Start, count: UsualSection.nameOffset))
            unsafe name.withUnsafeBytes { unsafe nameStart.copy($0) }
            let tailStart = unsafe nameStart + name.count
            unsafe tailStart.copy(UnsafeRawBufferPointer(start: tail.utf8Start, count: tail.utf8CodeUnitCount))
            unsafe content.withUnsafeBytes { unsafe (tailStart + tail.utf8CodeUnitCount).copy($0) }
            unsafe append(contentsOf: memory)
        }
        return true
    }
}

extension HeaderFields {
    /// The fields' section and its bytes, if they came as one; else nil.
    func withUsualSection<Result>(_ body: (UsualSection, Span<UInt8>) -> Result) -> Result? {
        // Joined lines have a layout, too, but no line breaks, so that they are not usual.
        guard text.disposition != nil else { return nil }
        return text.read { _, section in UsualSection(section).map { body($0, section) } }
    }
}
