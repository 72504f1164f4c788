import MultipartFormCodec

/// `formdata decode`: writes the content of each part to a file, and a manifest that describes the parts.
///
/// - All files are created in one directory, whatever path a file name contains.
/// - No existing file is replaced.
/// - The deinitializer removes all files, unless the command succeeds or has the option `--keep`.
/// - Memory holds the header fields of all parts, but no content.
final class DecodeCommand {
    private let directory: String
    /// The directories that the command has created and that the deinitializer removes, parents before children.
    private var createdDirectories: [String] = []
    private var manifest: OutputFile?
    private var names = PartNames()
    private var parts: [[String: JSONValue]] = []
    /// The file of the current part; nil outside of a part.
    private var file: OutputFile?
    /// The finished files that the deinitializer removes; empty once the files are kept.
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

    /// Creates the directory, if it is missing, and a temporary file for the manifest. Throws if the directory already
    /// has a manifest.
    private init(into directory: String) throws {
        self.directory = directory
        do throws(POSIXError) {
            try createDirectory(directory)
        } catch {
            throw ToolError.creating(directory, error)
        }
        let place = path(of: PartNames.manifest)
        do throws(POSIXError) {
            try NewFile.checkVacancy(of: place)
        } catch {
            throw ToolError.creating(place, error)
        }
        manifest = try OutputFile(beside: place)
    }

    deinit {
        // Releasing the last reference to an unfinished file removes the file.
        (manifest, file) = (nil, nil)
        for (path, identity) in files { identity.remove(at: path) }
        for directory in createdDirectories.reversed() { rmdir(directory) }
    }

    private func createDirectory(_ path: String) throws(POSIXError) {
        do throws(POSIXError) {
            try makeDirectory(path)
        } catch {
            guard error.code != .EEXIST else { return }
            let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            let parent = trimmed.drop { $0 != UInt8(ascii: "/") }
            guard error.code == .ENOENT, !parent.isEmpty else { throw error }
            try createDirectory(String(decoding: parent.reversed(), as: UTF8.self))
            // A path such as `a/.` or `a/..` exists as soon as its parent `a` has been created.
            if let status = try? FileDescriptor.status(of: path), status.kind == S_IFDIR { return }
            try makeDirectory(path)
        }
    }

    private func makeDirectory(_ path: String) throws(POSIXError) {
        _ = try SystemCalls.retryingOnEINTR { mkdir(path, 0o777) }
        createdDirectories.append(path)
    }

    private func path(of name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    private func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
        switch event {
        case .part(let headers):
            // Without a usable file name, the field name becomes the name of the file. Both names are made safe by the
            // same rules.
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

    /// Moves the file of the current part to a path at which nothing exists, such as `a-2.txt` if `a.txt` exists.
    /// Records the file's name and length.
    private func endPart() throws {
        guard let file, let last = parts.indices.last else { return }
        // The loop ends, because each pass tries a new name, and only finitely many files exist.
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

    /// Writes the manifest, then keeps all files. If the first call fails, a second call only keeps the files: it does
    /// not write the manifest again.
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

    /// Keeps the files that were written before an error, even the file of an incomplete part. Then writes the
    /// manifest. Ignores further errors.
    private func keep(after error: any Error) {
        for index in parts.indices { parts[index]["complete"] = .boolean(parts[index]["file"] != nil) }
        try? endPart()
        keepFiles()
        var object = ["parts": partList]
        object["error"] = error is POSIXError ? nil : .object(ToolError(error).members)
        try? writeManifest(object)
    }
}
