import MultipartForm

/// Better words for an error than its own: functions of the facts, of which the first that knows some counts.
enum ErrorWords {
    static let all: [@Sendable (MessageFacts, MultipartError) -> String?] = [
        { facts, error in
            guard let limit = error.limit, let name = error.limitName else { return nil }
            let cause = error.code == .limitPreambleBytes ? beginning(facts) : nil
            let fact = cause.map { "\($0), and its preamble exceeds \(limit) bytes" } ?? error.fact
            return "\(fact), the limit of \(option(name))"
        },
        { facts, error in
            let codes: [MultipartError.Code] = [
                .boundaryNotFound, ErrorCode.malformedDelimiter, ErrorCode.preambleNotAllowed,
            ]
            return error.partIndex == nil && codes.contains(error.code) ? beginning(facts) : nil
        },
        { facts, error in
            guard let line = facts.headerLine, let boundary = facts.boundary else { return nil }
            switch error.code {
            case ErrorCode.malformedHeader: return line.words(boundary)
            case ErrorCode.malformedContentDisposition:
                return "Content-Disposition is malformed: \(line.malformedValue)"
            case ErrorCode.duplicateHeader, ErrorCode.duplicateParameter, ErrorCode.ambiguousHeader:
                return "\(error.fact): \(line.shown)"
            default: return nil
            }
        },
        { facts, error in
            guard error.code == .unexpectedEnd, error.ownFact == nil, let boundary = facts.boundary else { return nil }
            return facts.opening.laterDelimiter(unlike: boundary).map { "\(error.fact); \($0)" }
        },
        { facts, error in error.code == ErrorCode.preambleNotAllowed ? MessageNote.text(error.code, facts) : nil },
    ]

    /// The option of the tool for one of the library, such as `--max-parts` for `maxParts`.
    private static func option(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// What the message's first bytes say if they are no delimiter.
    private static func beginning(_ facts: MessageFacts) -> String? {
        let opening = facts.opening
        if opening.isEmpty {
            return facts.head.map { "nothing follows the HTTP head of \($0.length) bytes" } ?? "message is empty"
        }
        if facts.boundary != nil, opening.hasByteOrderMark {
            return "message begins with a byte order mark, the bytes EF BB BF"
        }
        if let kind = opening.otherKind { return "message is \(kind)" }
        guard let boundary = facts.boundary else {
            let later = opening.laterDelimiter.map { offset, boundary in
                "; the line at offset \(offset) may: --boundary \(TerminalText.shellWord(boundary))"
            }
            let bare = opening.bareBoundary(nil).map { "; it may be the boundary, without two hyphens: \($0)" }
            return "first line does not give the boundary\(later ?? bare ?? "")"
        }
        if let bare = opening.bareBoundary(boundary) {
            return "message begins with boundary \"\(bare)\" without two hyphens before it"
        }
        return opening.difference(from: boundary)
    }

    /// What a Content-Type lacks, which is nil if there is none, with its value.
    static func ofContentType(_ value: String?, _ error: MultipartError, _ facts: MessageFacts) -> String {
        let fact = error.fact
        guard let value else {
            guard facts.head?.method == "OPTIONS", error.code == .unsupportedMediaType else { return fact }
            return "\(fact): it is a browser's preflight, not the upload, which follows if the server allows it"
        }
        let shown = HeaderLine.shown(ContiguousArray(value.utf8)[...], columns: 160)
        let named = "\(fact.hasPrefix("Content-Type ") ? fact : "Content-Type: \(fact)"): \(shown)"
        switch error.code {
        case .unsupportedMediaType:
            let isStream = value.lowercased().hasPrefix("multipart/x-mixed-replace")
            return isStream ? "\(fact): it is a stream of pictures, as cameras send them, and no form" : fact
        case ErrorCode.malformedContentType:
            let guess = error.offset.flatMap {
                HeaderLine.guess(ContiguousArray(value.utf8)[...], at: Int(clamping: $0))
            }
            return named + (guess.map { "; \($0)" } ?? "")
        case .missingBoundary:
            return named + (facts.opening.boundary.map { "; the message begins with \"\($0)\"" } ?? "")
        default:
            return named
        }
    }
}
