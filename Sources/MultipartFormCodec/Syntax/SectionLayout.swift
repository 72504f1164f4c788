/// The ranges of a part's name, file name and type. The parser or the writer determines the ranges once.
///
/// The ranges refer to the bytes that are stored with the layout, for instance in a ``HeaderSection``.
package struct SectionLayout: Sendable, BitwiseCopyable {
    /// The form of a section's lines.
    enum Lines: UInt8, Sendable {
        /// The lines are ``canonical``, and can be sent unchanged without another check:
        /// - No line has a control character other than HTAB.
        /// - No line begins with a hyphen, so no line begins with the dash-boundary.
        /// - ``HeaderSection/checkSendable()`` would refuse no field.
        case sendable
        /// Each line is a token, a colon, a value and CR LF. White space may surround the value. A blank line ends the
        /// section.
        case canonical
        /// Other lines, such as folded lines.
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

    /// Creates the layout of received fields. `disposition` has the ranges of the name and the file name; nil if there
    /// is no Content-Disposition.
    init(_ disposition: DispositionLayout?, contentType: Range<Int>?, lines: Lines) {
        name = disposition?.name ?? .none
        filename = disposition?.shownFilename ?? .none
        self.contentType = contentType.map { TextRange($0) } ?? .none
        self.lines = lines
    }

    /// The length of the name in bytes, if this length suffices to compute all ranges in the layout; otherwise nil.
    ///
    /// The length suffices if the part has no file name and no type, and the name has the range that
    /// ``HeaderWriter/nameRange(length:)`` returns.
    var nameLengthOfField: Int? {
        guard !filename.exists, !contentType.exists, let range = name.range else { return nil }
        return range == HeaderWriter.nameRange(length: range.count) ? range.count : nil
    }

    /// Returns the layout of a copy of the fields. The field with the ranges `old[i]` has the ranges `new[i]` in the
    /// copy. The lines of the copy have the form `lines`.
    func moved(from old: Span<FieldRanges>, to new: ContiguousArray<FieldRanges>, lines: Lines) -> SectionLayout {
        func moved(_ text: TextRange) -> TextRange {
            guard let range = text.range else { return text }
            for index in old.indices {
                let value = old[index].value
                // Compares bounds, because `contains` returns true for any empty range.
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
