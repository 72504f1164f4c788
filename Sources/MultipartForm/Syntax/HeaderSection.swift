/// A part's header section as it is sent, and where it has what the part's properties return.
///
/// - Invariant: the section's lines are regular (``SectionLayout/Form/regular``), unless it is empty because it cannot be
///   written. After it follow the texts of the part that it has only in an escaped form, or not at all.
struct HeaderSection: Sendable {
    let bytes: ContiguousArray<UInt8>
    /// The length of the section in bytes.
    let length: Int
    /// The end of its bytes and of the texts after it; a short part keeps its content in the same memory.
    let end: Int
    let layout: SectionLayout

    /// The section that a form has kept in the first bytes of a part.
    init(_ bytes: ContiguousArray<UInt8>, length: Int, end: Int, _ layout: SectionLayout) {
        self.bytes = bytes
        self.length = length
        self.end = end
        self.layout = layout
    }

    /// Writes the section of a new part; `isSection` says that the headers are a whole one.
    init(
        _ texts: HeaderWriter.Texts,
        _ additionalHeaders: HeaderFields,
        isSection: Bool = false
    ) throws(MultipartError) {
        var bytes: ContiguousArray<UInt8> = []
        (length, layout) = try HeaderWriter.write(texts, additionalHeaders, isSection: isSection, to: &bytes)
        self.bytes = bytes
        end = bytes.count
    }

    /// The texts of a part whose section cannot be written.
    init(unwritten texts: HeaderWriter.Texts) {
        var bytes: ContiguousArray<UInt8> = []
        func append(_ text: String?) -> TextRange {
            guard let text, text.utf8.count <= HeaderWriter.longestSection - bytes.count else { return .none }
            bytes.append(contentsOf: text.utf8)
            return TextRange(bytes.count - text.utf8.count..<bytes.count)
        }
        length = 0
        layout = SectionLayout(
            name: append(texts.name),
            filename: append(texts.filename),
            contentType: append(texts.contentType),
            form: .regular
        )
        self.bytes = bytes
        end = bytes.count
    }

    /// The section of received fields, as it came if its lines are regular, else with the same fields in regular lines.
    init(received fields: HeaderFields) {
        guard let layout = fields.storage.layout else { preconditionFailure("a parser has laid out the fields") }
        (bytes, self.layout) = fields.storage.read { fields, bytes in
            guard layout.form == .loose else { return (ContiguousArray(copying: bytes), layout) }
            return Self.regular(fields, bytes, layout)
        }
        length = bytes.count
        end = bytes.count
    }

    /// Writes the section of fields: that of a received part as it came, any other with `names`, escaped.
    init(_ fields: HeaderFields, _ names: HeaderWriter.Texts) throws(MultipartError) {
        let texts = HeaderWriter.Texts(name: names.name, filename: names.filename, contentType: fields.contentType)
        // The fields of a file that was appended without a type have one that the layout does not know.
        if let layout = fields.storage.layout, layout.contentType.exists == (texts.contentType != nil) {
            self.init(received: fields)
        } else {
            try self.init(texts, fields, isSection: true)
        }
    }

    /// Writes fields in regular lines: each with its own bytes, and the layout of those.
    private static func regular(
        _ fields: Span<FieldRanges>,
        _ bytes: Span<UInt8>,
        _ layout: SectionLayout
    ) -> (ContiguousArray<UInt8>, SectionLayout) {
        var lines: ContiguousArray<UInt8> = []
        var written: ContiguousArray<FieldRanges> = []
        for index in fields.indices {
            let (name, value) = (bytes.extracting(fields[index].name), bytes.extracting(fields[index].value))
            let start = lines.count
            HeaderWriter.appendLine(name, value, to: &lines)
            let end = lines.count - "\r\n".utf8.count
            written.append(FieldRanges(name: start..<start + name.count, value: end - value.count..<end))
        }
        HeaderWriter.appendLineBreak(to: &lines)
        return (lines, layout.moved(from: fields, to: written, form: .regular))
    }

    /// The fields, with the layout if all of it lies within the section.
    var fields: HeaderFields {
        HeaderFields(regular: bytes.span.extracting(first: length), end == length ? layout : nil)
    }

    /// The name and the file name as they were given, whatever the section has of them.
    var names: HeaderWriter.Texts { HeaderWriter.Texts(name: name, filename: filename, contentType: contentType) }

    var name: String? { layout.name.text(in: bytes.span) }

    var filename: String? { layout.filename.text(in: bytes.span) }

    var contentType: String? { layout.contentType.text(in: bytes.span) }

    /// Fails if the section may not be sent.
    func check() throws(MultipartError) {
        guard layout.form != .plain else { return }
        try ReceivedSection.check(bytes.span.extracting(first: length), layout)
    }
}

extension HeaderFields {
    /// What the fields say that identifies a part.
    var texts: HeaderWriter.Texts {
        HeaderWriter.Texts(name: name, filename: filename, contentType: contentType)
    }

    /// The fields of a section whose lines are regular.
    init(regular section: Span<UInt8>, _ layout: SectionLayout?) {
        var fields: ContiguousArray<FieldRanges> = []
        var line = 0
        // Each pass takes a line.
        while line < section.count, !ASCII.isLineBreak(section, at: line) {
            let colon = ASCII.firstOffset(of: ASCII.colon, in: section, from: line)
            let end = ASCII.endOfText(section, from: colon, to: section.count)
            fields.append(
                FieldRanges(name: line..<colon, value: ASCII.trimmingWhitespace(section, colon + 1..<end))
            )
            line = end + 2
        }
        self.init(section, fields.span, layout)
    }
}
