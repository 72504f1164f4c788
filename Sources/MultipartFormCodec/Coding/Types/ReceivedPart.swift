#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The parts of a received form, with the options of the decoder.
final class ReceivedParts {
    let list: PartList
    let options: FormDataDecoder

    init(_ list: PartList, _ options: FormDataDecoder) {
        self.list = list
        self.options = options
    }

    /// Returns the number of bytes to read from a part with text or JSON: the length of the content, or
    /// ``FormDataDecoder/maxValueBytes`` if the content is longer. Zero if the length is unknown.
    func readableLength(at index: Int) -> Int {
        min(Int(clamping: list.length(at: index) ?? 0), max(0, options.maxValueBytes))
    }
}

/// One part of a received form, with methods that read its content.
struct ReceivedPart {
    let index: Int
    private let parts: ReceivedParts

    init(_ parts: ReceivedParts, _ index: Int) {
        self.parts = parts
        self.index = index
    }

    var options: FormDataDecoder { parts.options }

    var bodyPart: BodyPart { parts.list[index] }

    var isFile: Bool { parts.list.hasFilename(at: index) }

    private var length: UInt64? { parts.list.length(at: index) }

    private var contentType: String? { parts.list.contentType(at: index) }

    /// Whether the part comes from a file input for which no file was chosen. Browsers send such a part with an empty
    /// file name and without content.
    ///
    /// If the decoder expects a file (`isExpected`), the result is also true for a part with neither file name nor
    /// content.
    func isEmptyFileInput(whereExpected isExpected: @autoclosure () -> Bool) -> Bool {
        guard length == 0 else { return false }
        return isFile ? bodyPart.filename?.isEmpty == true : isExpected()
    }

    /// Whether the part is a field without content.
    var isEmptyText: Bool { length == 0 && !isFile }

    /// Whether the part is a field with the content `null`.
    var isJSONNull: Bool {
        guard !isFile, length == UInt64("null".utf8.count) else { return false }
        let content = parts.list.content(at: index)
        // Streams are not read here, because some streams can be read only once.
        guard content.place < .stream, let data = try? content.data(upTo: .max) else { return false }
        return data.elementsEqual("null".utf8)
    }

    /// Returns the content. Throws if the content is longer than `limit` bytes or cannot be read. If `limit` is nil,
    /// the content may have any length.
    func data(upTo limit: Int? = nil) throws(CodingReason) -> Data {
        let data: Data?
        do throws(MultipartError) {
            data = try parts.list.content(at: index).data(upTo: limit.map { UInt64(max(0, $0)) } ?? .max)
        } catch {
            throw CodingReason(ErrorCode.unreadablePart, underlyingError: error)
        }
        guard let data else { throw CodingReason(.valueTooLong, limit: limit) }
        return data
    }

    /// Returns the part that the initializer of `type` takes. Throws if `type` requires a file, but the part is a field
    /// or an empty file input.
    func bodyPart(for type: (some FormPartDecodable).Type) throws(CodingReason) -> BodyPart {
        guard type.requiresFile else { return bodyPart }
        guard !isEmptyFileInput(whereExpected: true) else { throw CodingReason(.noFile) }
        guard isFile else { throw CodingReason(.expectedFile) }
        return bodyPart
    }

    /// Returns the JSON in the part. If `isTranscoded` is true and the part is a field, converts the JSON from the
    /// part's character set to UTF-8.
    func json(isTranscoded: Bool) throws(CodingReason) -> Data {
        guard !isEmptyFileInput(whereExpected: false) else { throw CodingReason(.noFile) }
        if let contentType, !Self.mayBeJSON(contentType) { throw CodingReason(ErrorCode.expectedJSON) }
        var data = try data(upTo: options.maxValueBytes)
        if isTranscoded, !isFile, let text = try transcoded(data.span) { data = Data(text.utf8) }
        try JSONNesting.check(data.span, maxDepth: CodingPath.maxDepth)
        return data
    }

    /// Whether a part with this Content-Type may be JSON. The Content-Type must be one of these:
    /// - `application/json`
    /// - a type with the suffix `+json` (RFC 6839 §3.1)
    /// - `text/plain`, which is the default (RFC 7578 §4.4), and which some clients write for every field
    private static func mayBeJSON(_ contentType: String) -> Bool {
        let bytes = ContiguousArray(contentType.utf8)
        let end = bytes.firstIndex(of: ASCII.semicolon) ?? bytes.count
        let type = ASCII.trimmingWhitespace(bytes.span, 0..<end)
        let suffix = max(type.lowerBound, type.upperBound - "+json".utf8.count)..<type.upperBound
        return ASCII.matches(bytes.span, type, "application/json") || ASCII.matches(bytes.span, suffix, "+json")
            || ASCII.matches(bytes.span, type, "text/plain")
    }

    // The methods below read text.

    /// Returns the content of a field as text.
    func text() throws(CodingReason) -> String {
        try withContent { content throws(CodingReason) in
            if let text = try transcoded(content) { return text }
            guard let text = String(validating: content) else { throw CodingReason(ErrorCode.invalidText) }
            return text
        }
    }

    /// Returns the content of a field as text. Throws if the text is empty.
    func nonEmptyText() throws(CodingReason) -> String {
        let text = try text()
        guard !text.utf8.isEmpty else { throw CodingReason(.emptyValue) }
        return text
    }

    /// Parses the text of a field. Throws if the text is empty, or if `parse` returns nil. The bytes that `parse` gets
    /// may be invalid UTF-8.
    func value<Value>(_ parse: (Span<UInt8>) -> Value?) throws(CodingReason) -> Value {
        try withContent { content throws(CodingReason) in
            guard let text = try transcoded(content) else { return try Self.value(of: content, parse) }
            let bytes = ContiguousArray(text.utf8)
            return try Self.value(of: bytes.span, parse)
        }
    }

    private static func value<Value>(
        of text: Span<UInt8>,
        _ parse: (Span<UInt8>) -> Value?
    ) throws(CodingReason) -> Value {
        guard !text.isEmpty else { throw CodingReason(.emptyValue) }
        if let value = parse(text) { return value }
        throw CodingReason(String.isUTF8(text) ? .invalidValue : ErrorCode.invalidText)
    }

    /// Calls `body` with the content of a field. If the form stores the content inline, `body` gets the content without
    /// a copy.
    private func withContent<Result>(
        _ body: (Span<UInt8>) throws(CodingReason) -> Result
    ) throws(CodingReason) -> Result {
        guard !isFile else { throw CodingReason(ErrorCode.unexpectedFile) }
        let limit = options.maxValueBytes
        guard let range = parts.list.inlineContent(at: index), range.count <= limit else {
            let data = try data(upTo: limit)
            return try body(data.span)
        }
        let bytes = parts.list.bytes
        return try body(bytes.span.extracting(range))
    }

    /// Decodes bytes from the character set that the part's Content-Type names. Returns nil if the Content-Type names
    /// no character set, so that the bytes are UTF-8.
    private func transcoded(_ bytes: Span<UInt8>) throws(CodingReason) -> String? {
        guard let name = contentType.flatMap(HeaderFields.charset) else { return nil }
        switch Charset.decode(bytes, as: name) {
        case .text(let text): return text
        case .invalid: throw CodingReason(ErrorCode.invalidText)
        case .unknown: throw CodingReason(ErrorCode.invalidText, Charset.unknownReason(name))
        }
    }
}
