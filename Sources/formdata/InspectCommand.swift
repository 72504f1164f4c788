import Foundation
import MultipartForm

/// `formdata inspect`: lists the parts of a message, as a table or as JSON.
struct InspectCommand {
    private let source: InputSource
    private let reader: MessageReader

    /// Runs the command with the words after its name.
    static func run(_ words: [String]) throws {
        let known: [Arguments.Option] = [.flag("--json"), .flag("--bodies"), .value("--chunk-size")]
        let arguments = try Arguments(words, MessageOptions.known + known)
        guard !arguments.wantsHelp else { return try Console.show(HelpText.inspect) }
        let options = try MessageOptions(arguments)
        let chunkSize = try arguments.number("--chunk-size", atLeast: 1) ?? 1 << 16
        let (isJSON, includesBodies) = (arguments.has("--json"), arguments.has("--bodies"))
        guard isJSON || !includesBodies else { throw ToolError.usage("--bodies wants --json") }
        let source = try InputSource(path: options.path)
        let command = InspectCommand(source: source, reader: MessageReader(options, chunkSize: chunkSize))
        if isJSON {
            try command.listAsJSON(includesBodies: includesBodies)
        } else {
            try command.listAsTable()
        }
    }

    private func listAsTable() throws {
        var table = PartTable()
        var length: UInt64 = 0
        var headers = HeaderFields()
        let result = Result {
            try reader.read(source) { event, bytes in
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

    private func listAsJSON(includesBodies: Bool) throws {
        var list = JSONList(includesBodies: includesBodies)
        var failure: ToolError?
        try list.write("{\"parts\":[")
        do {
            try reader.read(source) { try list.take($0, $1) }
        } catch let error as ToolError {
            failure = error
            try list.breakOff()
        }
        try list.write("]")
        if let failure { try list.write(",\"error\":\(String(decoding: ErrorReport(failure).json, as: UTF8.self))") }
        try list.write("}\n")
        try list.console.flush()
        if let failure { throw failure }
    }
}

/// Writes the parts as they come; memory holds one part's header fields and some bytes of its body.
private struct JSONList {
    var console = Console()
    private let includesBodies: Bool
    private var isFirst = true
    private var part: PartReport?
    private var length: UInt64 = 0
    /// Bytes of the body that are not written yet.
    private var body = Data()

    init(includesBodies: Bool) {
        self.includesBodies = includesBodies
    }

    mutating func write(_ text: String) throws {
        try console.write(text.utf8)
    }

    mutating func take(_ event: MultipartParser.BorrowedEvent, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            (part, length) = (PartReport(headers), 0)
            if includesBodies { try begin() }
        case .body:
            length += UInt64(bytes.count)
            if includesBodies { try append(bytes) }
        case .endOfPart:
            if !includesBodies { try begin() }
            try end()
        case .end:
            break
        }
    }

    /// Ends the object of a part that an error cuts off.
    mutating func breakOff() throws {
        if includesBodies, part != nil { try end(isComplete: false) }
    }

    /// Writes the part's object up to what is only known at its end.
    private mutating func begin() throws {
        try write(isFirst ? "" : ",")
        isFirst = false
        try console.write(part.json.dropLast())
        if includesBodies { try write(",\"body\":\"") }
    }

    private mutating func append(_ bytes: Span<UInt8>) throws {
        // SAFETY: the bytes are copied inside the closure.
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        // Whole groups of base64.
        let whole = body.count - body.count % 3
        try console.write(body.prefix(whole).base64EncodedData())
        body = Data(body.dropFirst(whole))
    }

    private mutating func end(isComplete: Bool = true) throws {
        try console.write(body.base64EncodedData())
        try write("\(includesBodies ? "\"" : ""),\"length\":\(length)\(isComplete ? "" : ",\"complete\":false")}")
        body = Data()
        part = nil
    }
}
