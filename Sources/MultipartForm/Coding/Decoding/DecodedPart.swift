#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One part of a form to decode.
struct DecodedPart {
    let index: NameTree.Index
    private let input: DecodingInput

    init(_ input: DecodingInput, _ index: NameTree.Index) {
        self.input = input
        self.index = index
    }

    var options: FormDataDecoder { input.options }

    var whole: BodyPart { input.parts[Int(index)] }

    var isFile: Bool { input.parts.hasFilename(at: Int(index)) }

    private var length: UInt64? { input.parts.length(at: Int(index)) }

    /// Whether the part is what a browser sends for a file input without a file.
    var isNoFile: Bool { isFile && length == 0 && whole.filename?.isEmpty == true }

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
            data = try input.parts.content(at: Int(index)).data(upTo: limit)
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
        if let type = input.parts.contentType(at: Int(index)), !Self.mayBeJSON(type) {
            throw CodingProblem(.expectedJSON)
        }
        return try mayBeText && !isFile ? text().utf8 : data(upTo: options.maxValueBytes)
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

    /// The content of a field as text.
    func text() throws(CodingProblem) -> DecodedText {
        guard !isFile else { throw CodingProblem(.unexpectedFile) }
        return try text(try data(upTo: options.maxValueBytes))
    }

    /// The content of a field as text, for a type without an empty value.
    func nonEmptyText() throws(CodingProblem) -> DecodedText {
        let text = try text()
        guard !text.utf8.isEmpty else { throw CodingProblem(.emptyValue) }
        return text
    }

    /// Bytes as text in the part's character set.
    func text(_ data: Data) throws(CodingProblem) -> DecodedText {
        guard let type = input.parts.contentType(at: Int(index)), let name = HeaderFields.charset(of: type) else {
            return DecodedText(utf8: data)
        }
        switch Charset(named: name) {
        case .utf8?: return DecodedText(utf8: data)
        case let charset?:
            guard case .text(let text) = charset.decode(data.span) else { throw CodingProblem(.invalidText) }
            return DecodedText(utf8: Data(text.utf8))
        case nil: throw CodingProblem(.invalidText)
        }
    }
}

/// The text of a field, whose bytes may be invalid UTF-8.
struct DecodedText {
    let utf8: Data

    func string() throws(CodingProblem) -> String {
        guard String.isUTF8(utf8.span) else { throw CodingProblem(.invalidText) }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// Why the text is not a value of a type.
    var problem: CodingProblem {
        CodingProblem(String.isUTF8(utf8.span) ? .invalidValue : .invalidText)
    }
}

/// A form and the options to decode it with.
final class DecodingInput {
    let parts: PartList
    let options: FormDataDecoder

    init(_ parts: PartList, _ options: FormDataDecoder) {
        self.parts = parts
        self.options = options
    }
}
