/// A part's header section as it is sent, with the ranges of its name, file name and type.
///
/// - Invariant: the section's lines are canonical (``SectionLayout/Lines/canonical``), or it is empty if it cannot be
///   written. After the section, `bytes` continue with the texts of the part (name, file name, type) that the section
///   lacks or has only in escaped form.
struct HeaderSection: Sendable {
    let bytes: ContiguousArray<UInt8>
    /// The length of the section in bytes.
    let length: Int
    /// The end of the texts after the section. A short part keeps its content after them, in the same memory.
    let end: Int
    let layout: SectionLayout

    /// Restores a section from the bytes that a form keeps for a part.
    init(_ bytes: ContiguousArray<UInt8>, length: Int, end: Int, _ layout: SectionLayout) {
        self.bytes = bytes
        self.length = length
        self.end = end
        self.layout = layout
    }

    /// Writes the section of a part. If `isSection`, the headers are a whole section, and only their other fields are
    /// written.
    init(
        _ identity: HeaderWriter.PartIdentity,
        _ additionalHeaders: HeaderFields,
        isSection: Bool = false
    ) throws(MultipartError) {
        var bytes: ContiguousArray<UInt8> = []
        (length, layout) = try HeaderWriter.write(identity, additionalHeaders, isSection: isSection, to: &bytes)
        self.bytes = bytes
        end = bytes.count
    }

    /// Keeps the name, file name and type of a part whose section cannot be written.
    init(unwritten identity: HeaderWriter.PartIdentity) {
        var bytes: ContiguousArray<UInt8> = []
        func append(_ text: String?) -> TextRange {
            guard let text, text.utf8.count <= HeaderWriter.maxSectionLength - bytes.count else { return .none }
            bytes.append(contentsOf: text.utf8)
            return TextRange(bytes.count - text.utf8.count..<bytes.count)
        }
        length = 0
        layout = SectionLayout(
            name: append(identity.name),
            filename: append(identity.filename),
            contentType: append(identity.contentType),
            lines: .canonical
        )
        self.bytes = bytes
        end = bytes.count
    }

    /// Keeps the section of received fields, unchanged if its lines are canonical, otherwise rewritten in canonical
    /// lines.
    init(received fields: HeaderFields) {
        guard let layout = fields.storage.layout else { preconditionFailure("a parser has laid out the fields") }
        (bytes, self.layout) = fields.storage.read { fields, bytes in
            guard layout.lines == .raw else { return (ContiguousArray(copying: bytes), layout) }
            return Self.canonical(fields, bytes, layout)
        }
        length = bytes.count
        end = bytes.count
    }

    /// Writes the section of a part's fields: for a received part unchanged, otherwise with `names` in escaped form.
    init(_ fields: HeaderFields, _ names: HeaderWriter.PartIdentity) throws(MultipartError) {
        let identity = HeaderWriter.PartIdentity(
            name: names.name,
            filename: names.filename,
            contentType: fields.contentType
        )
        // The section is written again if only the layout has no type: a file that was appended without a type has one
        // in its fields.
        if let layout = fields.storage.layout, layout.contentType.exists == (identity.contentType != nil) {
            self.init(received: fields)
        } else {
            try self.init(identity, fields, isSection: true)
        }
    }

    /// Writes fields in canonical lines, with names and values unchanged; returns the lines and their layout.
    private static func canonical(
        _ fields: Span<FieldRanges>,
        _ bytes: Span<UInt8>,
        _ layout: SectionLayout
    ) -> (ContiguousArray<UInt8>, SectionLayout) {
        var lines: ContiguousArray<UInt8> = []
        var written: ContiguousArray<FieldRanges> = []
        for index in fields.indices {
            let (name, value) = (bytes.extracting(fields[index].name), bytes.extracting(fields[index].value))
            let start = lines.count
            HeaderWriter.appendLine(name: name, value: value, to: &lines)
            let end = lines.count - "\r\n".utf8.count
            written.append(FieldRanges(name: start..<start + name.count, value: end - value.count..<end))
        }
        HeaderWriter.appendLineBreak(to: &lines)
        return (lines, layout.moved(from: fields, to: written, lines: .canonical))
    }

    /// The section's fields. They have the layout if no text follows the section.
    var fields: HeaderFields {
        HeaderFields(canonical: bytes.span.extracting(first: length), end == length ? layout : nil)
    }

    /// The name, the file name and the type as they were given, not escaped.
    var names: HeaderWriter.PartIdentity {
        HeaderWriter.PartIdentity(name: name, filename: filename, contentType: contentType)
    }

    var name: String? { layout.name.text(in: bytes.span) }

    var filename: String? { layout.filename.text(in: bytes.span) }

    var contentType: String? { layout.contentType.text(in: bytes.span) }
}

// Checks whether the header section of a received part may be forwarded. If so, it is sent byte for byte, and nothing
// is lost. Each line is a token, a colon and a value without control characters, so that a receiver finds the same
// fields and no others.
//
// The meaning of the fields is not checked. A disposition type such as `attachment`, further parameters, bytes that are
// not UTF-8 and a second Content-Type are sent unchanged, even if receivers disagree on them. A client could also send
// them to the receiver directly, and changing them would lose them. Strict mode refuses them when they arrive.
//
// A second name such as `name*` is refused, because lenient mode does not read it, but some receivers do. It would
// bypass a program that decides by the names which parts to forward. No client sends a second name.
extension HeaderSection {
    /// Throws if the section may not be sent.
    func checkSendable() throws(MultipartError) {
        try Self.checkSendable(bytes.span.extracting(first: length), layout)
    }

    /// Throws if a section with this layout may not be sent.
    static func checkSendable(_ section: Span<UInt8>, _ layout: SectionLayout) throws(MultipartError) {
        guard layout.lines != .sendable else { return }
        guard layout.name.exists else { throw MultipartError(ErrorCode.missingName) }
        try HeaderFields(canonical: section, layout).storage.read { fields, bytes throws(MultipartError) in
            for index in fields.indices { try check(fields[index], of: bytes, layout) }
        }
    }

    /// Throws if a field may not be sent. Its name is a token, since the parser has accepted it.
    private static func check(
        _ field: FieldRanges,
        of bytes: Span<UInt8>,
        _ layout: SectionLayout
    ) throws(MultipartError) {
        try HeaderWriter.checkTransferEncoding(field, of: bytes)
        let hasControl = hasControl(bytes, field.value)
        guard ASCII.matches(bytes, field.name, "content-disposition") else {
            if hasControl {
                let name = String(repairing: bytes.extracting(field.name)).printable(upTo: 64)
                throw MultipartError(
                    ErrorCode.invalidHeaderValue,
                    "value of header field \"\(name)\" has a control character"
                )
            }
            return
        }
        let disposition = try? DispositionLayout(bytes, field.value)
        if hasControl {
            let names = [disposition?.name.range, disposition?.filename.range].compactMap(\.self)
            let isInName = names.contains { Self.hasControl(bytes, $0) }
            if isInName { throw MultipartError(ErrorCode.invalidCharacter) }
            throw MultipartError(ErrorCode.lossyDisposition, "Content-Disposition has a control character")
        }
        if let disposition, let name = unreadName(disposition, bytes.extracting(..<field.value.upperBound)) {
            throw MultipartError(unsendableParameter: name)
        }
    }

    /// The first parameter such as `name*` or `filename*0` that lenient mode has not read; nil if there is none. Of
    /// these, it reads only a `filename*` that can be decoded.
    private static func unreadName(_ disposition: DispositionLayout, _ bytes: Span<UInt8>) -> String? {
        let names = disposition.parameters(in: bytes).map { $0.name.lowercased() }
        var extended = names.filter { $0.hasPrefix("name*") || $0.hasPrefix("filename*") }
        if disposition.extendedFilename.exists, let decoded = extended.firstIndex(of: "filename*") {
            extended.remove(at: decoded)
        }
        return extended.first
    }

    private static func hasControl(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.contains { ASCII.isControl(bytes[$0]) }
    }
}

extension MultipartError {
    /// The error of a Content-Disposition with a parameter other than a name and a file name.
    init(unsendableParameter name: String) {
        let shown = name.printable(upTo: 64)
        self.init(
            ErrorCode.lossyDisposition,
            "Content-Disposition has the parameter \"\(shown)\", which a form's part cannot have"
        )
    }
}
