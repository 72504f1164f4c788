/// Parses and checks a complete header section that ``HeaderScanner`` has accepted.
///
/// The checks have a fixed order, so that the first error does not depend on how the message was divided into chunks:
/// the grammar of the lines, then in strict mode controls and UTF-8, then repeated fields, the disposition, and the
/// transfer encoding.
struct HeaderSection: Sendable {
    private let rules: HeaderRules

    /// The text of the fields: the section, with folded lines joined.
    private var bytes: ContiguousArray<UInt8> = []
    private var places: ContiguousArray<FieldPlace> = []

    /// Parses a section that ends with its blank line. An error's offset is that in the section.
    static func parse(_ section: Span<UInt8>, _ rules: HeaderRules) throws(MultipartError) -> HeaderFields {
        var reader = HeaderSection(rules: rules)
        let isFolded = try reader.readLines(section)
        let firstLines = reader.places
        if isFolded { reader.joinLines(of: section) } else { reader.bytes = ContiguousArray(copying: section) }
        if rules.mode == .strict { try reader.checkCharacters() }
        do {
            let disposition = try reader.checkFields()
            return HeaderFields(reader.bytes.span, reader.places.span, disposition)
        } catch {
            throw isFolded ? reader.placed(error, in: firstLines) : error
        }
    }

    /// Checks the grammar of the complete lines of an incomplete section.
    static func checkLines(_ lines: Span<UInt8>, _ rules: HeaderRules) throws(MultipartError) {
        var reader = HeaderSection(rules: rules)
        _ = try reader.readLines(lines)
    }

    /// Finds the first line of each field; true if a field continues on other lines, which lenient mode allows.
    private mutating func readLines(_ section: Span<UInt8>) throws(MultipartError) -> Bool {
        var line = 0
        var isFolded = false
        while let (text, next) = Self.line(of: section, from: line) {
            let isContinuation = !places.isEmpty && ASCII.isWhitespace(section[line])
            if isContinuation {
                guard rules.mode == .lenient else { throw MultipartError(.obsoleteFold, at: line) }
                isFolded = true
            } else {
                places.append(try place(of: text, in: section))
            }
            line = next
        }
        return isFolded
    }

    /// The line that begins at `start`, and where the next one does; nil at the blank line and the section's end.
    private static func line(of section: Span<UInt8>, from start: Int) -> (text: Range<Int>, next: Int)? {
        let end = ASCII.endOfText(section, from: start, to: section.count)
        return start == end ? nil : (start..<end, end + (section[end] == ASCII.lineFeed ? 1 : 2))
    }

    private func place(of text: Range<Int>, in section: Span<UInt8>) throws(MultipartError) -> FieldPlace {
        let start = ASCII.trimmingWhitespace(section, text).lowerBound
        guard start == text.lowerBound || rules.mode == .lenient else {
            throw MultipartError(.malformedHeader, at: text.lowerBound)
        }
        let name = Parameters.token(in: section, from: start)
        var colon = name.upperBound
        if rules.mode == .lenient {
            while colon < text.upperBound, ASCII.isWhitespace(section[colon]) { colon += 1 }
        }
        guard !name.isEmpty, colon < text.upperBound, section[colon] == ASCII.colon else {
            throw MultipartError(.malformedHeader, at: min(colon, text.upperBound))
        }
        let value = ASCII.trimmingWhitespace(section, (colon + 1)..<text.upperBound)
        return FieldPlace(name: name, value: value)
    }

    /// Joins continuation lines to their fields: a line break and the white space around it become one space.
    ///
    /// Copies each field and its lines once, so the work is linear in the section.
    private mutating func joinLines(of section: Span<UInt8>) {
        bytes.reserveCapacity(section.count)
        for index in places.indices {
            let place = places[index]
            let nameStart = bytes.count
            bytes.append(copying: section.extracting(place.name))
            let valueStart = bytes.count
            bytes.append(copying: section.extracting(place.value))
            let end = index + 1 < places.count ? places[index + 1].name.lowerBound : section.count
            var next = Self.line(of: section, from: place.name.lowerBound)?.next ?? end
            while next < end, let line = Self.line(of: section, from: next) {
                bytes.append(ASCII.space)
                bytes.append(copying: section.extracting(ASCII.trimmingWhitespace(section, line.text)))
                next = line.next
            }
            places[index] = FieldPlace(
                name: nameStart..<valueStart,
                value: ASCII.trimmingWhitespace(bytes.span, valueStart..<bytes.count)
            )
        }
    }

    /// Maps an error's offset in joined lines to one in the section, where the fields' first lines are at `firstLines`:
    /// exact on a field's first line, else approximate.
    private func placed(_ error: MultipartError, in firstLines: ContiguousArray<FieldPlace>) -> MultipartError {
        let offset = Int(clamping: error.offset ?? 0)
        for (joined, first) in zip(places, firstLines) where offset <= joined.value.upperBound {
            let isInName = offset < joined.value.lowerBound
            let start = isInName ? first.name.lowerBound : first.value.lowerBound
            let distance = offset - (isInName ? joined.name.lowerBound : joined.value.lowerBound)
            return MultipartError(error.code, offset: UInt64(start + max(distance, 0)))
        }
        return error
    }

    /// Fails unless all values are UTF-8 without controls other than HTAB. Names are tokens already.
    private func checkCharacters() throws(MultipartError) {
        let span = bytes.span
        let remarkable = places.filter { place in
            let text = span.extracting(..<place.value.upperBound)
            return ASCII.endOfPlainText(text, from: place.value.lowerBound, isStrict: true) < place.value.upperBound
        }
        for place in remarkable {
            for index in place.value where ASCII.isControl(bytes[index]) {
                throw MultipartError(.invalidHeaderCharacter, at: index)
            }
        }
        for place in remarkable where !String.isUTF8(span.extracting(place.value)) {
            throw MultipartError(.invalidUTF8, at: place.value.lowerBound)
        }
    }

    private func checkFields() throws(MultipartError) -> DispositionLayout? {
        let span = bytes.span
        var disposition: FieldPlace?
        var hasType = false
        var encodings: [FieldPlace] = []
        for place in places {
            switch HeaderRules.field(named: place.name, span) {
            case .disposition:
                guard disposition == nil else { throw MultipartError(.duplicateHeader, at: place.name.lowerBound) }
                disposition = place
            case .contentType:
                guard !hasType || rules.allowsRepeatedContentType else {
                    throw MultipartError(.duplicateHeader, at: place.name.lowerBound)
                }
                hasType = true
            case .transferEncoding:
                encodings.append(place)
            case .other:
                break
            }
        }
        guard disposition != nil || !rules.requiresDisposition else {
            throw MultipartError(.missingContentDisposition, at: 0)
        }
        var layout: DispositionLayout?
        if let disposition {
            layout = try DispositionLayout(span, disposition.value, mode: rules.mode, isNested: rules.isNested)
        }
        for place in encodings where !rules.allowsTransferEncoding(place.value, span) {
            throw MultipartError(.unsupportedTransferEncoding, at: place.value.lowerBound)
        }
        return layout
    }
}
