import Foundation
import MultipartForm

/// `formdata decode`: writes each part to a file, and a manifest.
struct DecodeCommand {
    private struct Manifest: Encodable {
        let parts: [PartReport]
        var error: ErrorReport?
    }

    private let directory: PartDirectory
    /// The parts so far; memory holds their reports, never a body.
    private var parts: [PartReport] = []

    /// Runs the command with the words after its name.
    static func run(_ words: [String]) throws {
        let arguments = try Arguments(words, MessageOptions.known + [.value("--into"), .flag("--keep")])
        guard !arguments.wantsHelp else { return try Console.show(HelpText.decode) }
        let options = try MessageOptions(arguments)
        guard let path = try arguments.value("--into"), !path.isEmpty else {
            throw ToolError.usage("option --into is missing")
        }
        let source = try InputSource(path: options.path)
        var command = DecodeCommand(directory: try PartDirectory(creating: path))
        do {
            try MessageReader(options).read(source) { try command.take($0, $1) }
            try command.directory.finish(manifest: Manifest(parts: command.parts).json)
        } catch {
            if arguments.has("--keep") { command.keep(after: error) }
            throw error
        }
    }

    private init(directory: PartDirectory) {
        self.directory = directory
    }

    private mutating func take(_ event: MultipartParser.BorrowedEvent, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            let part = PartReport(headers)
            try directory.beginFile(named: PartNames.wanted(by: part))
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
        (parts[last].file, parts[last].length) = try directory.endFile(named: PartNames.wanted(by: parts[last]))
    }

    /// Keeps what came before an error, the incomplete part included, as far as the system can write it.
    private mutating func keep(after error: any Error) {
        for index in parts.indices { parts[index].complete = parts[index].file != nil }
        if parts.last?.file == nil { try? endPart() }
        directory.keep()
        try? directory.finish(manifest: Manifest(parts: parts, error: (error as? ToolError).map(ErrorReport.init)).json)
    }
}
