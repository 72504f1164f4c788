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

/// Where a header section has what a part's properties return, found once by the parser or by the writer.
///
/// The ranges are of the bytes that are kept with the layout: the section and, after it, the texts that the section has
/// only in an escaped form.
package struct SectionLayout: Sendable, BitwiseCopyable {
    /// How much is known of a section's bytes.
    enum Form: UInt8, Sendable {
        /// Its lines are regular, and can be sent as they are without another check: no byte is a control character, no
        /// line begins with a hyphen, and the fields are those that ``ReceivedSection`` allows.
        case plain
        /// Its lines are regular: a token, a colon, a value between white space, and CR LF; then the blank line.
        case regular
        /// The fields were received in other lines, such as folded ones.
        case loose
    }

    private(set) var name: TextRange
    private(set) var filename: TextRange
    private(set) var contentType: TextRange
    let form: Form

    init(name: TextRange = .none, filename: TextRange = .none, contentType: TextRange = .none, form: Form) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.form = form
    }

    /// The layout of received fields; the names are those of the Content-Disposition, if there is one.
    init(_ disposition: DispositionLayout?, contentType: Range<Int>?, form: Form) {
        name = disposition?.name ?? .none
        filename = disposition?.shownFilename ?? .none
        self.contentType = contentType.map { TextRange($0) } ?? .none
        self.form = form
    }

    /// The length of the name, if it is all that there is and begins where ``HeaderWriter/appendField(_:_:to:)`` writes it.
    var nameLengthOfField: Int? {
        guard !filename.exists, !contentType.exists, let range = name.range else { return nil }
        return range == HeaderWriter.nameRange(length: range.count) ? range.count : nil
    }

    /// The same layout where the fields' values have been moved.
    func moved(from old: Span<FieldRanges>, to new: ContiguousArray<FieldRanges>, form: Form) -> SectionLayout {
        func moved(_ text: TextRange) -> TextRange {
            guard let range = text.range else { return text }
            for index in old.indices {
                let value = old[index].value
                // Not `contains`, which is true of an empty range wherever it is.
                guard value.lowerBound <= range.lowerBound, range.upperBound <= value.upperBound else { continue }
                return text.moved(by: new[index].value.lowerBound - value.lowerBound)
            }
            return text
        }
        return SectionLayout(name: moved(name), filename: moved(filename), contentType: moved(contentType), form: form)
    }
}

/// Decides whether the header section of a received part may be sent on, so that nothing is lost on the way.
///
/// - Input: a section with regular lines, and its layout.
/// - Output: an error if it may not be sent; otherwise it is sent as it is, byte for byte.
/// - Invariant: every line that is sent is a token, a colon and a value without control characters. So a receiver finds
///   the same fields, and no others.
/// - Cost: linear in the section.
///
/// What the fields mean is not judged again. A disposition type such as `attachment`, further parameters, bytes that are
/// not UTF-8 and a second Content-Type are sent as they came, even if receivers disagree on them: their sender can send
/// them to the receiver directly, and to change them would be to lose them. Strict mode refuses them when they arrive.
/// Only a second name is refused here, too, such as `name*`, which lenient mode does not read but some receivers do: no
/// client sends it, and it would be a way past a program that passes parts on by their names.
enum ReceivedSection {
    static func check(_ section: Span<UInt8>, _ layout: SectionLayout) throws(MultipartError) {
        guard layout.name.exists else { throw MultipartError(.missingName) }
        try HeaderFields(regular: section, layout).storage.read { fields, bytes throws(MultipartError) in
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
                throw MultipartError(.invalidHeaderValue, "value of header field \"\(name)\" has a control character")
            }
            return
        }
        let disposition = try? DispositionLayout(bytes, field.value, mode: .lenient)
        if hasControl {
            let names = [disposition?.name.range, disposition?.filename.range].compactMap(\.self)
            let isInName = names.contains { Self.hasControl(bytes, $0) }
            if isInName { throw MultipartError(.invalidCharacter) }
            throw MultipartError(.lossyDisposition, "Content-Disposition has a control character")
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
            .lossyDisposition,
            "Content-Disposition has the parameter \"\(shown)\", which a form's part cannot have"
        )
    }
}
