#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One part of a received form, and the ways to read its content.
struct ReceivedPart {
    let index: NameTree.Index
    private let form: ReceivedForm

    init(_ form: ReceivedForm, _ index: NameTree.Index) {
        self.form = form
        self.index = index
    }

    var options: FormDataDecoder { form.options }

    var bodyPart: BodyPart { form.parts[Int(index)] }

    var isFile: Bool { form.parts.hasFilename(at: Int(index)) }

    private var length: UInt64? { form.parts.length(at: Int(index)) }

    private var contentType: String? { form.parts.contentType(at: Int(index)) }

    /// Whether the part is what a browser sends for a file input without a file.
    var isNoFile: Bool { isFile && length == 0 && bodyPart.filename?.isEmpty == true }

    /// Whether the part is what some clients send for a file that was not chosen, where files are expected: that of a
    /// browser, or an empty part without a file name.
    var isNoExpectedFile: Bool { isFile ? isNoFile : length == 0 }

    /// Whether the part is nil for an optional of a type.
    func isNil(for type: Any.Type) -> Bool {
        guard !isFile else { return isNoFile }
        if length == 0, CodingRole(type).isFile { return true }
        return length == 0 && options.nilDecoding.kind == .emptyValue && type != String.self
    }

    /// The content; without a limit if that is nil.
    func data(upTo limit: Int? = nil) throws(CodingProblem) -> Data {
        let limit = limit.map { UInt64(max(0, $0)) } ?? .max
        let data: Data?
        do throws(MultipartError) {
            data = try form.parts.content(at: Int(index)).data(upTo: limit)
        } catch {
            throw CodingProblem(.unreadablePart, underlyingError: error)
        }
        guard let data else { throw CodingProblem(.valueTooLong) }
        return data
    }

    /// Fails if the part is not a file, or a file input without one.
    func checkFile() throws(CodingProblem) {
        guard !isNoExpectedFile else { throw CodingProblem(.noFile) }
        guard isFile else { throw CodingProblem(.expectedFile) }
    }

    /// The content of a part with JSON; with `mayBeText`, that of a field may be in any character set.
    func json(mayBeText: Bool = false) throws(CodingProblem) -> Data {
        let data = try uncheckedJSON(mayBeText)
        try JSONNesting.check(data.span, maxDepth: CodingPath.longest)
        return data
    }

    private func uncheckedJSON(_ mayBeText: Bool) throws(CodingProblem) -> Data {
        guard !isNoFile else { throw CodingProblem(.noFile) }
        if let contentType, !Self.mayBeJSON(contentType) { throw CodingProblem(.expectedJSON) }
        let data = try data(upTo: options.maxValueBytes)
        guard mayBeText, !isFile, let text = try transcoded(data.span) else { return data }
        return Data(text.utf8)
    }

    /// Whether a Content-Type is `application/json`, another with the suffix `+json` (RFC 6839 §3.1), or `text/plain`,
    /// which is the default (RFC 7578 §4.4) and which some clients write for every field.
    private static func mayBeJSON(_ contentType: String) -> Bool {
        let bytes = ContiguousArray(contentType.utf8)
        let end = bytes.firstIndex(of: ASCII.semicolon) ?? bytes.count
        let type = ASCII.trimmingWhitespace(bytes.span, 0..<end)
        let suffix = max(type.lowerBound, type.upperBound - "+json".utf8.count)..<type.upperBound
        return ASCII.matches(bytes.span, type, "application/json") || ASCII.matches(bytes.span, suffix, "+json")
            || ASCII.matches(bytes.span, type, "text/plain")
    }

    // Texts.

    /// The content of a field as text.
    func text() throws(CodingProblem) -> String {
        try withContent { content throws(CodingProblem) in
            if let text = try transcoded(content) { return text }
            guard let text = String(validating: content) else { throw CodingProblem(.invalidText) }
            return text
        }
    }

    /// The content of a field as text, for a type without an empty value.
    func nonEmptyText() throws(CodingProblem) -> String {
        let text = try text()
        guard !text.utf8.isEmpty else { throw CodingProblem(.emptyValue) }
        return text
    }

    /// The value that `parse` makes of a field's text, for a type without an empty value. Fails if it is nil; the bytes
    /// of the text need not be valid UTF-8.
    func value<Value>(_ parse: (Span<UInt8>) -> Value?) throws(CodingProblem) -> Value {
        try withContent { content throws(CodingProblem) in
            guard let text = try transcoded(content) else { return try Self.value(of: content, parse) }
            let bytes = ContiguousArray(text.utf8)
            return try Self.value(of: bytes.span, parse)
        }
    }

    private static func value<Value>(
        of text: Span<UInt8>,
        _ parse: (Span<UInt8>) -> Value?
    ) throws(CodingProblem) -> Value {
        guard !text.isEmpty else { throw CodingProblem(.emptyValue) }
        if let value = parse(text) { return value }
        throw CodingProblem(String.isUTF8(text) ? .invalidValue : .invalidText)
    }

    /// Calls `body` with the content of a field, in place if the form's own bytes have it.
    private func withContent<Result>(
        _ body: (Span<UInt8>) throws(CodingProblem) -> Result
    ) throws(CodingProblem) -> Result {
        guard !isFile else { throw CodingProblem(.unexpectedFile) }
        let limit = options.maxValueBytes
        guard let range = form.parts.inlineContent(at: Int(index)), range.count <= limit else {
            let data = try data(upTo: limit)
            return try body(data.span)
        }
        let bytes = form.parts.bytes
        return try body(bytes.span.extracting(range))
    }

    /// The text of bytes in the part's character set; nil if that is UTF-8.
    private func transcoded(_ bytes: Span<UInt8>) throws(CodingProblem) -> String? {
        guard let name = contentType.flatMap(HeaderFields.charset) else { return nil }
        switch Charset(named: name) {
        case .utf8?: return nil
        case let charset?:
            guard case .text(let text) = charset.decode(bytes) else { throw CodingProblem(.invalidText) }
            return text
        case nil: throw CodingProblem(.invalidText)
        }
    }
}
