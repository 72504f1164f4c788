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
        try Console.show(receiver.table.text)
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

/// Writes each part as it is complete; memory holds one part, and its body only if bodies are asked for.
private struct JSONReceiver: PartReceiver {
    var console = Console()
    private let includesBodies: Bool
    private var isFirst = true
    private var part: PartReport?
    private var body = Data()

    init(includesBodies: Bool) {
        self.includesBodies = includesBodies
    }

    mutating func beginPart(_ headers: HeaderFields) {
        part = PartReport(headers)
        body = Data()
    }

    mutating func receive(_ bytes: Span<UInt8>) {
        part?.length += UInt64(bytes.count)
        guard includesBodies else { return }
        // SAFETY: the bytes are copied inside the closure.
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
    }

    mutating func endPart() throws {
        guard let part else { return }
        var members = part.members
        if includesBodies { members.append(("body", .string(body.base64EncodedString()))) }
        if !isFirst { try console.write(",".utf8) }
        isFirst = false
        try console.write(JSONValue.object(members).bytes)
    }
}
