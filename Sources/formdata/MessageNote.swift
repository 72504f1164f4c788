import MultipartFormCodec

/// A note for a person who debugs a message. A function makes the text of the note from the message's summary.
///
/// To add a note, add an element to ``ofMessage`` or ``ofPart``, and a line to the article `WhyUploadsFail.md`.
struct MessageNote: Sendable {
    /// The code of the strict-mode error that reports the same fact as the note; nil if there is no such error.
    ///
    /// If strict mode reports this error, only the error is listed, with the text of the note.
    var code: MultipartError.Code?
    /// Whether `decode` prints the note. The command `inspect` prints all notes.
    var isOfDecode = false
    /// Returns the note's text; nil if the note does not apply.
    let text: @Sendable (MessageSummary) -> String?

    /// Returns the text of the note with a code; nil if no note has the code, or if the note does not apply.
    static func text(_ code: MultipartError.Code, _ summary: MessageSummary) -> String? {
        ofMessage.first { $0.code == code }?.text(summary)
    }

    static let ofMessage = [
        MessageNote(code: ErrorCode.preambleNotAllowed, isOfDecode: true) { summary in
            guard let boundary = summary.boundary, let length = summary.preambleLength, length > 0
            else { return nil }
            let difference = summary.opening.difference(from: boundary, isRelated: true).map { "; \($0)" } ?? ""
            let chunk = summary.opening.isInChunks ? ", the size of a chunk: its content has such lines, too" : ""
            return "\(length.inBytes) before the first delimiter\(chunk)\(difference)"
        },
        MessageNote(code: ErrorCode.bareLF) { summary in
            guard let start = summary.preambleLength else { return nil }
            return summary.opening.lineEndsInLF(at: start) ? "lines end in LF alone" : nil
        },
        MessageNote(code: ErrorCode.epilogueNotAllowed, isOfDecode: true) { summary in
            guard summary.epilogue.length > 0, let boundary = summary.boundary else { return nil }
            let length = summary.epilogue.length.inBytes
            return "\(length) after the close delimiter\(form(in: summary.epilogue.beginning, boundary))"
        },
        MessageNote { summary in
            guard let method = summary.head?.method, ["PUT", "PATCH"].contains(method) else { return nil }
            return "the method is \(method): PHP reads forms of POST only"
        },
        MessageNote(isOfDecode: true) { summary in
            guard let head = summary.head, head.hasTwoLengths else { return nil }
            return "the HTTP head has Content-Length beside Transfer-Encoding: servers may differ on its body"
        },
        MessageNote(isOfDecode: true) { summary in
            guard summary.lacksChunks else { return nil }
            return "Transfer-Encoding of the HTTP head is chunked, but its body has no chunks"
        },
        MessageNote(isOfDecode: true) { summary in
            guard let coding = summary.head?.contentCoding, summary.opening.boundary != nil else { return nil }
            return "Content-Encoding of the HTTP head is \(coding), but its body is not compressed"
        },
        MessageNote { $0.shortfall },
        MessageNote(isOfDecode: true) { summary in
            guard let body = summary.body, body.surplus > 0 else { return nil }
            let start = summary.declaredLength.map { "\($0), but " } ?? ""
            let next = HTTPHead.startLine(in: body.surplusBeginning)
            let beginning = next.map { ", from \(HeaderLine.shown($0, columns: 60))" } ?? ""
            return "\(start)\(body.surplus.inBytes) follow\(body.surplus == 1 ? "s" : "") the HTTP body\(beginning)"
        },
        MessageNote { summary in
            guard summary.partCount > 50 else { return nil }
            return "\(summary.partCount) parts: Tomcat refuses more than 50 since 9.0.107, 10.1.43 and 11.0.9"
        },
    ]

    /// The notes on a part. Each function returns the text of a note, or nil if the note does not apply.
    static let ofPart: [@Sendable (ListedPart) -> String?] = [
        { part in
            guard let encoding = part.headers["Content-Transfer-Encoding"],
                !["7bit", "8bit", "binary"].contains(encoding.lowercased())
            else { return nil }
            return "Content-Transfer-Encoding is \(encoding), not 7bit, 8bit or binary"
        },
        { part in encodedTwice(part.headers.name).map { "name seems to be UTF-8 encoded twice: \($0)" } },
        { part in encodedTwice(part.headers.filename).map { "file name seems to be UTF-8 encoded twice: \($0)" } },
        { part in encodedTwice(part.text?.whole).map { "value seems to be UTF-8 encoded twice: \($0)" } },
        { part in
            guard let filename = part.headers.filename, filename.utf8.contains(where: { "/\\".utf8.contains($0) })
            else { return nil }
            return "file name is a path: \(filename)"
        },
        { part in
            let names = [part.headers.name, part.headers.filename]
            guard let quotes = names.lazy.compactMap(quotes).first else { return nil }
            return "\(quotes) are a part of the name: quote it as in name=\"a\""
        },
        { part in
            guard let type = part.headers.contentType, type.lowercased().hasPrefix("multipart/") else { return nil }
            return "has type \(type): a form of its own, which most receivers keep as one field"
        },
        { part in
            guard part.headers.filename == nil, let type = part.headers.contentType,
                !["multipart/", "text/plain", "application/json"].contains(where: type.lowercased().hasPrefix)
            else { return nil }
            return "has type \(type) and no file name: Spring, Quarkus, OpenAI and FastAPI find no such file"
        },
        { part in
            guard part.headers.contentType?.lowercased().hasPrefix("multipart/") != true, part.text != nil,
                MessageOpening(ArraySlice(part.content.bytes)).isForm
            else { return nil }
            return "content is a form, whose parts are not those of this one"
        },
        { part in
            part.content.whole.flatMap { text in
                ObjectText.language(of: text).map {
                    "content is \"\(text)\", which \($0) makes of an object: append the object's bytes or its value"
                }
            }
        },
        ContentFormat.fault,
    ]

    /// Returns "apostrophes" or "typographic quotes" if a name is between them; otherwise nil.
    private static func quotes(around name: String?) -> String? {
        guard let name, name.unicodeScalars.count > 1, let first = name.unicodeScalars.first,
            let last = name.unicodeScalars.last
        else { return nil }
        if first == "'", last == "'" { return "apostrophes" }
        let isQuote = { (scalar: Unicode.Scalar) in "“”„‟‘’‚‛".unicodeScalars.contains(scalar) }
        return isQuote(first) && isQuote(last) ? "typographic quotes" : nil
    }

    /// Returns the original of a text that seems to have been encoded as UTF-8 twice, for instance `ü` for `Ã¼`;
    /// otherwise nil.
    ///
    /// A sender encodes a text twice if it reads UTF-8 bytes as Windows-1252 or ISO-8859-1, and encodes the result as
    /// UTF-8 again.
    private static func encodedTwice(_ text: String?) -> String? {
        guard let text, text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var bytes: ContiguousArray<UInt8> = []
        for scalar in text.unicodeScalars {
            guard let byte = Charset.windows1252Byte(scalar) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes.span)
    }

    /// Returns a clause about another form if the epilogue begins like a form; otherwise an empty text.
    private static func form(in bytes: ContiguousArray<UInt8>, _ boundary: Boundary) -> String {
        guard bytes.starts(with: "--".utf8) else { return "" }
        var name: String?
        var parser = MultipartParser(boundary: boundary)
        try? parser.parse(bytes.span) { event, _ in
            if case .part(let headers) = event { name = name ?? headers.name }
        }
        return ", which begin like another form" + (name.map { ", with part \"\($0)\"" } ?? "")
    }
}

extension MessageSummary {
    /// Words that say how much of the HTTP body is missing; nil if the body is complete, or if the input has not been
    /// read to its end.
    var shortfall: String? {
        guard let body, body.isCutOff else { return nil }
        let shortfall = declaredLength.map { "\($0), but its body has \(body.length.inBytes)" }
        return shortfall ?? "the last chunk is missing"
    }

    fileprivate var declaredLength: String? {
        head?.contentLength.map { "Content-Length of the HTTP head is \($0)" }
    }
}
