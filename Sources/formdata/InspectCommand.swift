import Foundation
import MultipartForm

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
        } else if arguments.has("--tree") {
            var tree = NameOutline()
            try readParts(input, reader) { tree.append($0, length: $1) }
            try FileDescriptor.standardOutput.write(tree.text)
        } else {
            var table = PartTable()
            let result = Result { try readParts(input, reader) { table.append($0, length: $1) } }
            // An error before the first part is all there is to say.
            if (try? result.get()) != nil || !table.isEmpty { try FileDescriptor.standardOutput.write(table.text) }
            try result.get()
        }
    }

    private static func readParts(
        _ input: FileDescriptor,
        _ reader: MessageReader,
        _ body: (HeaderFields, UInt64) -> Void
    ) throws {
        var headers = HeaderFields()
        var length: UInt64 = 0
        try reader.read(input) { event, bytes in
            switch event {
            case .part(let fields): (headers, length) = (fields, 0)
            case .body: length += UInt64(bytes.count)
            case .endOfPart: body(headers, length)
            case .end: break
            }
        }
    }
}

/// Writes the parts as they come; memory holds one part's header fields and a chunk of its body.
private struct JSONList {
    let includesBodies: Bool
    let output = FileDescriptor.standardOutput
    var separator = ""
    /// What stands between the body and the length in the part's object; nil outside of parts.
    var beforeLength: String?
    var length: UInt64 = 0
    /// The end of the body, which is not written yet.
    var body = Data()

    mutating func write(_ input: FileDescriptor, _ reader: MessageReader) throws {
        var failure: ToolError?
        try output.write("{\"parts\":[")
        do {
            try reader.read(input) { try take($0, $1) }
        } catch {
            // A signal came, or whoever reads the output has gone away.
            guard !(error is POSIXError) else { throw error }
            failure = ToolError(error)
            if includesBodies { try endPart(",\"complete\":false") }
        }
        let member = try failure.map { ",\"error\":\(try Report.json($0.members))" } ?? ""
        try output.write("]\(member)}\n")
        if let failure { throw failure }
    }

    private mutating func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            let object = try separator + Report.json(Report.members(headers)).dropLast()
            if includesBodies { try output.write("\(object),\"body\":\"") }
            beforeLength = includesBodies ? "\"" : object
            length = 0
        case .body:
            length += UInt64(bytes.count)
            if includesBodies { try append(bytes) }
        case .endOfPart:
            try endPart()
        case .end:
            break
        }
    }

    private mutating func append(_ bytes: Span<UInt8>) throws {
        // SAFETY: the bytes are copied inside the closure.
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        guard body.count >= 1 << 16 else { return }
        // Whole groups of base64.
        let whole = body.count - body.count % 3
        try output.write(body.prefix(whole).base64EncodedString())
        body = Data(body.dropFirst(whole))
    }

    private mutating func endPart(_ member: String = "") throws {
        guard let beforeLength else { return }
        try output.write("\(body.base64EncodedString())\(beforeLength),\"length\":\(length)\(member)}")
        (self.beforeLength, body, separator) = (nil, Data(), ",")
    }
}
