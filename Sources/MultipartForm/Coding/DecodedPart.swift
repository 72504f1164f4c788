internal import Foundation

/// One part of a form that is decoded.
struct DecodedPart {
    let index: NameTree.Index
    private let form: DecodedForm

    init(_ form: DecodedForm, _ index: NameTree.Index) {
        self.form = form
        self.index = index
    }

    var options: FormDataDecoder { form.options }

    var whole: BodyPart { form.parts[Int(index)] }

    var isFile: Bool { form.parts.hasFilename(at: Int(index)) }

    private var length: UInt64? { form.parts.length(at: Int(index)) }

    /// Whether a browser sent the part for a file input without a file.
    var isNoFile: Bool { isFile && length == 0 && whole.filename?.isEmpty == true }

    /// Whether the part is nil for an optional of a type.
    func isNil(for type: Any.Type) -> Bool {
        guard !isFile else { return isNoFile }
        let decoding = options.nilDecoding
        guard let length else { return false }
        guard length > 0 else { return decoding.takesEmptyValue && type != String.self }
        // No text is longer in any character set. A stream is not read, which might be for the only time.
        guard decoding.takesNull, length <= 20, form.parts.source(at: Int(index)) <= .file else { return false }
        return (try? text().string()) == "null"
    }

    /// The content; nil for a limit means none.
    func data(upTo limit: Int? = nil) throws(CodingProblem) -> Data {
        let limit = limit.map { UInt64(max(0, $0)) } ?? .max
        let data: Data?
        do throws(MultipartError) {
            data = try form.parts.content(at: Int(index)).data(upTo: limit)
        } catch {
            throw CodingProblem(.unreadablePart, underlying: error)
        }
        guard let data else { throw CodingProblem(.valueTooLong) }
        return data
    }

    /// Fails if the part is not a file, or a file input without one.
    func checkFile() throws(CodingProblem) {
        guard isFile else { throw CodingProblem(.expectedFile) }
        guard !isNoFile else { throw CodingProblem(.noFile) }
    }

    /// The content of a part with JSON.
    func json() throws(CodingProblem) -> Data {
        guard !isNoFile else { throw CodingProblem(.noFile) }
        let type = whole.contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        guard let type else { return try data(upTo: options.maxValueBytes) }
        guard type == "application/json" || type.hasSuffix("+json") else { throw CodingProblem(.expectedJSON) }
        return try data(upTo: options.maxValueBytes)
    }

    /// The content of a field as text.
    func text() throws(CodingProblem) -> DecodedText {
        guard !isFile else { throw CodingProblem(.unexpectedFile) }
        return try text(try data(upTo: options.maxValueBytes))
    }

    /// The content of a field as text for a type that has no empty value.
    func nonEmptyText() throws(CodingProblem) -> DecodedText {
        let text = try text()
        guard !text.utf8.isEmpty else { throw CodingProblem(.emptyValue) }
        return text
    }

    /// The part's content as text in the part's character set.
    func text(_ data: Data) throws(CodingProblem) -> DecodedText {
        guard let type = form.parts.contentType(at: Int(index)),
            let charset = BodyPart.charset(of: type)?.lowercased(), charset != "utf-8"
        else {
            return DecodedText(utf8: data)
        }
        guard let text = BodyPart.text(of: data, charset: charset) else { throw CodingProblem(.invalidText) }
        return DecodedText(utf8: Data(text.utf8))
    }
}

/// The text of a field: bytes that should be UTF-8.
struct DecodedText {
    let utf8: Data

    func string() throws(CodingProblem) -> String {
        guard String.isUTF8(utf8.span) else { throw CodingProblem(.invalidText) }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// Why the text is none of a type's.
    var problem: CodingProblem {
        CodingProblem(String.isUTF8(utf8.span) ? .invalidValue : .invalidText)
    }
}
