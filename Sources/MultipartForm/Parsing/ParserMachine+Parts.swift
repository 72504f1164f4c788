/// Header sections and bodies.
extension ParserMachine {
    /// Collects the header section; it is read in place when the chunk holds it whole.
    mutating func readHeaders(
        _ scanner: HeaderScanner,
        _ bytes: Span<UInt8>
    ) throws(MultipartParsingError) -> Step {
        var scanner = scanner
        let start = position
        let end: Int?
        do throws(HeaderScanner.Failure) {
            end = try scanner.scan(bytes, from: start)
        } catch {
            throw fail(error.code, at: error.offset, limit: error.limit)
        }
        position = end ?? bytes.count
        let piece = bytes.extracting(start..<position)
        guard end != nil else {
            append(piece, to: &section)
            state = .headers(scanner)
            return .more
        }
        if section.isEmpty {
            fields = try readFields(piece)
        } else {
            append(piece, to: &section)
            let whole = section
            section.removeAll(keepingCapacity: true)
            fields = try readFields(whole.span)
        }
        // The blank line's break may be that of a delimiter: the part then has no body (RFC 2046 §5.1.1).
        state = .body(matched: lineBreak == .crlf ? 2 : 1)
        candidate = position
        reported = position
        return .action(.part)
    }

    mutating func readFields(_ bytes: Span<UInt8>) throws(MultipartParsingError) -> HeaderFields {
        do {
            return try HeaderSection.parse(bytes, mode: mode, isNested: isNested)
        } catch {
            throw fail(error.code, offset: sectionOffset + min(error.offset, UInt64(bytes.count - 1)))
        }
    }

    /// Hands out content up to the next delimiter, or up to where one may begin.
    mutating func searchBody(_ bytes: Span<UInt8>) throws(MultipartParsingError) -> Step {
        guard position < bytes.count else { return .more }
        switch search.search(bytes, from: position) {
        case .found(let place):
            candidate = place
            position = place + search.needle.count
            state = .delimiterTail(DelimiterTail())
            return try deliver(bytes, upTo: place)
        case .partial(let place):
            candidate = place
            position = bytes.count
            state = .body(matched: bytes.count - place)
            return try deliver(bytes, upTo: place)
        case .none:
            position = bytes.count
            return try deliver(bytes, upTo: bytes.count)
        }
    }

    /// Goes on with a needle that began in an earlier chunk or with the blank line.
    mutating func continueCandidate(
        _ matched: Int,
        _ bytes: Span<UInt8>
    ) throws(MultipartParsingError) -> Step {
        var matched = matched
        while matched < search.needle.count {
            guard position < bytes.count else {
                state = .body(matched: matched)
                return .more
            }
            guard bytes[position] == search.needle[matched] else { return try rejectCandidate() }
            matched += 1
            position += 1
        }
        state = .delimiterTail(DelimiterTail())
        return .again
    }

    /// The candidate is content. None of its bytes can begin a delimiter, so the search goes on behind them.
    mutating func rejectCandidate() throws(MultipartParsingError) -> Step {
        state = .body(matched: 0)
        reported = candidate
        guard let last = held.last else { return .again }
        endsInCarriageReturn = last == ASCII.carriageReturn
        heldBodyLength = try admit(held.count)
        return .action(.heldBody)
    }

    /// Hands out the chunk's content up to `end`.
    mutating func deliver(_ bytes: Span<UInt8>, upTo end: Int) throws(MultipartParsingError) -> Step {
        let range = reported..<end
        reported = end
        guard !range.isEmpty else { return .again }
        endsInCarriageReturn = bytes[end - 1] == ASCII.carriageReturn
        let allowed = try admit(range.count)
        return .action(.body(range.prefix(allowed)))
    }

    /// How many of the next bytes of content the limit allows. If not all, the machine fails behind them.
    mutating func admit(_ count: Int) throws(MultipartParsingError) -> Int {
        partBytes += UInt64(count)
        guard let limit = limits.maxPartBytes, partBytes > limit else { return count }
        let excess = Int(partBytes - limit)
        let error = fail(.limitPartBytes, at: reported - excess, limit: limit)
        guard excess < count else { throw error }
        return count - excess
    }

    mutating func hold(_ bytes: Span<UInt8>) {
        append(bytes.extracting(candidate...), to: &held)
    }

    func append(_ bytes: Span<UInt8>, to buffer: inout [UInt8]) {
        // SAFETY: the buffer is used inside the closure only.
        unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }
}
