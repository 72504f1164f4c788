#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The parts of a form, in order.
///
/// - Invariant: the array `bytes` has the header sections of all parts. *Inline* content follows the part's section in
///   `bytes`. All other content is in `fullEntries`. Content is inline if both conditions hold:
///   - The content is in memory, and has at most ``maxInlineContent`` bytes.
///   - The section can be sent unchanged, and no name in it is escaped, such as `a"b` as `a%22b`.
/// - Cost: a short text field usually takes 16 bytes besides its section and its content, and no separate allocation.
struct PartList: Sendable {
    /// Where a part is stored: the index of the part's end in `bytes` and, if the part has a ``FullEntry``, the index
    /// of that entry in `fullEntries`.
    ///
    /// An entry has only 16 bytes. With larger entries, `append` to a long form takes up to four times as long
    /// (benchmark `programs`): when the array of entries grows, it then cannot reuse freed memory, and needs fresh
    /// memory from the system.
    private struct Entry {
        /// The index in `bytes` after the part's last byte.
        let end: Int
        /// The length of the part's header section, in bytes.
        let sectionLength: UInt32
        /// For a part with a ``FullEntry``, the index in `fullEntries`, with `fullEntryBit` set. For any other part,
        /// the length of the part's name in bytes.
        private let value: UInt32

        private static let fullEntryBit: UInt32 = 1 << 31

        /// Creates the entry of a part without a ``FullEntry``. The entry does not store where the name begins in the
        /// header section, so the name must begin where ``HeaderWriter/appendField(name:content:to:)`` writes a name.
        init(end: Int, sectionLength: Int, nameLength: Int) {
            self.end = end
            self.sectionLength = UInt32(sectionLength)
            value = UInt32(nameLength)
        }

        init(end: Int, sectionLength: Int, fullEntry: Int) {
            self.end = end
            self.sectionLength = UInt32(sectionLength)
            value = UInt32(fullEntry) | Self.fullEntryBit
        }

        var fullEntry: Int? { value & Self.fullEntryBit == 0 ? nil : Int(value & ~Self.fullEntryBit) }

        /// The layout of a part without a ``FullEntry``. The layout has only the range of the name, because such a part
        /// has no file name and no type.
        var fieldLayout: SectionLayout {
            SectionLayout(name: TextRange(SectionLayout.nameRangeOfField(length: Int(value))), lines: .sendable)
        }
    }

    /// What an ``Entry`` cannot store: content that is not inline and, for a file or an unusual field, the ranges of
    /// the name, the file name and the type. Most short text fields have no full entry.
    private struct FullEntry {
        let layout: SectionLayout
        /// The content; nil if the content is in `bytes`.
        let content: BodyContent?
    }

    /// The maximum length of inline content, in bytes.
    static let maxInlineContent = 512

    private(set) var bytes: ContiguousArray<UInt8> = []
    private var entries: ContiguousArray<Entry> = []
    private var fullEntries: [FullEntry] = []
    /// The index in `fullEntries` of the first part with an error; nil if no part has an error.
    private var firstRefused: Int?

    var firstError: MultipartError? { firstRefused.flatMap { fullEntries[$0].content?.error } }

    var count: Int { entries.count }

    var indices: Range<Int> { entries.indices }

    subscript(index: Int) -> BodyPart {
        let length = Int(entries[index].sectionLength)
        let bytes = ContiguousArray(copying: bytes.span.extracting(range(at: index)))
        guard let content = storedContent(at: index) else {
            // The content is inline, so the header section and the content share one array.
            let section = HeaderSection(bytes, length: length, end: length, layout(at: index))
            return BodyPart(section, .inline(bytes, from: length))
        }
        return BodyPart(HeaderSection(bytes, length: length, end: bytes.count, layout(at: index)), content)
    }
}

extension PartList {
    private func start(at index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }

    /// Returns the range of a part in `bytes`. The ranges in the part's layout are relative to the start of this range.
    private func range(at index: Int) -> Range<Int> { start(at: index)..<entries[index].end }

    /// Returns the ranges in `bytes` of a part's header section and of its inline content. The section is empty if it
    /// cannot be written. The range of the content is nil if the content is not inline.
    // Inlining this method and ``isInline(_:)`` saves 3% of the instructions of encoding short fields (benchmark
    // `programs encode-again`).
    @inline(__always)
    func ranges(at index: Int) -> (section: Range<Int>, content: Range<Int>?) {
        let entry = entries[index]
        let start = start(at: index)
        let end = start + Int(entry.sectionLength)
        return (start..<end, isInline(entry) ? end..<entry.end : nil)
    }

    func hasInlineContent(at index: Int) -> Bool { isInline(entries[index]) }

    @inline(__always)
    private func isInline(_ entry: Entry) -> Bool {
        guard let fullEntry = entry.fullEntry else { return true }
        return fullEntries[fullEntry].content == nil
    }

    func section(at index: Int) -> Range<Int> { ranges(at: index).section }

    func inlineContent(at index: Int) -> Range<Int>? { ranges(at: index).content }

    /// Returns the content of a part if the content is in `fullEntries`; nil if it is in `bytes`.
    func storedContent(at index: Int) -> BodyContent? { entries[index].fullEntry.flatMap { fullEntries[$0].content } }

    func layout(at index: Int) -> SectionLayout {
        entries[index].fullEntry.map { fullEntries[$0].layout } ?? entries[index].fieldLayout
    }

    func name(at index: Int) -> String? { layout(at: index).name.text(in: bytes.span.extracting(range(at: index))) }

    /// Appends a part's name in UTF-8, and returns true. If the part has no name, appends nothing, and returns false.
    func appendName(at index: Int, to result: inout ContiguousArray<UInt8>) -> Bool {
        layout(at: index).name.appendText(in: bytes.span.extracting(range(at: index)), to: &result)
    }

    func hasFilename(at index: Int) -> Bool { layout(at: index).filename.exists }

    func contentType(at index: Int) -> String? {
        layout(at: index).contentType.text(in: bytes.span.extracting(range(at: index)))
    }

    func content(at index: Int) -> BodyContent {
        if let range = inlineContent(at: index) { return .data(data(range)) }
        return storedContent(at: index) ?? .data(Data())
    }

    func place(at index: Int) -> ContentPlace { storedContent(at: index)?.place ?? .memory }

    func length(at index: Int) -> UInt64? {
        inlineContent(at: index).map { UInt64($0.count) } ?? storedContent(at: index)?.length
    }

    func firstIndex(named name: String, from start: Int = 0) -> Int? {
        (start..<count).first { isNamed(name, at: $0) }
    }

    private func isNamed(_ name: String, at index: Int) -> Bool {
        layout(at: index).name.equals(name, in: bytes.span.extracting(range(at: index)))
    }

    private func data(_ range: Range<Int>) -> Data {
        Data(copying: bytes.span.extracting(range))
    }
}

extension PartList {
    /// Appends a part. If the part's header section must not be sent, an error takes the place of the content.
    mutating func append(_ part: BodyPart) {
        do throws(MultipartError) {
            if let error = part.error { throw error }
            try part.section.checkSendable()
            append(unchecked: part)
        } catch {
            append(unchecked: part.refused(error.located(at: count, name: part.name)))
        }
    }

    /// Appends a part without checking its header section. Encoding checks the section.
    mutating func append(unchecked part: BodyPart) {
        bytes.append(copying: part.section.bytes.span.extracting(first: part.section.end))
        endPart(part.content, sectionLength: part.section.length, part.section.layout)
    }

    /// Appends a new part, and writes its header section directly to `bytes`.
    mutating func append(
        _ content: BodyContent,
        name: String,
        filename: String?,
        contentType: String?
    ) {
        let identity = HeaderWriter.PartLabel(name: name, filename: filename, contentType: contentType)
        if content.error == nil, let (length, layout) = try? HeaderWriter.write(identity, [:], to: &bytes) {
            endPart(content, sectionLength: length, layout)
        } else {
            append(BodyPart(content: content, name: name, filename: filename, contentType: contentType))
        }
    }

    /// Appends a text field, and returns true, if all of these conditions hold:
    /// - The name and the content have at most ``maxInlineContent`` bytes each.
    /// - The name is ASCII, and needs no escape.
    /// - The bytes of both strings are contiguous.
    ///
    /// Otherwise appends nothing, and returns false.
    mutating func append(shortField name: String, _ content: String) -> Bool {
        let lengths = (name: name.utf8.count, content: content.utf8.count)
        guard max(lengths.name, lengths.content) <= Self.maxInlineContent else { return false }
        let start = bytes.count
        // SAFETY: the bytes are copied inside the closures. The result is nil if the bytes of a string are not
        // contiguous, as in some bridged strings.
        let isWritten = unsafe name.utf8.withContiguousStorageIfAvailable { name in
            unsafe content.utf8.withContiguousStorageIfAvailable { content in
                unsafe HeaderWriter.appendField(name: name.span, content: content.span, to: &bytes)
            }
        }
        guard isWritten == true else { return false }
        let sectionLength = bytes.count - start - lengths.content
        entries.append(Entry(end: bytes.count, sectionLength: sectionLength, nameLength: lengths.name))
        return true
    }

    /// Appends a received part without checking its header section. Encoding checks the section.
    mutating func append(received headers: HeaderFields, _ content: BodyContent) {
        let part = begin(received: headers)
        endPart(content, sectionLength: part.sectionLength, part.layout)
    }

    /// Adds the content and the entry of a part. The part's header section is already at the end of `bytes`. The
    /// content does not become inline if other text follows the section, such as the name `a"b`, which the section has
    /// as `a%22b`.
    private mutating func endPart(_ content: BodyContent, sectionLength: Int, _ layout: SectionLayout) {
        let hasOnlySection = bytes.count - (entries.last?.end ?? 0) == sectionLength
        let mayBeInline = layout.lines == .sendable && hasOnlySection
        let isInline =
            mayBeInline
            && content.withBytesInMemory(upTo: Self.maxInlineContent) { bytes.append(copying: $0) } != nil
        if isInline {
            endInlinePart(sectionLength: sectionLength, layout)
        } else {
            if case .refused = content { firstRefused = firstRefused ?? fullEntries.count }
            let content = content.copied(upTo: Self.maxInlineContent)
            append(FullEntry(layout: layout, content: content), sectionLength: sectionLength)
        }
    }

    /// Adds the entry of a part. The part's section and content are already at the end of `bytes`.
    private mutating func endInlinePart(sectionLength: Int, _ layout: SectionLayout) {
        if let nameLength = layout.nameLengthOfField {
            entries.append(Entry(end: bytes.count, sectionLength: sectionLength, nameLength: nameLength))
        } else {
            append(FullEntry(layout: layout, content: nil), sectionLength: sectionLength)
        }
    }

    private mutating func append(_ fullEntry: FullEntry, sectionLength: Int) {
        entries.append(Entry(end: bytes.count, sectionLength: sectionLength, fullEntry: fullEntries.count))
        fullEntries.append(fullEntry)
    }

    mutating func removeAll(named name: String) {
        guard let first = firstIndex(named: name) else { return }
        var result = PartList()
        for index in indices where index < first || !isNamed(name, at: index) {
            var content = storedContent(at: index)
            if case .refused(let error, let fields)? = content {
                content = .refused(error.located(at: result.count, name: error.partName), fields: fields)
            }
            result.bytes.append(copying: bytes.span.extracting(range(at: index)))
            result.end(OpenPart(sectionLength: section(at: index).count, layout: layout(at: index)), content)
        }
        self = result
    }
}

extension PartList {
    /// A received part whose content is arriving. The part's section and its inline content are at the end of `bytes`.
    struct OpenPart {
        let sectionLength: Int
        fileprivate let layout: SectionLayout
        /// Whether the header section may be sent unchanged. Only then may the content be inline.
        var isSendable: Bool { layout.lines == .sendable }
    }

    /// Reserves memory for `room` more bytes if `bytes` is long and nearly full. `room` is the maximum number of bytes
    /// that can still be added to the form.
    ///
    /// Without a reserve, an array that grows holds its old and its new memory at once. For a long array, this is too
    /// much. Reserved memory takes no physical memory until it is used. At most `maxReserve` bytes are reserved,
    /// because the system might refuse to reserve more.
    mutating func reserve(_ room: Int) {
        guard bytes.count >= Self.longList, bytes.capacity - bytes.count < Self.longList else { return }
        bytes.reserveCapacity(bytes.count + min(room, Self.maxReserve))
    }

    private static let longList = 1 << 19
    private static let maxReserve = 1 << 30

    /// Begins a received part: appends its header section to `bytes`.
    mutating func begin(received headers: HeaderFields) -> OpenPart {
        guard let layout = headers.storage.layout else { preconditionFailure("a parser has laid out the fields") }
        guard layout.lines == .raw else {
            return headers.storage.read { _, section in
                bytes.append(copying: section)
                return OpenPart(sectionLength: section.count, layout: layout)
            }
        }
        let section = HeaderSection(received: headers)
        bytes.append(contentsOf: section.bytes)
        return OpenPart(sectionLength: section.length, layout: section.layout)
    }

    /// Appends bytes to the inline content of the open part.
    mutating func append(_ content: Span<UInt8>) {
        bytes.append(copying: content)
    }

    /// Removes the inline content of the open part, and returns it.
    mutating func takeContent(of part: OpenPart) -> Data {
        let start = (entries.last?.end ?? 0) + part.sectionLength
        defer { bytes.removeSubrange(start...) }
        return data(start..<bytes.count)
    }

    /// Ends the open part; `content` is nil if the content is inline.
    mutating func end(_ part: OpenPart, _ content: BodyContent?) {
        if let content {
            endPart(content, sectionLength: part.sectionLength, part.layout)
        } else {
            endInlinePart(sectionLength: part.sectionLength, part.layout)
        }
    }
}
