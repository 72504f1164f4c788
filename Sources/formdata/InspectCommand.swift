import MultipartFormCodec

/// `formdata inspect`: lists the parts of a message, the first error of strict mode, and notes.
enum InspectCommand {
    static func run(_ words: [String]) throws {
        let values = MessageReader.options + ["--chunk-size"]
        let arguments = try Arguments(words, values: values, flags: ["--strict", "--json", "--bodies", "--tree"])
        guard !arguments.has("--help") else { return try FileDescriptor.standardOutput.write(HelpText.inspect) }
        let reader = try MessageReader(arguments)
        let (isJSON, includesBodies) = (arguments.has("--json"), arguments.has("--bodies"))
        guard isJSON || !includesBodies else { throw ToolError.usage("--bodies wants --json") }
        guard !isJSON || !arguments.has("--tree") else { throw ToolError.usage("--json and --tree exclude each other") }
        let input = try FileDescriptor.input(reader.path)
        if isJSON {
            var list = JSONList(includesBodies: includesBodies)
            try list.write(input, reader)
        } else {
            try list(input, reader, isTree: arguments.has("--tree"))
        }
    }

    /// Prints the parts as a table or a tree, then the findings. If an error ends the reading, the table ends with the
    /// part that was being read, and no tree is printed.
    private static func list(_ input: FileDescriptor, _ reader: MessageReader, isTree: Bool) throws {
        let analyzer = MessageAnalyzer()
        var (table, tree) = (PartTable(), NameOutline())
        let result = Result {
            try reader.read(input, analyzer) { event, _, part in
                guard case .endOfPart = event, let part else { return }
                if isTree { tree.append(part.headers, length: part.length) } else { table.append(part) }
            }
        }
        var isComplete = true
        if case .failure(let error) = result {
            isComplete = false
            if let part = analyzer.summary.part { table.append(part, isComplete: !part.isCut(by: error)) }
        }
        // If the error precedes the first part, no table is printed.
        var text = !isTree && (isComplete || !table.isEmpty) ? table.text : ""
        let outline = Result { isTree && isComplete ? try tree.text : "" }
        text += (try? outline.get()) ?? ""
        let lines = analyzer.summary.findings.lines.map { $0 + "\n" }.joined()
        if !text.isEmpty, !lines.isEmpty { text += "\n" }
        try FileDescriptor.standardOutput.write(text + lines)
        try result.get()
        _ = try outline.get()
    }
}

/// Writes the parts as JSON while the message is read. Memory holds the findings, the header fields of the current
/// part, and a chunk of that part's content.
private struct JSONList {
    let includesBodies: Bool
    let output = FileDescriptor.standardOutput
    var separator = ""
    /// The text to write before the member `length` of the current part:
    ///
    /// - if the output includes bodies: the quote that ends the part's body
    /// - otherwise: the start of the part's JSON object
    var beforeLength = ""
    /// The bytes of the current body that have not been written yet.
    var body = Data()

    mutating func write(_ input: FileDescriptor, _ reader: MessageReader) throws {
        var failure: ToolError?
        let analyzer = MessageAnalyzer()
        try output.write("{\"parts\":[")
        do {
            try reader.read(input, analyzer) { try take($0, $1, $2) }
        } catch {
            // A `POSIXError` comes from a signal, or from an output that nobody reads. In both cases, nothing more is
            // written.
            guard !(error is POSIXError) else { throw error }
            failure = ToolError(error)
            if let part = analyzer.summary.part { try end(part, part.isCut(by: error) ? ",\"complete\":false" : "") }
        }
        var members = analyzer.summary.findings.members
        if let failure { members.append(("error", .object(failure.members))) }
        let texts = try members.map { try "," + Report.json([$0.name: $0.value]).dropFirst().dropLast() }
        try output.write("]\(texts.joined())}\n")
        if let failure { throw failure }
    }

    private mutating func take(
        _ event: MultipartParser.Event<Void>,
        _ bytes: Span<UInt8>,
        _ part: ListedPart?
    ) throws {
        switch event {
        case .part(let headers):
            let object = try separator + Report.json(Report.members(headers)).dropLast()
            if includesBodies { try output.write("\(object),\"body\":\"") }
            beforeLength = includesBodies ? "\"" : object
        case .body:
            if includesBodies { try append(bytes) }
        case .endOfPart:
            if let part { try end(part) }
        case .end:
            break
        }
    }

    private mutating func append(_ bytes: Span<UInt8>) throws {
        body.append(copying: bytes)
        guard body.count >= 1 << 16 else { return }
        // Base64 encodes groups of three bytes, so only whole groups are written.
        let whole = body.count - body.count % 3
        try output.write(body.prefix(whole).base64EncodedString())
        body = Data(body.dropFirst(whole))
    }

    private mutating func end(_ part: ListedPart, _ member: String = "") throws {
        let text =
            try part.text?.whole.map { try Report.json(["text": .text($0)]).dropFirst().dropLast() } ?? "\"text\":null"
        let members = "\"length\":\(part.length),\(text)\(member)"
        try output.write("\(body.base64EncodedString())\(beforeLength),\(members)}")
        (body, separator) = (Data(), ",")
    }
}
