import MultipartFormCodec

/// Explains an error of the library in clearer words, with the help of the message's summary.
///
/// Each function in `all` returns an explanation for some errors, and nil for all others. The first explanation is
/// used.
enum ErrorWords {
    static let all: [@Sendable (MessageSummary, MultipartError) -> String?] = [
        { summary, error in
            guard let limit = error.limit, let name = error.limitName else { return nil }
            let cause = error.code == ErrorCode.limitPreambleBytes ? beginning(summary) : nil
            let reason = cause.map { "\($0), and its preamble exceeds \(limit) bytes" } ?? error.reason
            return "\(reason), the limit of \(option(name))"
        },
        { summary, error in
            let codes: [MultipartError.Code] = [
                .boundaryNotFound, ErrorCode.malformedDelimiter, ErrorCode.preambleNotAllowed,
            ]
            return error.partIndex == nil && codes.contains(error.code) ? beginning(summary) : nil
        },
        { summary, error in
            guard let line = summary.headerLine, let boundary = summary.boundary else { return nil }
            switch error.code {
            case ErrorCode.malformedHeader: return line.words(boundary)
            case ErrorCode.malformedContentDisposition:
                return "Content-Disposition is malformed: \(line.malformedValue)"
            case ErrorCode.duplicateHeader, ErrorCode.duplicateParameter, ErrorCode.ambiguousHeader:
                return "\(error.reason): \(line.shown)"
            default: return nil
            }
        },
        { summary, error in
            guard error.code == ErrorCode.malformedDelimiter, let boundary = summary.boundary, let offset = error.offset
            else { return nil }
            return summary.opening.words(error.reason, forDelimiter: boundary, at: Int(clamping: offset))
        },
        { summary, error in
            guard error.code == .unexpectedEnd, error.ownReason == nil, let boundary = summary.boundary else {
                return nil
            }
            return summary.opening.laterDelimiter(unlike: boundary).map { "\(error.reason); \($0)" }
        },
        { summary, error in error.code == ErrorCode.preambleNotAllowed ? MessageNote.text(error.code, summary) : nil },
    ]

    /// Returns the tool's option for an option of the library, such as `--max-parts` for `maxParts`.
    private static func option(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// Returns the reason why the message does not begin with the expected delimiter, or nil if the reason is unknown.
    private static func beginning(_ summary: MessageSummary) -> String? {
        let opening = summary.opening
        if opening.isEmpty {
            return summary.head.map { "nothing follows the HTTP head of \($0.length) bytes" } ?? "message is empty"
        }
        if summary.boundary != nil, opening.hasByteOrderMark {
            return "message begins with a byte order mark, the bytes EF BB BF"
        }
        if let kind = opening.otherKind { return "message is \(kind)" }
        guard let boundary = summary.boundary else {
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

    /// Returns words that explain an error in the Content-Type field and show the field's value. `value` is nil if the
    /// field is missing.
    static func ofContentType(_ value: String?, _ error: MultipartError, _ summary: MessageSummary) -> String {
        let reason = error.reason
        guard let value else {
            guard summary.head?.method == "OPTIONS", error.code == .unsupportedMediaType else { return reason }
            return "\(reason): it is a browser's preflight, not the upload, which follows if the server allows it"
        }
        let shown = HeaderLine.shown(ContiguousArray(value.utf8)[...], columns: 160)
        let named = "\(reason.hasPrefix("Content-Type ") ? reason : "Content-Type: \(reason)"): \(shown)"
        switch error.code {
        case .unsupportedMediaType:
            let isStream = value.lowercased().hasPrefix("multipart/x-mixed-replace")
            return isStream ? "\(reason): it is a stream of pictures, as cameras send them, and no form" : reason
        case ErrorCode.malformedContentType:
            let guess = error.offset.flatMap {
                HeaderLine.guess(ContiguousArray(value.utf8)[...], at: Int(clamping: $0))
            }
            return named + (guess.map { "; \($0)" } ?? "")
        case .missingBoundary:
            return named + (summary.opening.boundary.map { "; the message begins with \"\($0)\"" } ?? "")
        default:
            return named
        }
    }
}
