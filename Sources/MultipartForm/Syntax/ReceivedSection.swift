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
