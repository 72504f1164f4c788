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
