// The pass that reads plain sections, and decides what strict mode accepts.
extension HeaderReader {
    /// Reads the header section of nearly every part in place and in one pass.
    ///
    /// - Input: the bytes from a section's start; its lines end in CR LF.
    /// - Output: the section and its fields, if it is complete and valid. In lenient mode it must also be plain:
    ///   without controls, folded lines or anything else that needs a second look. In strict mode it must have the
    ///   grammar of ``CanonicalLine``, which is all that strict mode accepts. Otherwise nil; ``CarefulPass`` decides,
    ///   and in strict mode finds the fault.
    /// - Cost: linear. No allocation, unless the previous part's fields are still in use, or there are many.
    struct PlainPass {
        /// A section with more fields is not plain. They are collected on the stack: an array takes 3% more
        /// instructions in `headers-heavy`.
        private static let maxFields = 32

        private let mode: ParsingMode
        private var checks: FieldChecks
        /// The names of the Content-Disposition.
        private var partName = TextRange.none
        private var partFilename = TextRange.none
        /// Whether a line has something that ``HeaderDecoys`` has to look at.
        private var mayHaveDecoys = false
        /// Whether a line begins with a hyphen, and so perhaps with the dash-boundary of a form that the part is sent
        /// in.
        private var hasHyphenLine = false

        private init(_ rules: HeaderRules) {
            mode = rules.mode
            checks = FieldChecks(mode: rules.mode)
        }

        /// Reads the section at the start of `bytes` into `headers`; nil if it is not plain, or has more than
        /// `maxFields` fields.
        static func parse(
            _ bytes: Span<UInt8>,
            _ rules: HeaderRules,
            maxFields: Int = maxFields,
            into headers: inout HeaderFields
        ) -> Section? {
            let bytes = bytes.extracting(first: rules.options.maxHeaderBytes)
            let requiresDisposition = rules.requiresDisposition
            var parser = PlainPass(rules)
            let room = min(maxFields, rules.options.maxHeaderCount)
            // SAFETY: no more fields are written than there is room for, and only those are read.
            return unsafe withUnsafeTemporaryAllocation(of: FieldRanges.self, capacity: maxFields) { fields in
                var count = 0
                var line = 0
                while !ASCII.isLineBreak(bytes, at: line) {
                    guard count < room, let (field, end) = parser.parseLine(bytes, from: line, rules),
                        ASCII.isLineBreak(bytes, at: end)
                    else { return nil }
                    unsafe fields.initializeElement(at: count, to: field)
                    count += 1
                    line = end + 2
                }
                let hasDisposition = parser.checks.disposition != nil
                guard hasDisposition || !requiresDisposition else { return nil }
                if parser.mayHaveDecoys {
                    let names = (name: parser.partName, filename: parser.partFilename)
                    guard HeaderDecoys.fault(in: 0..<line, of: bytes, names, rules) == nil else { return nil }
                }
                let isSendable = parser.partName.exists && !parser.checks.isEncoded && !parser.hasHyphenLine
                let length = line + 2
                let layout = SectionLayout(
                    name: parser.partName,
                    filename: parser.partFilename,
                    contentType: parser.checks.contentType.map { TextRange($0) } ?? .none,
                    lines: isSendable ? .sendable : .canonical
                )
                unsafe headers.storage.replace(
                    with: bytes.extracting(first: length),
                    UnsafeBufferPointer(fields).span.extracting(first: count),
                    layout
                )
                return Section(
                    length: length,
                    contentLength: parser.checks.contentLength,
                    hasEmptyFilename: parser.partFilename.range?.isEmpty ?? false
                )
            }
        }

        /// Parses and checks a field; returns it, and where its line ends.
        // Inlined: `headers-heavy` takes 8% fewer instructions.
        @inline(__always)
        private mutating func parseLine(
            _ bytes: Span<UInt8>,
            from line: Int,
            _ rules: HeaderRules
        ) -> (field: FieldRanges, end: Int)? {
            mode == .strict ? parseCanonicalLine(bytes, from: line, rules) : parsePlainLine(bytes, from: line)
        }

        @inline(__always)
        private mutating func parsePlainLine(_ bytes: Span<UInt8>, from line: Int) -> (field: FieldRanges, end: Int)? {
            let dispositionName: StaticString = "Content-Disposition"
            let dispositionStart: StaticString = "Content-Disposition: "
            let field: FieldRanges
            let kind: FieldChecks.Kind
            let end: Int
            if ASCII.begins(bytes, at: line, with: dispositionStart) {
                let value = line + dispositionStart.utf8CodeUnitCount
                guard let layout = DispositionLayout(plain: bytes, from: value) else { return nil }
                partName = layout.name
                partFilename = layout.filename
                end = layout.end
                field = FieldRanges(name: line..<line + dispositionName.utf8CodeUnitCount, value: value..<end)
                kind = .disposition
            } else {
                let name = Parameters.token(in: bytes, from: line)
                let colon = name.upperBound
                guard !name.isEmpty, bytes[line] != ASCII.hyphen, colon < bytes.count, bytes[colon] == ASCII.colon
                else {
                    return nil
                }
                end = ASCII.endOfPlainText(bytes, from: colon + 1)
                field = FieldRanges(name: name, value: ASCII.trimmingWhitespace(bytes, colon + 1..<end))
                kind = FieldChecks.Kind(named: name, bytes)
                // A disposition in another form.
                guard kind != .disposition else { return nil }
            }
            guard checks.accept(field, kind, in: bytes) else { return nil }
            return (field, end)
        }

        // Strict mode.

        /// Parses and checks a line that is in the grammar of ``CanonicalLine``: first as most clients write it, which
        /// is known to be free of decoys.
        // Not inlined: with both, the compiler inlines none.
        @inline(never)
        private mutating func parseCanonicalLine(
            _ bytes: Span<UInt8>,
            from start: Int,
            _ rules: HeaderRules
        ) -> (field: FieldRanges, end: Int)? {
            let disposition: StaticString = "Content-Disposition: "
            let usualDisposition: StaticString = "Content-Disposition: form-data; name=\""
            let usualType: StaticString = "Content-Type: "
            if ASCII.begins(bytes, at: start, with: usualDisposition) {
                if let end = parseUsualNames(bytes, from: start &+ usualDisposition.utf8CodeUnitCount) {
                    let value = start &+ disposition.utf8CodeUnitCount
                    let field = FieldRanges(name: start..<value &- 2, value: value..<end)
                    guard end &- start <= CanonicalLine.longest, checks.accept(field, .disposition, in: bytes) else {
                        return nil
                    }
                    return (field, end)
                }
            } else if ASCII.begins(bytes, at: start, with: usualType) {
                let value = start &+ usualType.utf8CodeUnitCount
                if let end = Self.endOfUsualLine(bytes, start, from: value),
                    CanonicalLine.faultOfMediaType(value..<end, bytes) == nil
                {
                    let field = FieldRanges(name: start..<value &- 2, value: value..<end)
                    return checks.accept(field, .contentType, in: bytes) ? (field, end) : nil
                }
            } else if let (field, kind, end) = Self.usualField(bytes, from: start) {
                return kind == .other || checks.accept(field, kind, in: bytes) ? (field, end) : nil
            }
            return parseUnusualLine(bytes, from: start, rules)
        }

        /// Parses a line that few clients write, or that is not in the grammar.
        private mutating func parseUnusualLine(
            _ bytes: Span<UInt8>,
            from start: Int,
            _ rules: HeaderRules
        ) -> (field: FieldRanges, end: Int)? {
            var line = CanonicalLine(from: start)
            guard let field = line.parse(bytes, rules), checks.accept(field, line.kind, in: bytes) else { return nil }
            if line.kind == .disposition {
                partName = line.name
                partFilename = line.filename
            }
            hasHyphenLine = hasHyphenLine || bytes[start] == ASCII.hyphen
            mayHaveDecoys = mayHaveDecoys || HeaderSearch.first(.text, bytes, from: start) != line.end
            return (field, line.end)
        }

        /// Parses a name from `start` on, with or without `"; filename="…"` after it; returns where the line ends.
        @inline(__always)
        private mutating func parseUsualNames(_ bytes: Span<UInt8>, from start: Int) -> Int? {
            let filenameStart: StaticString = "; filename=\""
            var end = Self.endOfUsualText(bytes, from: start)
            guard start < end, end < bytes.count &- 1, bytes[end] == ASCII.quote, bytes[start] != ASCII.space,
                bytes[end &- 1] != ASCII.space
            else { return nil }
            let name = TextRange(start..<end)
            var filename = TextRange.none
            end &+= 1
            if ASCII.begins(bytes, at: end, with: filenameStart) {
                let start = end &+ filenameStart.utf8CodeUnitCount
                end = Self.endOfUsualText(bytes, from: start)
                guard end < bytes.count &- 1, bytes[end] == ASCII.quote, bytes[start] != ASCII.space else { return nil }
                // The quote before it, if the file name is empty.
                let last = bytes[end &- 1]
                guard last != ASCII.space, last != ASCII.slash, last != UInt8(ascii: ".") else { return nil }
                filename = TextRange(start..<end)
                end &+= 1
            }
            guard bytes[end] == ASCII.carriageReturn else { return nil }
            partName = name
            partFilename = filename
            return end
        }

        /// Where a quoted string ends, unless there is something else in it than plain text.
        @inline(__always)
        private static func endOfUsualText(_ bytes: Span<UInt8>, from start: Int) -> Int {
            let end = HeaderSearch.first(.quotedText, bytes, from: start)
            return end < bytes.count && bytes[end] >= 0x80 ? endOfUnicodeText(bytes, from: start) : end
        }

        @inline(never)
        private static func endOfUnicodeText(_ bytes: Span<UInt8>, from start: Int) -> Int {
            let end = HeaderSearch.first(.quotedUnicode, bytes, from: start)
            return HeaderDecoys.faultOfUnicode(bytes.extracting(start..<end)) == nil ? end : bytes.count
        }

        /// Parses a field of any other name, such as `Content-Transfer-Encoding`.
        @inline(__always)
        private static func usualField(
            _ bytes: Span<UInt8>,
            from start: Int
        ) -> (field: FieldRanges, kind: FieldChecks.Kind, end: Int)? {
            let colon = HeaderSearch.first(.name, bytes, from: start)
            guard start < colon, colon < bytes.count &- 1, bytes[colon] == ASCII.colon, bytes[start] != ASCII.hyphen,
                let end = endOfUsualLine(bytes, start, from: start)
            else { return nil }
            let value = colon &+ (bytes[colon &+ 1] == ASCII.space ? 2 : 1)
            guard value < end, bytes[value] != ASCII.space, bytes[end &- 1] != ASCII.space else { return nil }
            let field = FieldRanges(name: start..<colon, value: value..<end)
            guard bytes[start] | 0x20 == UInt8(ascii: "c") else { return (field, .other, end) }
            let kind = FieldChecks.Kind(named: start..<colon, bytes)
            return CanonicalLine.fault(of: field, kind, bytes) == nil ? (field, kind, end) : nil
        }

        /// Where a line ends that begins at `start`, unless there is something else than plain ASCII from `offset` on.
        @inline(__always)
        private static func endOfUsualLine(_ bytes: Span<UInt8>, _ start: Int, from offset: Int) -> Int? {
            var end = HeaderSearch.first(.text, bytes, from: offset)
            guard end < bytes.count else { return nil }
            if bytes[end] == ASCII.equals { end = endOfText(bytes, from: offset, continuedAt: end) }
            guard end < bytes.count, bytes[end] == ASCII.carriageReturn, end &- start <= CanonicalLine.longest else {
                return nil
            }
            return end
        }

        /// Where text ends from an equals sign on, if that cannot be the end of `name=`, as in `charset=utf-8`.
        @inline(never)
        private static func endOfText(_ bytes: Span<UInt8>, from start: Int, continuedAt position: Int) -> Int {
            var end = position
            while end > start, end < bytes.count, bytes[end] == ASCII.equals,
                ASCII.lowercased(bytes[end - 1]) != UInt8(ascii: "e")
            {
                end = HeaderSearch.first(.text, bytes, from: end + 1)
            }
            return end
        }
    }
}
