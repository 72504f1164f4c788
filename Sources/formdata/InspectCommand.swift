import Foundation
import MultipartForm

/// `formdata inspect`: lists the parts of a message, as a table or as JSON.
struct InspectCommand {
    /// Runs the command with the words behind its name.
    static func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words,
            MessageOptions.known + [.flag("--json"), .flag("--bodies"), .value("--chunk-size")]
        )
        guard !arguments.wantsHelp else { return try Console.show(HelpText.inspect) }
        let options = try MessageOptions(arguments)
        let chunkSize = try arguments.number("--chunk-size", atLeast: 1) ?? 1 << 16
        let includesBodies = arguments.has("--bodies")
        guard arguments.has("--json") || !includesBodies else { throw ToolError.usage("--bodies wants --json") }
        let source = try InputSource(path: options.path)
        let reader = MessageReader(options, chunkSize: chunkSize)
        if arguments.has("--json") {
            try listAsJSON(source, reader, includesBodies: includesBodies)
        } else {
            try listAsTable(source, reader)
        }
    }

    private static func listAsTable(_ source: InputSource, _ reader: MessageReader) throws {
        var receiver = TableReceiver()
        let result = Result { try reader.read(source, to: &receiver) }
        // An error before the first part is all there is to say.
        if (try? result.get()) != nil || !receiver.table.isEmpty {
            try Console.show(receiver.table.text(width: Console.width))
        }
        try result.get()
    }

    private static func listAsJSON(_ source: InputSource, _ reader: MessageReader, includesBodies: Bool) throws {
        var receiver = JSONReceiver(includesBodies: includesBodies)
        try receiver.console.write("{\"parts\":[".utf8)
        var failure: ToolError?
        do {
            try reader.read(source, to: &receiver)
        } catch let error as ToolError {
            failure = error
            try receiver.breakOff()
        }
        try receiver.console.write("]".utf8)
        if let failure {
            try receiver.console.write(",\"error\":".utf8)
            try receiver.console.write(failure.json.bytes)
        }
        try receiver.console.write("}\n".utf8)
        try receiver.console.flush()
        if let failure { throw failure }
    }
}

/// Collects the rows of the table; bodies are counted only.
private struct TableReceiver: PartReceiver {
    var table = PartTable()
    private var part: PartReport?

    mutating func beginPart(_ headers: HeaderFields) {
        part = PartReport(headers)
    }

    mutating func receive(_ bytes: Span<UInt8>) {
        part?.length += UInt64(bytes.count)
    }

    mutating func endPart() {
        if let part { table.append(part) }
        part = nil
    }
}

/// Writes the parts as they come; memory holds one part's header fields and some bytes of its body.
private struct JSONReceiver: PartReceiver {
    /// How many bytes of a body come together before they are written: whole groups of base64.
    private static let blockSize = 48 << 10

    var console = Console()
    private let includesBodies: Bool
    private var isFirst = true
    private var part: PartReport?
    /// Bytes of the body that are not written yet.
    private var body = Data()

    init(includesBodies: Bool) {
        self.includesBodies = includesBodies
    }

    mutating func beginPart(_ headers: HeaderFields) throws {
        let part = PartReport(headers)
        self.part = part
        guard includesBodies else { return }
        try writeSeparator()
        // The object goes on with the body.
        try console.write(JSONValue.object(part.identity).bytes.dropLast())
        try console.write(",\"body\":\"".utf8)
    }

    mutating func receive(_ bytes: Span<UInt8>) throws {
        part?.length += UInt64(bytes.count)
        guard includesBodies else { return }
        // SAFETY: the bytes are copied inside the closure.
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        guard body.count >= Self.blockSize else { return }
        let whole = body.count - body.count % 3
        try console.write(body.prefix(whole).base64EncodedData())
        body = Data(body.dropFirst(whole))
    }

    mutating func endPart() throws {
        guard let part else { return }
        self.part = nil
        if includesBodies {
            try endBody(of: part)
        } else {
            try writeSeparator()
            try console.write(JSONValue.object(part.members).bytes)
        }
    }

    /// Ends the object of a part that an error cuts off.
    mutating func breakOff() throws {
        guard includesBodies, let part else { return }
        try endBody(of: part, isComplete: false)
    }

    private mutating func endBody(of part: PartReport, isComplete: Bool = true) throws {
        try console.write(body.base64EncodedData())
        body = Data()
        try console.write("\",\"length\":\(part.length)\(isComplete ? "" : ",\"complete\":false")}".utf8)
    }

    private mutating func writeSeparator() throws {
        if !isFirst { try console.write(",".utf8) }
        isFirst = false
    }
}
