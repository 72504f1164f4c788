internal import Foundation

/// The parts of a form, in order.
///
/// - Invariant: a compact part, with a ``UsualSection`` and a short content in memory, is the bytes that it is sent as.
///   Any other is kept as it is, after its header section if it was appended and not received.
/// - Cost: a compact part takes 16 bytes besides its own, and no allocation.
struct PartList: Sendable {
    private struct Place {
        /// The end of the part's bytes in `text`.
        let end: Int
        /// The length of a compact part's header section.
        let sectionLength: UInt32
        /// The length of a compact part's name; for any other its index in `others`.
        let detail: UInt32

        /// The section's length of a part that is not compact.
        static let other = UInt32.max

        var isCompact: Bool { sectionLength != Self.other }
    }

    /// The longest content of a compact part, in bytes.
    static let longestContent = 512

    /// The bytes of all parts, one after another.
    private(set) var text: ContiguousArray<UInt8> = []
    private var places: ContiguousArray<Place> = []
    private var others: [BodyPart] = []

    var count: Int { places.count }

    var indices: Range<Int> { places.indices }

    subscript(index: Int) -> BodyPart {
        guard let bytes = compactBytes(at: index) else { return others[Int(places[index].detail)] }
        let section = text.span.extracting(bytes.section)
        guard let usual = UsualSection(section) else { preconditionFailure("a compact part has a usual section") }
        return BodyPart(headers: usual.fields(of: section), content: .data(data(bytes.content)))
    }
}

extension PartList {
    /// Where the bytes of a part begin, which are its section if it is not compact.
    private func start(at index: Int) -> Int { index == 0 ? 0 : places[index - 1].end }

    /// The section that is written for a part that is not compact; empty for a received part.
    func section(at index: Int) -> Range<Int> { start(at: index)..<places[index].end }

    /// The places in `text` of a compact part's section and content; nil for any other.
    func compactBytes(at index: Int) -> (section: Range<Int>, content: Range<Int>)? {
        let place = places[index]
        guard place.isCompact else { return nil }
        let start = start(at: index)
        let end = start + Int(place.sectionLength)
        return (start..<end, end..<place.end)
    }

    /// The index of a part that is not compact among those that are not.
    func otherIndex(at index: Int) -> Int { Int(places[index].detail) }

    func other(at index: Int) -> BodyPart? {
        places[index].isCompact ? nil : others[Int(places[index].detail)]
    }

    private func compactName(at index: Int) -> Range<Int>? {
        guard places[index].isCompact else { return nil }
        let start = start(at: index) + UsualSection.nameOffset
        return start..<start + Int(places[index].detail)
    }

    func name(at index: Int) -> String? {
        guard let name = compactName(at: index) else { return others[Int(places[index].detail)].name }
        return String(decoding: text[name], as: UTF8.self)
    }

    func hasFilename(at index: Int) -> Bool {
        guard let name = compactName(at: index) else { return others[Int(places[index].detail)].hasFilename }
        return text[name.upperBound + 1] == ASCII.semicolon
    }

    func contentType(at index: Int) -> String? {
        guard let bytes = compactBytes(at: index), let name = compactName(at: index) else {
            return others[Int(places[index].detail)].contentType
        }
        // Most fields have none: the blank line follows the name.
        guard bytes.section.upperBound > name.upperBound + 5 else { return nil }
        let section = text.span.extracting(bytes.section)
        return UsualSection(section)?.type.map { String(repairing: section.extracting($0)) }
    }

    func content(at index: Int) -> BodyContent {
        guard let bytes = compactBytes(at: index) else { return others[Int(places[index].detail)].content }
        return .data(data(bytes.content))
    }

    /// Calls `body` with a content in memory that is short enough to be copied at once.
    @inline(__always)
    func withShortContent<Result>(at index: Int, upTo count: Int, _ body: (Span<UInt8>) -> Result) -> Result? {
        if let bytes = compactBytes(at: index) {
            return bytes.content.count > count ? nil : body(text.span.extracting(bytes.content))
        }
        guard case .data(let data)? = other(at: index)?.content, data.count <= min(count, 4096) else { return nil }
        return body(data.span)
    }

    func source(at index: Int) -> ByteSource { other(at: index)?.content.source ?? .memory }

    func length(at index: Int) -> UInt64? {
        guard let bytes = compactBytes(at: index) else { return others[Int(places[index].detail)].length }
        return UInt64(bytes.content.count)
    }

    func firstIndex(named name: String, from start: Int = 0) -> Int? {
        let bytes = ContiguousArray(name.utf8)
        return (start..<count).first { index in
            guard let range = compactName(at: index) else { return others[Int(places[index].detail)].hasName(name) }
            return range.count == bytes.count && text[range].elementsEqual(bytes)
        }
    }

    private func data(_ range: Range<Int>) -> Data {
        // SAFETY: the bytes are copied inside the closure.
        unsafe text.span.extracting(range).withUnsafeBufferPointer { unsafe Data(buffer: $0) }
    }
}

extension PartList {
    /// Appends a part after its header section; throws, and appends nothing, if that cannot be written.
    mutating func append(_ part: BodyPart) throws(MultipartError) {
        let start = text.count
        do throws(MultipartError) {
            try part.appendHeader(to: &text)
        } catch {
            text.removeSubrange(start...)
            throw error
        }
        if case .data(let data) = part.content, data.count <= Self.longestContent,
            let usual = UsualSection(text.span.extracting(start...)),
            usual.isVerbatim(part.name, part.filename, part.contentType)
        {
            text.append(copying: data.span)
            append(sectionLength: UInt32(usual.count), UInt32(usual.name.count))
        } else {
            append(unwritten: part)
        }
    }

    /// Appends a short text field whose name needs no escape; false if it is any other.
    mutating func append(shortField name: String, _ content: String) -> Bool {
        let lengths = (name: name.utf8.count, content: content.utf8.count)
        guard max(lengths.name, lengths.content) <= Self.longestContent else { return false }
        let start = text.count
        // SAFETY: the bytes are copied inside the closures. A bridged string may have none in place.
        let isUsual = unsafe name.utf8.withContiguousStorageIfAvailable { name in
            unsafe content.utf8.withContiguousStorageIfAvailable { content in
                unsafe text.append(usualSectionFor: name.span, content.span)
            }
        }
        guard isUsual == true else { return false }
        append(sectionLength: UInt32(text.count - start - lengths.content), UInt32(lengths.name))
        return true
    }

    /// Appends a received part, whose section need not be one that can be sent.
    mutating func append(received headers: HeaderFields, _ content: BodyContent) {
        if case .data(let data) = content, data.count <= Self.longestContent, let part = begin(received: headers) {
            append(data.span)
            end(part)
        } else {
            append(unwritten: BodyPart(headers: headers, content: content))
        }
    }

    /// A received part that is compact so far; its bytes end the text.
    struct CompactPart {
        fileprivate let section: Range<Int>
        fileprivate let nameLength: Int
    }

    /// Begins a received part that is compact if its content is; nil if its section is not usual.
    mutating func begin(received headers: HeaderFields) -> CompactPart? {
        headers.withUsualSection { usual, section in
            let start = text.count
            text.append(copying: section)
            return CompactPart(section: start..<text.count, nameLength: usual.name.count)
        }
    }

    /// Appends to the content of the part that was begun.
    mutating func append(_ content: Span<UInt8>) {
        text.append(copying: content)
    }

    mutating func end(_ part: CompactPart) {
        append(sectionLength: UInt32(part.section.count), UInt32(part.nameLength))
    }

    /// Removes a part that cannot be compact; returns its content.
    mutating func take(_ part: CompactPart) -> Data {
        defer { text.removeSubrange(part.section.lowerBound...) }
        return data(part.section.upperBound..<text.count)
    }

    mutating func removeAll(named name: String) {
        var result = PartList()
        var kept = 0
        while kept < count {
            let removed = firstIndex(named: name, from: kept) ?? count
            for index in kept..<removed {
                let place = places[index]
                result.text.append(copying: text.span.extracting(start(at: index)..<place.end))
                if place.isCompact {
                    result.append(sectionLength: place.sectionLength, place.detail)
                } else {
                    result.append(unwritten: others[Int(place.detail)])
                }
            }
            kept = removed + 1
        }
        self = result
    }

    /// Appends a part whose section, if there is one, ends the text.
    mutating func append(unwritten part: BodyPart) {
        append(sectionLength: Place.other, UInt32(others.count))
        others.append(part)
    }

    /// Appends the place of the bytes that end the text.
    private mutating func append(sectionLength: UInt32, _ detail: UInt32) {
        places.append(Place(end: text.count, sectionLength: sectionLength, detail: detail))
    }
}
