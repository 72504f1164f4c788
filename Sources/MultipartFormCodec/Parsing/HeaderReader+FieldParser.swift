// Parses any complete header section line by line, and finds its first error.
extension HeaderReader {
    /// Reads and checks a complete header section. ``HeaderReader`` has already checked the section's length and line
    /// breaks.
    ///
    /// The checks have a fixed order: the grammar of all lines, then repeated fields, then the Content-Disposition. If
    /// a section has several errors, the same one is thrown however the message was divided into chunks.
    struct FieldParser {
        /// The section, with folded lines joined.
        private var bytes: ContiguousArray<UInt8> = []
        private var fields: ContiguousArray<FieldRanges> = []
        /// The origin of the joined text in `bytes`, which consists of ranges copied from the section. For each range:
        /// its offset in the joined text, and its offset in the section. Empty if no lines were joined.
        private var origins: ContiguousArray<(text: Int, section: Int)> = []
        /// Whether each line consists of a name, a colon, a value and CR LF.
        private var isCanonical = false

        /// Parses a section that ends with its blank line. The offset of an error is relative to the section.
        static func parse(
            _ section: Span<UInt8>,
            _ lineBreak: DelimiterLineClassifier.LineBreak
        ) throws(MultipartError) -> HeaderFields {
            var parser = FieldParser()
            parser.isCanonical = lineBreak == .crlf
            let isFolded = try parser.readLines(section)
            if isFolded { parser.joinLines(of: section) } else { parser.bytes = ContiguousArray(copying: section) }
            do throws(MultipartError) {
                return HeaderFields(parser.bytes.span, parser.fields.span, try parser.layOut())
            } catch {
                throw isFolded ? parser.placed(error) : error
            }
        }

        /// Checks the grammar of the complete lines of an incomplete section.
        static func checkLines(_ lines: Span<UInt8>) throws(MultipartError) {
            var parser = FieldParser()
            _ = try parser.readLines(lines)
        }

        /// Reads the first line of each field. Returns true if any field has continuation lines.
        private mutating func readLines(_ section: Span<UInt8>) throws(MultipartError) -> Bool {
            var line = 0
            var isFolded = false
            while let (text, next) = Self.line(of: section, from: line) {
                let isContinuation = !fields.isEmpty && ASCII.isWhitespace(section[line])
                if isContinuation {
                    isFolded = true
                    isCanonical = false
                } else {
                    fields.append(try field(in: text, of: section))
                }
                line = next
            }
            return isFolded
        }

        /// Returns the line that begins at `start`, and the offset of the next line. Returns nil at the blank line and
        /// at the end of the section.
        private static func line(of section: Span<UInt8>, from start: Int) -> (text: Range<Int>, next: Int)? {
            let end = ASCII.endOfText(section, from: start, to: section.count)
            return start == end ? nil : (start..<end, end + (section[end] == ASCII.lineFeed ? 1 : 2))
        }

        private mutating func field(in text: Range<Int>, of section: Span<UInt8>) throws(MultipartError) -> FieldRanges
        {
            let start = ASCII.trimmingWhitespace(section, text).lowerBound
            let name = Parameters.token(in: section, from: start)
            var colon = name.upperBound
            while colon < text.upperBound, ASCII.isWhitespace(section[colon]) { colon += 1 }
            guard !name.isEmpty, colon < text.upperBound, section[colon] == ASCII.colon else {
                throw MultipartError(ErrorCode.malformedHeader, at: min(colon, text.upperBound))
            }
            if start > text.lowerBound || colon > name.upperBound { isCanonical = false }
            let value = ASCII.trimmingWhitespace(section, (colon + 1)..<text.upperBound)
            return FieldRanges(name: name, value: value)
        }

        /// Joins continuation lines to their fields. One space replaces each line break and the white space around it.
        ///
        /// Each line is copied once, so the work is linear in the length of the section.
        private mutating func joinLines(of section: Span<UInt8>) {
            bytes.reserveCapacity(section.count)
            for index in fields.indices {
                let field = fields[index]
                let nameStart = bytes.count
                append(field.name, of: section)
                let valueStart = bytes.count
                append(field.value, of: section)
                let end = index + 1 < fields.count ? fields[index + 1].name.lowerBound : section.count
                var next = Self.line(of: section, from: field.name.lowerBound)?.next ?? end
                while next < end, let line = Self.line(of: section, from: next) {
                    bytes.append(ASCII.space)
                    append(ASCII.trimmingWhitespace(section, line.text), of: section)
                    next = line.next
                }
                fields[index] = FieldRanges(
                    name: nameStart..<valueStart,
                    value: ASCII.trimmingWhitespace(bytes.span, valueStart..<bytes.count)
                )
                // This LF separates the fields. Without it, the end of a value and the start of the next name would
                // have the same offset, and `placed` could not tell to which of them an error belongs.
                bytes.append(ASCII.lineFeed)
            }
        }

        private mutating func append(_ range: Range<Int>, of section: Span<UInt8>) {
            origins.append((text: bytes.count, section: range.lowerBound))
            bytes.append(copying: section.extracting(range))
        }

        /// Converts an error with an offset in the joined text to the same error with an offset in the section.
        private func placed(_ error: MultipartError) -> MultipartError {
            let offset = Int(clamping: error.offset ?? 0)
            guard let origin = origins.last(where: { $0.text <= offset }) else { return error }
            return MultipartError(error.code, error.ownReason, at: origin.section + offset - origin.text)
        }

        /// Checks the fields. Returns the ranges of the part's name, file name and type.
        private func layOut() throws(MultipartError) -> SectionLayout {
            var checks = FieldChecks()
            let span = bytes.span
            for field in fields {
                _ = checks.accept(field, FieldChecks.Field(named: field.name, span), in: span)
            }
            let disposition = try checks.finish(in: span)
            return SectionLayout(disposition, contentType: checks.contentType, lines: isCanonical ? .canonical : .raw)
        }
    }
}
