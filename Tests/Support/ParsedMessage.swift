package import Foundation
package import MultipartFormCodec

/// A parser's events for a message, with body events joined.
package struct ParsedMessage: Equatable, Sendable {
    /// One part.
    package struct Part: Equatable, Sendable {
        /// The header fields.
        package var headers: HeaderFields
        /// The name, the file name and the type, as the part itself has them.
        package var texts: [String?]
        /// The body as far as it was delivered.
        package var body = Data()
        /// Whether the part's end was seen.
        package var isComplete = false

        /// Creates a part.
        package init(
            headers: HeaderFields,
            texts: [String?]? = nil,
            body: Data = Data(),
            isComplete: Bool = false
        ) {
            self.headers = headers
            self.texts = texts ?? [headers.name, headers.filename, headers.contentType]
            self.body = body
            self.isComplete = isComplete
        }
    }

    /// The parts; the last one may be incomplete.
    package var parts: [Part] = []
    /// Whether the end of the form was seen.
    package var isComplete = false
    /// The error that ended the message.
    package var error: MultipartError?

    /// Creates a message without parts.
    package init() {}

    /// Parses chunks with `MultipartParser.append(_:)`.
    package init(
        _ chunks: [Data],
        boundary: Boundary,
        options: MultipartParser.Options = MultipartParser.Options()
    ) {
        self.init(chunks, by: MultipartParser(boundary: boundary, options: options))
    }

    /// Parses chunks with `MultipartParser.append(_:)` of a copy of a parser that has received nothing.
    package init(_ chunks: [Data], by parser: MultipartParser) {
        var parser = parser
        do {
            for chunk in chunks {
                parser.append(chunk)
                while let event = try parser.next() { take(event) }
            }
            parser.finish()
            while let event = try parser.next() { take(event) }
        } catch let error as MultipartError {
            self.error = error
        } catch {
            preconditionFailure("the parser throws nothing else")
        }
    }

    /// Parses chunks without copying them, with `parse(_:_:)`.
    package init(
        borrowing chunks: [Data],
        boundary: Boundary,
        options: MultipartParser.Options = MultipartParser.Options()
    ) {
        self.init(borrowing: chunks, by: MultipartParser(boundary: boundary, options: options))
    }

    /// Parses chunks without copying them, with a copy of a parser that has received nothing.
    package init(borrowing chunks: [Data], by parser: MultipartParser) {
        var parser = parser
        do {
            for chunk in chunks {
                try parser.parse(chunk.span) { event, body in
                    switch event {
                    case .part(let headers): take(.part(headers))
                    case .body: take(.body(body.withUnsafeBufferPointer { Data($0) }))
                    case .endOfPart: take(.endOfPart)
                    case .end: take(.end)
                    }
                }
            }
            try parser.finish { event, _ in
                switch event {
                case .endOfPart: take(.endOfPart)
                case .end: take(.end)
                case .part, .body: preconditionFailure("no part begins at the end")
                }
            }
        } catch let error as MultipartError {
            self.error = error
        } catch {
            preconditionFailure("the handler does not throw")
        }
    }

    /// Takes the next event.
    mutating func take(_ event: MultipartParser.Event<Data>) {
        precondition(!isComplete, "no event comes after the end")
        switch event {
        case .part(let headers):
            parts.append(Part(headers: headers))
        case .body(let data):
            precondition(!data.isEmpty, "a body event has bytes")
            parts[parts.count - 1].body.append(data)
        case .endOfPart:
            parts[parts.count - 1].isComplete = true
        case .end:
            isComplete = true
        }
    }
}
