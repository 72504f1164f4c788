import Foundation
import MultipartForm

/// `formdata decode`: writes each part to a file, and a manifest.
struct DecodeCommand {
    private let directory: PartDirectory
    /// The parts so far; memory holds their reports, never a body.
    private var parts: [PartReport] = []

    /// Runs the command with the words after its name.
    static func run(_ words: [String]) throws {
        let arguments = try Arguments(words, MessageReader.options + [.value("--into"), .flag("--keep")])
        guard !arguments.wantsHelp else { return try FileDescriptor.standardOutput.write(HelpText.decode) }
        let reader = try MessageReader(arguments)
        guard let path = try arguments.value("--into"), !path.isEmpty else {
            throw ToolError.usage("option --into is missing")
        }
        let input = try FileDescriptor.input(reader.path)
        var command = DecodeCommand(directory: try PartDirectory(creating: path))
        do {
            try reader.read(input) { try command.take($0, $1) }
            try command.directory.finish(manifest: PartReport.json(["parts": command.parts.map(\.members)]))
        } catch {
            if arguments.has("--keep") { command.keep(after: error) }
            throw error
        }
    }

    private mutating func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            let part = PartReport(headers)
            try directory.beginFile(named: part.wantedName)
            parts.append(part)
        case .body:
            try directory.write(bytes)
        case .endOfPart:
            try endPart()
        case .end:
            break
        }
    }

    private mutating func endPart() throws {
        guard let last = parts.indices.last else { return }
        let (name, length) = try directory.endFile(named: parts[last].wantedName)
        parts[last].members.merge(["file": name, "length": length]) { $1 }
    }

    /// Keeps what came before an error, the incomplete part included, as far as the system can write it.
    private mutating func keep(after error: any Error) {
        for index in parts.indices { parts[index].members["complete"] = parts[index].members["file"] != nil }
        if parts.last?.members["complete"] as? Bool == false { try? endPart() }
        directory.keep()
        var manifest: [String: Any] = ["parts": parts.map(\.members)]
        manifest["error"] = error is POSIXError ? nil : ToolError(error).members
        try? directory.finish(manifest: PartReport.json(manifest))
    }
}
