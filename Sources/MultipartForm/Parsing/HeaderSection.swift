/// Reads a whole header section into fields, and checks what they say.
///
/// The section has passed ``HeaderScanner``. The checks go over it in a fixed order, so that the first error does
/// not depend on how the bytes came: the lines' grammar, then in strict mode controls and UTF-8, then repeated
/// fields, the disposition, and the transfer encoding.
struct HeaderSection: Sendable {
    let mode: ParsingMode
    /// Whether the section belongs to a part of a nested multipart body, which needs no form-data disposition.
    let isNested: Bool

    private var bytes: [UInt8] = []
    private var places: [HeaderFields.Place] = []

    init(mode: ParsingMode, isNested: Bool) {
        self.mode = mode
        self.isNested = isNested
    }

    /// Reads `section[range]`, which ends behind the blank line.
    ///
    /// - Throws: ``MultipartParsingError``; its offset is that in the section's range.
    static func parse(
        _ section: Span<UInt8>,
        mode: ParsingMode,
        isNested: Bool
    ) throws(MultipartParsingError) -> HeaderFields {
        var reader = HeaderSection(mode: mode, isNested: isNested)
        try reader.readLines(section)
        if mode == .strict { try reader.checkCharacters() }
        let disposition = try reader.checkFields()
        return HeaderFields(bytes: reader.bytes, places: reader.places, disposition: disposition)
    }

    /// Takes the section over as it is; folded lines, which lenient mode allows, are joined at the end.
    private mutating func readLines(_ section: Span<UInt8>) throws(MultipartParsingError) {
        bytes = unsafe section.withUnsafeBufferPointer { unsafe Array($0) }
        var joined: [UInt8] = []
        var line = 0
        var isFolded = false
        while let end = bytes[line...].firstIndex(of: ASCII.lineFeed) {
            let text = line..<(end > line && bytes[end - 1] == ASCII.carriageReturn ? end - 1 : end)
            if text.isEmpty { break }
            if !places.isEmpty, ASCII.isWhitespace(bytes[text.lowerBound]) {
                guard mode == .lenient else { throw error(.obsoleteFold, line) }
                if !isFolded { joined = Array(bytes[..<text.lowerBound]) }
                isFolded = true
                fold(text, onto: &joined)
            } else {
                let place = try place(of: text)
                places.append(isFolded ? Self.copy(place, of: bytes, to: &joined) : place)
            }
            line = end + 1
        }
        guard isFolded else { return }
        bytes = joined
        places = places.map { place in
            HeaderFields.Place(name: place.name, value: ASCII.trimmingWhitespace(bytes.span, place.value))
        }
    }

    /// The name and the value of a line.
    private func place(of text: Range<Int>) throws(MultipartParsingError) -> HeaderFields.Place {
        let span = bytes.span
        var start = text.lowerBound
        if places.isEmpty, ASCII.isWhitespace(span[start]) {
            guard mode == .lenient else { throw error(.malformedHeader, start) }
            while start < text.upperBound, ASCII.isWhitespace(span[start]) { start += 1 }
        }
        let name = Parameters.token(in: span, from: start)
        var colon = name.upperBound
        if mode == .lenient {
            while colon < text.upperBound, ASCII.isWhitespace(span[colon]) { colon += 1 }
        }
        guard !name.isEmpty, colon < text.upperBound, span[colon] == ASCII.colon else {
            throw error(.malformedHeader, min(colon, text.upperBound))
        }
        let value = ASCII.trimmingWhitespace(span, (colon + 1)..<text.upperBound)
        return HeaderFields.Place(name: name, value: value)
    }

    /// Joins a continuation line to the last field: the line break and the white space around it become one space.
    /// What that leaves at either end of the value is trimmed when all lines are read.
    private mutating func fold(_ text: Range<Int>, onto joined: inout [UInt8]) {
        guard var place = places.popLast() else { return }
        if place.value.upperBound != joined.count { place = Self.copy(place, of: joined, to: &joined) }
        joined.append(ASCII.space)
        joined.append(contentsOf: bytes[ASCII.trimmingWhitespace(bytes.span, text)])
        place.valueEnd = UInt32(joined.count)
        places.append(place)
    }

    /// Copies a field's text to the end of a buffer.
    private static func copy(
        _ place: HeaderFields.Place,
        of bytes: [UInt8],
        to buffer: inout [UInt8]
    ) -> HeaderFields.Place {
        let start = buffer.count
        buffer.append(contentsOf: bytes[place.name])
        buffer.append(contentsOf: bytes[place.value])
        let valueStart = start + place.name.count
        return HeaderFields.Place(name: start..<valueStart, value: valueStart..<buffer.count)
    }

    /// Strict mode: no control but HTAB, and UTF-8, in every value. Names are tokens already.
    private func checkCharacters() throws(MultipartParsingError) {
        for place in places {
            for index in place.value where ASCII.isControl(bytes[index]) {
                throw error(.invalidHeaderCharacter, index)
            }
        }
        for place in places {
            let value = bytes[place.value]
            if value.contains(where: { $0 >= 0x80 }), String(validating: value, as: UTF8.self) == nil {
                throw error(.invalidUTF8, place.value.lowerBound)
            }
        }
    }

    /// Repeated fields, the disposition, and the transfer encoding.
    private func checkFields() throws(MultipartParsingError) -> DispositionLayout? {
        let span = bytes.span
        var disposition: HeaderFields.Place?
        var hasType = false
        for place in places {
            if ASCII.matches(span, place.name, "content-disposition") {
                guard disposition == nil else { throw error(.duplicateHeader, place.name.lowerBound) }
                disposition = place
            } else if mode == .strict, ASCII.matches(span, place.name, "content-type") {
                guard !hasType else { throw error(.duplicateHeader, place.name.lowerBound) }
                hasType = true
            }
        }
        guard disposition != nil || mode == .lenient || isNested else { throw error(.missingContentDisposition, 0) }
        let layout: DispositionLayout?
        if let disposition {
            layout = try DispositionLayout(span, disposition.value, mode: mode, isNested: isNested)
        } else {
            layout = nil
        }
        if mode == .strict { try checkTransferEncoding() }
        return layout
    }

    private func checkTransferEncoding() throws(MultipartParsingError) {
        let span = bytes.span
        for place in places where ASCII.matches(span, place.name, "content-transfer-encoding") {
            let isIdentity =
                ASCII.matches(span, place.value, "binary") || ASCII.matches(span, place.value, "8bit")
                || ASCII.matches(span, place.value, "7bit")
            guard isIdentity else { throw error(.unsupportedTransferEncoding, place.value.lowerBound) }
        }
    }

    private func error(_ code: MultipartParsingError.Code, _ offset: Int) -> MultipartParsingError {
        MultipartParsingError(code, offset: UInt64(offset))
    }
}

extension HeaderFields.Place {
    /// A place made of two ranges.
    init(name: Range<Int>, value: Range<Int>) {
        self.init(
            nameStart: UInt32(name.lowerBound),
            nameEnd: UInt32(name.upperBound),
            valueStart: UInt32(value.lowerBound),
            valueEnd: UInt32(value.upperBound)
        )
    }
}
