import Foundation
import MultipartForm

/// `formdata inspect`: lists the parts of a message, as a table or as JSON.
struct InspectCommand {
    /// Runs the command with the words after its name.
    static func run(_ words: [String]) throws {
        let known: [Arguments.Option] = [.flag("--json"), .flag("--bodies"), .value("--chunk-size")]
        let arguments = try Arguments(words, MessageOptions.known + known)
        guard !arguments.wantsHelp else { return try Console.show(HelpText.inspect) }
        let options = try MessageOptions(arguments)
        let chunkSize = try arguments.number("--chunk-size", atLeast: 1) ?? 1 << 16
        let reader = MessageReader(options: options, chunkSize: chunkSize)
        let (isJSON, includesBodies) = (arguments.has("--json"), arguments.has("--bodies"))
        guard isJSON || !includesBodies else { throw ToolError.usage("--bodies wants --json") }
        let input = try FileDescriptor.input(options.path)
        if isJSON {
            var list = JSONList(includesBodies: includesBodies)
            try list.write(input, reader)
        } else {
            try writeTable(input, reader)
        }
    }

    private static func writeTable(_ input: FileDescriptor, _ reader: MessageReader) throws {
        var table = PartTable()
        var headers = HeaderFields()
        var length: UInt64 = 0
        let result = Result {
            try reader.read(input) { event, bytes in
                switch event {
                case .part(let fields): (headers, length) = (fields, 0)
                case .body: length += UInt64(bytes.count)
                case .endOfPart: table.append(PartReport(headers), length: length)
                case .end: break
                }
            }
        }
        // An error before the first part is all there is to say.
        if (try? result.get()) != nil || !table.isEmpty { try Console.show(table.text(width: Console.width)) }
        try result.get()
    }
}

/// Writes the parts as they come; memory holds one part's header fields and a chunk of its body.
private struct JSONList {
    let includesBodies: Bool
    var console = Console()
    var separator = ""
    var part: PartReport?
    var length: UInt64 = 0
    /// Bytes of the body that are no whole group of base64 yet.
    var body = Data()

    mutating func write(_ input: FileDescriptor, _ reader: MessageReader) throws {
        var failure: ToolError?
        try console.write("{\"parts\":[")
        do {
            try reader.read(input) { try take($0, $1) }
        } catch {
            // A signal came, or whoever reads the output has gone away.
            guard !(error is POSIXError) else { throw error }
            failure = ToolError(error)
            if includesBodies { try endPart(",\"complete\":false") }
        }
        try console.write("]")
        if let failure { try console.write(",\"error\":\(PartReport.json(failure.members))") }
        try console.write("}\n")
        try console.flush()
        if let failure { throw failure }
    }

    private mutating func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            (part, length) = (PartReport(headers), 0)
            if includesBodies { try beginPart(",\"body\":\"") }
        case .body:
            length += UInt64(bytes.count)
            if includesBodies { try append(bytes) }
        case .endOfPart:
            if !includesBodies { try beginPart() }
            try endPart()
        case .end:
            break
        }
    }

    /// Writes the part's object, but for what is known at its end only.
    private mutating func beginPart(_ member: String = "") throws {
        guard let part else { return }
        try console.write(separator + PartReport.json(part.members).dropLast() + member)
        separator = ","
    }

    private mutating func append(_ bytes: Span<UInt8>) throws {
        // SAFETY: the bytes are copied inside the closure.
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        let whole = body.count - body.count % 3
        try console.write(body.prefix(whole).base64EncodedString())
        body = Data(body.dropFirst(whole))
    }

    private mutating func endPart(_ member: String = "") throws {
        guard part != nil else { return }
        try console.write(body.base64EncodedString())
        try console.write("\(includesBodies ? "\"" : ""),\"length\":\(length)\(member)}")
        (part, body) = (nil, Data())
    }
}
