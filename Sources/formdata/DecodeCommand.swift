import Foundation
import MultipartForm

/// `formdata decode`: writes each part of a message to a file of its own.
struct DecodeCommand {
    /// Runs the command with the words behind its name.
    static func run(_ words: [String]) throws {
        let arguments = try Arguments(words, MessageOptions.known + [.value("--into"), .flag("--keep")])
        guard !arguments.wantsHelp else { return try Console.show(HelpText.decode) }
        let options = try MessageOptions(arguments)
        guard let path = try arguments.value("--into"), !path.isEmpty else {
            throw ToolError.usage("option --into is missing")
        }
        let source = try InputSource(path: options.path)
        var receiver = FileReceiver(try PartDirectory(creating: path))
        do {
            try MessageReader(options, chunkSize: 1 << 18).read(source, to: &receiver)
            try receiver.finish()
        } catch {
            if arguments.has("--keep") { receiver.keep(after: error) }
            throw error
        }
    }
}

/// Writes bodies to files as they come; memory holds the reports of the parts, never a body.
private struct FileReceiver: PartReceiver {
    private let directory: PartDirectory
    private var parts: [(report: PartReport, file: String)] = []

    init(_ directory: PartDirectory) {
        self.directory = directory
    }

    mutating func beginPart(_ headers: HeaderFields) throws {
        let report = PartReport(headers)
        parts.append((report, try directory.beginFile(named: PartNames.wanted(by: report))))
    }

    mutating func receive(_ bytes: Span<UInt8>) throws {
        guard let last = parts.indices.last else { return }
        try directory.write(bytes)
        parts[last].report.length += UInt64(bytes.count)
    }

    mutating func endPart() throws {
        guard let last = parts.indices.last else { return }
        try directory.endFile()
        parts[last].report.isComplete = true
    }

    /// Writes the manifest; only now the files stay.
    func finish() throws {
        let list = parts.map { JSONValue.object($0.report.members + [("file", .string($0.file))]) }
        try directory.finish(manifest: JSONValue.object([("parts", .array(list))]).bytes + [0x0A])
    }

    /// Keeps what came before an error, the incomplete part included, as far as the system can write it.
    mutating func keep(after error: any Error) {
        directory.keep()
        try? directory.endFile()
        if let last = parts.indices.last, !parts[last].report.isComplete {
            parts[last].report.length = directory.length(ofFile: parts[last].file) ?? 0
        }
        let list = parts.map { part in
            let isComplete = JSONValue.bool(part.report.isComplete)
            return JSONValue.object(part.report.members + [("file", .string(part.file)), ("complete", isComplete)])
        }
        var members: [(key: String, value: JSONValue)] = [("parts", .array(list))]
        if let error = error as? ToolError { members.append(("error", error.json)) }
        try? directory.finish(manifest: JSONValue.object(members).bytes + [0x0A])
    }
}
