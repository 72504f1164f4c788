/// Parses in strict mode what a lenient parser parses, and reports the first thing that strict mode refuses.
///
/// - Input: the message's chunks, whole, and its end; each after the lenient parser.
/// - Output: one call of the handler, with the error that a strict parser would throw. None if the lenient parser throws
///   the same one, or if strict mode accepts the message.
/// - Cost: a second parser, until it fails.
struct StrictObserver: Sendable {
    private var machine: ParserMachine
    private let handler: @Sendable (MultipartError) -> Void

    /// Creates the observer of a message; nil if the options have no handler, or are strict themselves.
    init?(boundary: Boundary, _ options: MultipartParser.Options, isNested: Bool) {
        guard let handler = options.strictErrorHandler, options.mode == .lenient else { return nil }
        var options = options
        options.mode = .strict
        machine = ParserMachine(boundary: boundary, options, isNested: isNested)
        self.handler = handler
    }

    /// Takes a chunk, in which the lenient parser may have failed; false if nothing is left to observe.
    mutating func take(_ chunk: Span<UInt8>, failure: MultipartError?) -> Bool {
        while machine.next(chunk) != nil, !machine.isUsedUp {}
        if machine.failure == nil { machine.endChunk(chunk) }
        return report(failure)
    }

    /// Takes the message's end.
    mutating func finish(failure: MultipartError?) {
        while machine.finish() != nil {}
        _ = report(failure)
    }

    private func report(_ failure: MultipartError?) -> Bool {
        guard let refusal = machine.failure else { return failure == nil }
        if refusal != failure { handler(refusal) }
        return false
    }
}

extension MultipartParser.Options {
    /// The boundary of a form's Content-Type field, or of a nested message's; reports it if only strict mode refuses it.
    func boundary(of contentType: String?) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in try Boundary(contentType: contentType, mode: mode) }
    }

    func boundary(ofNested contentType: [UInt8]) throws(MultipartError) -> Boundary {
        try boundary { mode throws(MultipartError) in
            try Boundary(contentType: ContiguousArray(contentType), isNested: true, mode: mode)
        }
    }

    private func boundary(
        _ parse: (ParsingMode) throws(MultipartError) -> Boundary
    ) throws(MultipartError) -> Boundary {
        let result = Result { () throws(MultipartError) in try parse(mode) }
        guard let strictErrorHandler, mode == .lenient else { return try result.get() }
        do throws(MultipartError) {
            _ = try parse(.strict)
        } catch {
            if case .failure(error) = result { throw error }
            strictErrorHandler(error)
        }
        return try result.get()
    }
}
