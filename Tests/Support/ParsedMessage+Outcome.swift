internal import MultipartFormCodec

extension ParsedMessage {
    /// The outcome, to compare with a parser case.
    package var outcome: ParseCase.Outcome {
        if let error { return ParseCase.Outcome(parts: nil, error: error.code.description) }
        let cases = parts.map { part in
            CasePart(
                name: part.headers.name,
                filename: part.headers.filename,
                contentType: part.headers.contentType,
                headers: part.headers.map { [$0.name, $0.value] },
                body: part.body
            )
        }
        return ParseCase.Outcome(parts: isComplete ? cases : nil, error: nil)
    }
}
