import MultipartForm

/// `formdata decode`: writes each part to a file, and a manifest.
///
/// Files are created in the directory itself, so that no name leads elsewhere, and never replace another file. When the
/// command is freed, its files are removed unless they are kept. Memory holds the parts' reports, never a body.
final class DecodeCommand {
    private let directory: String
    /// The directories that the command has created, the outermost first.
    private var createdDirectories: [String] = []
    private var manifest: OutputFile?
    private var names = PartNames()
    private var parts: [[String: JSONValue]] = []
    /// The last part's file; nil once the file is complete.
    private var file: OutputFile?
    /// The complete files, which are removed when the command is freed.
    private var files: [(path: String, identity: FileIdentity)] = []
    private var wantedName = ""

    static func run(_ words: [String]) throws {
        let values = MessageReader.options + ["--into"]
        let arguments = try Arguments(words, values: values, flags: ["--strict", "--keep"])
        guard !arguments.has("--help") else { return try FileDescriptor.standardOutput.write(HelpText.decode) }
        let reader = try MessageReader(arguments)
        guard let directory = try arguments.value("--into"), !directory.isEmpty else {
            throw ToolError.usage("option --into is missing")
        }
        let input = try FileDescriptor.input(reader.path)
        let command = try DecodeCommand(into: directory)
        let analyzer = MessageAnalyzer()
        defer {
            for note in analyzer.summary.findingsOfDecode {
                try? FileDescriptor.standardError.write("note: \(note.message)\n")
            }
        }
        do {
            try reader.read(input, analyzer) { event, bytes, _ in try command.take(event, bytes) }
            if let shortfall = analyzer.summary.shortfall { throw ToolError(.malformed, "incomplete-body", shortfall) }
            try command.writeManifest(["parts": command.partList])
        } catch {
            if arguments.has("--keep") { command.keep(after: error) }
            throw error
        }
    }

    /// Creates the directory if it is missing. Throws if it has a manifest.
    private init(into directory: String) throws {
        self.directory = directory
        do throws(POSIXError) {
            try createDirectory(directory)
        } catch {
            throw ToolError.creating(directory, error)
        }
        var status = stat()
        let place = path(of: PartNames.manifest)
        guard lstat(place, &status) != 0 else { throw ToolError.creating(place, POSIXError(.EEXIST)) }
        manifest = try OutputFile(beside: place)
    }

    deinit {
        // Releasing the last reference to an unfinished file removes the file.
        (manifest, file) = (nil, nil)
        for (path, identity) in files { identity.remove(at: path) }
        for directory in createdDirectories.reversed() { rmdir(directory) }
    }

    private func createDirectory(_ path: String) throws(POSIXError) {
        if mkdir(path, 0o777) != 0 {
            let error = POSIXError.current
            guard error.code != .EEXIST else { return }
            let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            let parent = trimmed.drop { $0 != UInt8(ascii: "/") }
            guard error.code == .ENOENT, !parent.isEmpty else { throw error }
            try createDirectory(String(decoding: parent.reversed(), as: UTF8.self))
            var status = stat()
            // A path that ends in `.` or `..` exists once its parent does.
            if stat(path, &status) == 0, status.kind == S_IFDIR { return }
            guard mkdir(path, 0o777) == 0 else { throw .current }
        }
        createdDirectories.append(path)
    }

    private func path(of name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    private func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            // A field's name is made as safe as a file name.
            let name = headers.name.flatMap(SafeFilename.make)
            wantedName = headers.safeFilename ?? name ?? "part"
            file = try OutputFile(beside: path(of: wantedName))
            parts.append(Report.members(headers))
        case .body:
            try file?.descriptor.write(bytes)
        case .endOfPart:
            try endPart()
        case .end:
            break
        }
    }

    /// Completes the last part's file, under the next free variant of the name that it wants.
    private func endPart() throws {
        guard let file, let last = parts.indices.last else { return }
        // The loop ends, because each pass tries another name, and only finitely many files exist.
        while true {
            let name = names.next(for: wantedName)
            let path = path(of: name)
            guard let identity = try file.finish(at: path) else { continue }
            self.file = nil
            files.append((path, identity))
            parts[last].merge(["file": .text(name), "length": .number(UInt64(identity.size))]) { $1 }
            return
        }
    }

    /// Writes the manifest, and keeps all files from then on. After an error, the manifest is not written again.
    private func writeManifest(_ object: [String: JSONValue]) throws {
        let file = manifest
        manifest = nil
        try file?.descriptor.write("\(Report.json(object))\n")
        try file?.finish()
        keepFiles()
    }

    private var partList: JSONValue { .array(parts.map(JSONValue.object)) }

    private func keepFiles() {
        (createdDirectories, files) = ([], [])
    }

    /// Keeps what came before an error, including the incomplete part, as far as the system can write it.
    private func keep(after error: any Error) {
        for index in parts.indices { parts[index]["complete"] = .boolean(parts[index]["file"] != nil) }
        try? endPart()
        keepFiles()
        var object = ["parts": partList]
        object["error"] = error is POSIXError ? nil : .object(ToolError(error).members)
        try? writeManifest(object)
    }
}
