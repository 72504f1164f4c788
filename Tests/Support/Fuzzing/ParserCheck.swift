internal import Foundation
internal import MultipartFormCodec

/// Checks the parser. The input is a byte for the limits, a boundary after its length, four sizes of pieces, and the
/// message.
enum ParserCheck {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        var options = limits(input.byte())
        let text = input.text()
        let sizes = input.bytes(4).map(Int.init)
        let message = Data(input.rest)
        guard let boundary = try? Boundary(parsing: text, mode: .lenient) else { return }
        let lenient = try check(message, boundary, options, sizes)
        guard (try? Boundary(parsing: text, mode: .strict)) != nil else { return }
        options.mode = .strict
        let strict = try check(message, boundary, options, sizes)
        try require(strict.error != nil || strict == lenient, "the modes read a message differently")
    }

    static func seeds() throws -> [[UInt8]] {
        try Fixtures.names(in: "conformance/parse").compactMap { name in
            let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            guard let boundary = try? Boundary(contentType: expected.contentType) else { return nil }
            let body = try Fixtures.data("conformance/parse/\(name).body")
            return [0] + FuzzInput.run(boundary.bytes) + [1, 7, 64, 3] + body
        }
    }

    static func limits(_ choice: UInt8) -> MultipartParser.Options {
        switch choice % 8 {
        case 1: MultipartParser.Options(maxParts: 1, maxPartBytes: 3)
        case 2: MultipartParser.Options(maxHeaderCount: 2, maxHeaderBytes: 48)
        case 3: MultipartParser.Options(maxPreambleBytes: 4, maxTotalBytes: 100)
        case 4:
            MultipartParser.Options(
                maxParts: 0,
                maxHeaderCount: 0,
                maxHeaderBytes: 0,
                maxPreambleBytes: 0,
                maxPartBytes: 0
            )
        default: MultipartParser.Options()
        }
    }

    private static func check(
        _ message: Data,
        _ boundary: Boundary,
        _ options: MultipartParser.Options,
        _ sizes: [Int]
    ) throws -> ParsedMessage {
        let mode = options.mode
        let whole = ParsedMessage([message], boundary: boundary, options: options)
        // An epilogue may be too long or not allowed; the form is complete before it.
        let mayBeComplete = whole.error?.code == .limitTotalBytes || whole.error?.code == .epilogueNotAllowed
        try require(whole.isComplete == (whole.error == nil) || mayBeComplete, "an end and an error, or neither")
        let pieces = pieces(message, sizes)
        let cut = ParsedMessage(pieces, boundary: boundary, options: options)
        try require(cut == whole, "\(mode): the pieces read differently")
        let borrowed = ParsedMessage(borrowing: pieces, boundary: boundary, options: options)
        try require(borrowed == whole, "\(mode): borrowed bytes read differently")

        if !(whole.error?.code.description ?? "").hasPrefix("limit-") {
            let expected = NaiveParser(message, boundary: boundary.description, mode: mode).parse()
            try require(whole.outcome == expected, "\(mode): the naive parser reads it differently")
        }
        if message.count <= 1024 {
            let most = WaitingBytes.most(message, boundary: boundary, options: options, chunksOf: 1)
            try require(most <= WaitingBytes.bound(boundary, options), "\(mode): \(most) bytes of a body wait")
        }
        if mode == .lenient, options.hasDefaultLimits {
            try checkForm(message, boundary, whole)
        }
        return whole
    }

    /// Pieces of the sizes in turn.
    static func pieces(_ message: Data, _ sizes: [Int]) -> [Data] {
        guard let longest = sizes.max(), longest > 0 else { return [message] }
        var rest = Array(message)[...]
        var result: [Data] = []
        var turn = 0
        while !rest.isEmpty {
            let size = sizes[turn % sizes.count]
            // A copy, so that a read outside the piece is outside its memory.
            result.append(Data(Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
            turn += 1
        }
        return result
    }

    /// The form parsed at once has the same parts. If it can be encoded, the result parses to the same parts.
    private static func checkForm(_ message: Data, _ boundary: Boundary, _ whole: ParsedMessage) throws {
        guard let form = try? MultipartFormData(parsing: message, contentType: boundary.contentType) else {
            return try require(whole.error != nil, "only MultipartFormData refuses the message")
        }
        try require(whole.error == nil, "only MultipartFormData accepts the message")
        let bodies = try form.map { try $0.data() }
        try require(bodies == whole.parts.map(\.body), "the form has other bodies")
        try require(form.map(\.headers) == whole.parts.map(\.headers), "the form has other headers")
        let texts = form.map { [$0.name, $0.filename, $0.contentType] }
        try require(texts == whole.parts.map(\.texts), "the form has other names or types")
        for part in form { try DispositionCheck.checkFilename(part.filename, part.safeFilename) }
        try PassedOnCheck.run(form, message, boundary)
    }
}

extension MultipartParser.Options {
    fileprivate var hasDefaultLimits: Bool {
        let defaults = MultipartParser.Options()
        return maxParts == defaults.maxParts && maxHeaderCount == defaults.maxHeaderCount
            && maxHeaderBytes == defaults.maxHeaderBytes && maxPreambleBytes == defaults.maxPreambleBytes
            && maxPartBytes == nil && maxTotalBytes == nil
    }
}
