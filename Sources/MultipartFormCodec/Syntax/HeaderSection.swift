/// A part's header section as the encoder sends it, with the ranges of the part's name, file name and type.
///
/// - Invariant: `bytes` has the following, in this order:
///   1. The header section, in canonical lines (``SectionLayout/Lines/canonical``). The section is empty if the part
///      has an error in its header fields.
///   2. The name, the file name and the type, each only if the section does not contain its unescaped text. For
///      example, the section has the name `a"b` as `a%22b`, so `a"b` follows the section.
///   3. The part's content, if a ``PartList`` has stored the content with the section.
struct HeaderSection: Sendable {
    let bytes: ContiguousArray<UInt8>
    /// The length of the section in bytes.
    let length: Int
    /// The offset in `bytes` at which the stored content of the part begins; the length of `bytes` if no content is
    /// stored.
    let end: Int
    let layout: SectionLayout

    /// Restores a section from the bytes that a ``PartList`` keeps for a part.
    init(_ bytes: ContiguousArray<UInt8>, length: Int, end: Int, _ layout: SectionLayout) {
        self.bytes = bytes
        self.length = length
        self.end = end
        self.layout = layout
    }

    /// Writes the section of a part: Content-Disposition and Content-Type from `identity`, then `additionalHeaders`.
    ///
    /// If `isSection` is true, `additionalHeaders` has all header fields of the part. Their Content-Disposition and
    /// Content-Type are then omitted.
    init(
        _ identity: HeaderWriter.PartLabel,
        _ additionalHeaders: HeaderFields,
        isSection: Bool = false
    ) throws(MultipartError) {
        var bytes: ContiguousArray<UInt8> = []
        (length, layout) = try HeaderWriter.write(identity, additionalHeaders, isSection: isSection, to: &bytes)
        self.bytes = bytes
        end = bytes.count
    }

    /// Creates an empty section for a part with an error in its header fields. `bytes` has only the name, the file name
    /// and the type.
    init(unwritten identity: HeaderWriter.PartLabel) {
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
            contentType: append(identity.sentContentType),
            lines: .canonical
        )
        self.bytes = bytes
        end = bytes.count
    }

    /// Creates the section of received fields. If the received lines are canonical (``SectionLayout/Lines/canonical``),
    /// copies them. Otherwise, for instance if a line is folded, writes new canonical lines with the same names and
    /// values.
    init(received fields: HeaderFields) {
        guard let layout = fields.storage.layout else { preconditionFailure("a parser has laid out the fields") }
        (bytes, self.layout) = fields.storage.read { fields, bytes in
            guard layout.lines == .raw else { return (ContiguousArray(copying: bytes), layout) }
            return Self.canonical(fields, bytes, layout)
        }
        length = bytes.count
        end = bytes.count
    }

    /// Creates the section of a part from all its header fields.
    ///
    /// If the fields have a ``SectionLayout``, as received fields have, the section has the same names and values.
    /// Otherwise, the section has a new Content-Disposition, with the name and the file name from `names`.
    init(_ fields: HeaderFields, _ names: HeaderWriter.PartLabel) throws(MultipartError) {
        guard fields.storage.layout == nil else {
            self.init(received: fields)
            return
        }
        let identity = HeaderWriter.PartLabel(
            name: names.name,
            filename: names.filename,
            contentType: fields.contentType
        )
        try self.init(identity, fields, isSection: true)
    }

    /// Writes fields in canonical lines without changing names or values. Returns the lines and their layout.
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

    /// The section's header fields. They keep the section's layout only if all ranges in the layout are within the
    /// section.
    var fields: HeaderFields {
        HeaderFields(canonical: bytes.span.extracting(first: length), end == length ? layout : nil)
    }

    /// The name, the file name and the type, not escaped.
    var names: HeaderWriter.PartLabel {
        HeaderWriter.PartLabel(name: name, filename: filename, contentType: contentType)
    }

    var name: String? { layout.name.text(in: bytes.span) }

    var filename: String? { layout.filename.text(in: bytes.span) }

    var contentType: String? { layout.contentType.text(in: bytes.span) }
}

// Checks whether the header section of a received part may be forwarded.
//
// The encoder sends an accepted section byte for byte, so that nothing is lost. Each line of an accepted section is a
// token, a colon and a value without control characters. Every receiver therefore finds the same fields.
//
// The check ignores the meaning of the fields. It accepts the following, even if receivers disagree on them:
// - A disposition type such as `attachment`.
// - Additional parameters.
// - Bytes that are not UTF-8.
// - A second Content-Type.
//
// Refusing such fields would not protect the receiver, because a client could send them to the receiver directly.
// Changing such fields would lose information. In strict mode, the parser refuses such fields when they arrive.
//
// The check refuses a second name, such as `name*`. Lenient mode ignores `name*`, but some receivers use it as the
// part's name. A client could send `name*` to bypass a program that forwards only parts with certain names. No known
// client sends `name*`.
extension HeaderSection {
    /// Throws if the section must not be sent.
    func checkSendable() throws(MultipartError) {
        try Self.checkSendable(bytes.span.extracting(first: length), layout)
    }

    /// Throws if a section must not be sent. `layout` is the layout of the section.
    static func checkSendable(_ section: Span<UInt8>, _ layout: SectionLayout) throws(MultipartError) {
        guard layout.lines != .sendable else { return }
        guard layout.name.exists else { throw MultipartError(ErrorCode.missingName) }
        try HeaderFields(canonical: section, layout).storage.read { fields, bytes throws(MultipartError) in
            for index in fields.indices { try check(fields[index], of: bytes, layout) }
        }
    }

    /// Throws if a field must not be sent. Does not check the field's name, because the parser and ``HeaderWriter``
    /// accept only tokens as names.
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

    /// Returns the name of the first parameter that lenient mode ignores, but that a receiver may read as a name or a
    /// file name; nil if there is no such parameter. Examples are `name*`, `filename*0`, and a `filename*` that cannot
    /// be decoded.
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
    /// Creates the error for a Content-Disposition with a parameter that the encoder does not send. `name` is the
    /// parameter's name, such as `name*`.
    init(unsendableParameter name: String) {
        let shown = name.printable(upTo: 64)
        self.init(
            ErrorCode.lossyDisposition,
            "Content-Disposition has the parameter \"\(shown)\", which a form's part cannot have"
        )
    }
}
