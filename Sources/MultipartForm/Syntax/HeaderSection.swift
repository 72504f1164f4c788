/// A part's header section as it is sent, and where it has what the part's properties return.
///
/// - Invariant: the section is empty if it cannot be written; else its lines are canonical
///   (``SectionLayout/Lines/canonical``). After it, in the same bytes, is each text of the part that the section lacks
///   or has escaped.
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
        _ identity: HeaderWriter.PartIdentity,
        _ additionalHeaders: HeaderFields,
        isSection: Bool = false
    ) throws(MultipartError) {
        var bytes: ContiguousArray<UInt8> = []
        (length, layout) = try HeaderWriter.write(identity, additionalHeaders, isSection: isSection, to: &bytes)
        self.bytes = bytes
        end = bytes.count
    }

    /// The texts of a part whose section cannot be written.
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

    /// The section of received fields, as it came if its lines are canonical, else with the same fields in canonical
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

    /// Writes the section of fields: that of a received part as it came, any other with `names`, escaped.
    init(_ fields: HeaderFields, _ names: HeaderWriter.PartIdentity) throws(MultipartError) {
        let identity = HeaderWriter.PartIdentity(
            name: names.name,
            filename: names.filename,
            contentType: fields.contentType
        )
        // The fields of a file that was appended without a type have one that the layout does not know.
        if let layout = fields.storage.layout, layout.contentType.exists == (identity.contentType != nil) {
            self.init(received: fields)
        } else {
            try self.init(identity, fields, isSection: true)
        }
    }

    /// Writes fields in canonical lines: each with its own bytes, and the layout of those.
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

    /// The fields, with the layout if all of it lies within the section.
    var fields: HeaderFields {
        HeaderFields(canonical: bytes.span.extracting(first: length), end == length ? layout : nil)
    }

    /// The name and the file name as they were given, whatever the section has of them.
    var names: HeaderWriter.PartIdentity {
        HeaderWriter.PartIdentity(name: name, filename: filename, contentType: contentType)
    }

    var name: String? { layout.name.text(in: bytes.span) }

    var filename: String? { layout.filename.text(in: bytes.span) }

    var contentType: String? { layout.contentType.text(in: bytes.span) }
}

// Whether the header section of a received part may be sent on: then it is sent byte for byte, so that nothing is lost
// on the way. Each of its lines is a token, a colon and a value without control characters, so that a receiver finds
// the same fields and no others.
//
// What the fields mean is not judged again. A disposition type such as `attachment`, further parameters, bytes that are
// not UTF-8 and a second Content-Type are sent as they came, even if receivers disagree on them: their sender can send
// them to the receiver directly, and to change them would be to lose them. Strict mode refuses them when they arrive.
// Only a second name is refused here, too, such as `name*`, which lenient mode does not read but some receivers do: no
// client sends it, and it would be a way past a program that passes parts on by their names.
extension HeaderSection {
    /// Fails if the section may not be sent.
    func checkSendable() throws(MultipartError) {
        try Self.checkSendable(bytes.span.extracting(first: length), layout)
    }

    /// Fails if a section with such a layout may not be sent.
    static func checkSendable(_ section: Span<UInt8>, _ layout: SectionLayout) throws(MultipartError) {
        guard layout.lines != .sendable else { return }
        guard layout.name.exists else { throw MultipartError(ErrorCode.missingName) }
        try HeaderFields(canonical: section, layout).storage.read { fields, bytes throws(MultipartError) in
            for index in fields.indices { try check(fields[index], of: bytes, layout) }
        }
    }

    /// Fails if a field may not be sent. Its name is a token, since the parser has accepted it.
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

    /// The first parameter such as `name*` or `filename*0` that was ignored, as all are but the `filename*` that is
    /// decoded; nil if there is none.
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
