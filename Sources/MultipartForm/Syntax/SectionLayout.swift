/// The ranges of a part's name, file name and type in its header section, determined once by the parser or the writer.
///
/// The ranges refer to the bytes that are kept with the layout: the section and, after it, the texts that the section
/// has only in escaped form.
package struct SectionLayout: Sendable, BitwiseCopyable {
    /// What is known about the lines of a section.
    enum Lines: UInt8, Sendable {
        /// Canonical lines that can be sent unchanged without another check: no byte is a control character, no line
        /// begins with a hyphen, and the fields are those that ``HeaderSection/checkSendable()`` allows.
        case sendable
        /// Each line is a token, a colon, a value with or without white space around it, and CR LF. The blank line
        /// follows.
        case canonical
        /// Other lines, such as folded ones.
        case raw
    }

    private(set) var name: TextRange
    private(set) var filename: TextRange
    private(set) var contentType: TextRange
    private(set) var lines: Lines

    init(name: TextRange = .none, filename: TextRange = .none, contentType: TextRange = .none, lines: Lines) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.lines = lines
    }

    /// The layout of received fields; the names are those of the Content-Disposition, if there is one.
    init(_ disposition: DispositionLayout?, contentType: Range<Int>?, lines: Lines) {
        name = disposition?.name ?? .none
        filename = disposition?.shownFilename ?? .none
        self.contentType = contentType.map { TextRange($0) } ?? .none
        self.lines = lines
    }

    /// The name's length, if the section has the form that ``HeaderWriter/appendField(name:content:to:)`` writes;
    /// otherwise nil.
    var nameLengthOfField: Int? {
        guard !filename.exists, !contentType.exists, let range = name.range else { return nil }
        return range == HeaderWriter.nameRange(length: range.count) ? range.count : nil
    }

    /// The layout after the fields' values have been moved from the ranges `old` to the ranges `new`.
    func moved(from old: Span<FieldRanges>, to new: ContiguousArray<FieldRanges>, lines: Lines) -> SectionLayout {
        func moved(_ text: TextRange) -> TextRange {
            guard let range = text.range else { return text }
            for index in old.indices {
                let value = old[index].value
                // Compares bounds, because `contains` is true for an empty range wherever it is.
                guard value.lowerBound <= range.lowerBound, range.upperBound <= value.upperBound else { continue }
                return text.moved(by: new[index].value.lowerBound - value.lowerBound)
            }
            return text
        }
        var layout = self
        layout.name = moved(name)
        layout.filename = moved(filename)
        layout.contentType = moved(contentType)
        layout.lines = lines
        return layout
    }
}
