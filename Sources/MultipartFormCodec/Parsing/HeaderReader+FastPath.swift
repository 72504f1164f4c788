// Reads plain header sections in one pass.
extension HeaderReader {
    /// Reads the header section of nearly every part, in place and in one pass.
    ///
    /// - Input: the bytes from the start of a section. The section's lines end in CR LF.
    /// - Output: the section and its fields. Nil if the section is incomplete, invalid or not plain; ``FieldParser``
    ///   then reads it. A plain section has no controls, no folded lines and no other rare forms.
    /// - Cost: linear. Allocates only if the memory of the previous part's fields is still in use, or too small.
    struct FastPath {
        /// The maximum number of fields in a plain section. The fields are collected on the stack, because an array
        /// takes 3% more instructions in the benchmark `headers-heavy`.
        private static let maxFields = 32

        private var checks = FieldChecks()
        private var partName = TextRange.none
        private var partFilename = TextRange.none

        private init() {}

        /// Reads the section at the start of `bytes` into `headers`. Returns nil if the section is incomplete or not
        /// plain.
        static func parse(
            _ bytes: Span<UInt8>,
            _ options: MultipartParser.Options,
            into headers: inout HeaderFields
        ) -> Section? {
            let bytes = bytes.extracting(first: options.maxHeaderBytes)
            var parser = FastPath()
            let room = min(maxFields, options.maxHeaderCount)
            // SAFETY: no more fields are written than `fields` has room for, and only fields that were written are
            // read.
            return unsafe withUnsafeTemporaryAllocation(of: FieldRanges.self, capacity: maxFields) { fields in
                var count = 0
                var line = 0
                while !ASCII.isLineBreak(bytes, at: line) {
                    guard count < room, let (field, end) = parser.parseLine(bytes, from: line),
                        ASCII.isLineBreak(bytes, at: end)
                    else { return nil }
                    unsafe fields.initializeElement(at: count, to: field)
                    count += 1
                    line = end + 2
                }
                let isSendable = parser.partName.exists && !parser.checks.isEncoded
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
                return Section(length: length)
            }
        }

        /// Parses and checks the field in the line at `line`. Returns the field and the end of its line; nil if the
        /// line is not plain.
        // Inlined, so that the benchmark `headers-heavy` takes 8% fewer instructions.
        @inline(__always)
        private mutating func parseLine(_ bytes: Span<UInt8>, from line: Int) -> (field: FieldRanges, end: Int)? {
            let dispositionName: StaticString = "Content-Disposition"
            let dispositionStart: StaticString = "Content-Disposition: "
            let field: FieldRanges
            let kind: FieldChecks.Field
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
                kind = FieldChecks.Field(named: name, bytes)
                // The branch above reads a Content-Disposition that begins exactly with `dispositionStart`. With any
                // other letter case or white space, the line is not plain.
                guard kind != .disposition else { return nil }
            }
            guard checks.accept(field, kind, in: bytes) else { return nil }
            return (field, end)
        }
    }
}
