import MultipartFormCodec

/// `formdata encode`: writes a message with the fields and files that the arguments name.
enum EncodeCommand {
    static func run(_ words: [String]) throws {
        let values = ["-F", "--form-string", "--boundary", "-o"]
        let arguments = try Arguments(words, values: values, flags: ["--normalize-newlines", "--force"])
        guard !arguments.has("--help") else { return try FileDescriptor.standardOutput.write(HelpText.encode) }
        try arguments.checkOperands(atMost: 0)
        let path = try arguments.value("-o")
        guard path != "" else { throw ToolError.usage("option -o wants a path") }
        let form = try form(of: arguments)
        var reader = try form.makeReader()
        let isTerminal = path == nil && isatty(FileDescriptor.standardOutput.number) == 1
        var scanner = isTerminal ? TerminalText.Scanner() : nil
        // Before anything is printed on a terminal, the first chunk is checked for bytes that could control the
        // terminal. Most binary files have such bytes near their start.
        let first = isTerminal ? try nextChunk(of: &reader, &scanner) : nil
        let (output, file) = try openOutput(path ?? "-", replacesFile: arguments.has("--force"))
        try? FileDescriptor.standardError.write("Content-Type: \(form.contentType)\n")
        if let length = reader.length { try? FileDescriptor.standardError.write("Content-Length: \(length)\n") }
        try output.write((first ?? Data()).span)
        try write(&reader, to: output, &scanner)
        try file?.finish()
        if reader.length == nil { try? FileDescriptor.standardError.write("Content-Length: \(reader.offset)\n") }
    }

    /// Opens the output at a path; the path `-` is standard output.
    ///
    /// | what exists at the path | output |
    /// | --- | --- |
    /// | nothing | a new file |
    /// | a file | a new file, which replaces the old file when it is complete |
    /// | a device or FIFO | the device or FIFO |
    ///
    /// The result has an ``OutputFile`` only if the output is a new file. Throws if something exists at the path and
    /// `replacesFile` is false.
    private static func openOutput(_ path: String, replacesFile: Bool) throws -> (FileDescriptor, OutputFile?) {
        guard path != "-" else { return (.standardOutput, nil) }
        do throws(POSIXError) {
            try NewFile.checkVacancy(of: path)
        } catch {
            guard error.code == .EEXIST, replacesFile else { throw ToolError.creating(path, error) }
            return try openExisting(path)
        }
        let file = try OutputFile(beside: path)
        return (file.descriptor, file)
    }

    private static func openExisting(_ path: String) throws -> (FileDescriptor, OutputFile?) {
        do throws(POSIXError) {
            let status = try FileDescriptor.status(of: path)
            _ = try SystemCalls.retryingOnEINTR { access(path, W_OK) }
            if status.kind != S_IFREG {
                let output = try FileDescriptor.open(path, O_WRONLY | O_NOCTTY)
                // A file may have taken the place of the device after its status was read. Writing to this file would
                // overwrite its old bytes in place, so this is an error.
                guard try output.status().kind != S_IFREG else { throw POSIXError(.EEXIST) }
                return (output, nil)
            }
        } catch {
            throw ToolError.creating(path, error)
        }
        // Resolves links, so that a link at the path is kept, and the file that it leads to is replaced.
        guard let place = FileDescriptor.resolved(path) else {
            throw ToolError.creating(path, POSIXError(.EILSEQ))
        }
        let file = try OutputFile(beside: place, replacesFile: true)
        return (file.descriptor, file)
    }

    /// Reads the next chunk of the form; returns nil at the end of the form. Throws if the scanner finds bytes that
    /// could control the terminal. The scanner is nil if the output is not a terminal, or if the option `-o` is given.
    private static func nextChunk(
        of reader: inout EncodedFormReader,
        _ scanner: inout TerminalText.Scanner?
    ) throws -> Data? {
        let chunk = try reader.next(maxLength: 1 << 20)
        if let chunk, scanner?.finds(in: chunk) == true {
            throw ToolError.usage(
                "form is binary: -o FILE writes it to a file, --output - to the terminal all the same"
            )
        }
        return chunk
    }

    private static func write(
        _ reader: inout EncodedFormReader,
        to output: FileDescriptor,
        _ scanner: inout TerminalText.Scanner?
    ) throws {
        var progress = ProgressBar(total: reader.length)
        defer { progress.finish() }
        while let chunk = try nextChunk(of: &reader, &scanner) {
            try Interruption.check()
            try output.write(chunk.span)
            progress.advance(by: chunk.count)
        }
    }

    private static func form(of arguments: Arguments) throws -> MultipartFormData {
        var fields: [FieldArgument] = []
        for (name, value) in arguments.options {
            if name == "-F" { fields += try FieldArgument.parse(value) }
            if name == "--form-string" { fields.append(try FieldArgument.literal(value)) }
        }
        try checkSharedInputs(of: fields)
        var form = MultipartFormData()
        if let text = try arguments.value("--boundary") {
            do {
                form.boundary = try Boundary(parsing: text)
            } catch let error as MultipartError {
                throw ToolError(.usage, error.code.description, error.description)
            }
        }
        for field in fields {
            for note in field.notes {
                let text = TerminalText.escaped("field \"\(field.name)\": \(note)")
                try? FileDescriptor.standardError.write("note: \(text)\n")
            }
            do {
                form.append(try part(field, normalizesNewlines: arguments.has("--normalize-newlines")))
            } catch let error as MultipartError {
                throw ToolError(error, ofPart: form.count, named: field.name)
            }
            if let error = form.firstError { throw error }
        }
        return form
    }

    /// Throws if two fields read the same input, such as a FIFO or standard input, whose bytes can be read only once.
    private static func checkSharedInputs(of fields: [FieldArgument]) throws {
        var inputs: Set<SharedInput> = []
        for case .path(let path) in fields.map(\.content) {
            guard let input = SharedInput(path), !inputs.insert(input).inserted else { continue }
            let label = input == SharedInput("-") ? FileDescriptor.standardInput.label : path
            throw ToolError.usage("\(label) can be read by one field only")
        }
    }

    /// Creates the part of a field.
    ///
    /// | content | how the part reads its content |
    /// | --- | --- |
    /// | a text | from memory |
    /// | a file | through a URL |
    /// | a file whose line breaks are normalized | as a stream of unknown length |
    /// | a pipe, FIFO or device | as a stream of unknown length |
    /// | a file that was removed after it was opened, such as `/dev/fd/3` | as a stream of unknown length |
    /// | standard input | as a stream |
    ///
    /// The length of standard input is known if standard input is a file and its line breaks are not normalized.
    private static func part(_ field: FieldArgument, normalizesNewlines: Bool) throws -> BodyPart {
        let (name, filename, type) = (field.name, field.filename, field.type)
        // Line breaks are normalized only in parts without a file name.
        let isNormalized = normalizesNewlines && filename == nil
        switch field.content {
        case .text(let text):
            let bytes = isNormalized ? ASCII.normalizingLineBreaks(text.utf8) : Array(text.utf8)
            return BodyPart(Data(bytes), name: name, filename: filename, contentType: type)
        case .path(let path):
            let status = Result { () throws(POSIXError) in try FileDescriptor.status(of: path) }
            let kind = try? status.get().kind
            let resolved = FileDescriptor.resolved(path)
            let isStream = kind.map { $0 != S_IFDIR && ($0 != S_IFREG || isNormalized || resolved == nil) } ?? false
            guard isStream || path == "-" else {
                // Passes the resolved path, because `URL` removes `..` from a path without following links.
                let url = URL(fileURLWithPath: resolved ?? path)
                let part =
                    if let filename {
                        try BodyPart(contentsOf: url, name: name, filename: filename, contentType: type)
                    } else {
                        try BodyPart(fieldContentsOf: url, name: name, contentType: type)
                    }
                // The system has refused the file's status, but the library has found the file. A URL sends the file's
                // line breaks as they are, although they must be normalized. So this is an error.
                if isNormalized, case .failure(let error) = status { throw ToolError.opening(path, error) }
                return part
            }
            // Opens standard input now, not when the part is read, so that an error is thrown before anything is
            // printed.
            let input = path == "-" ? try FileDescriptor.input(path) : nil
            let length = isNormalized ? nil : input?.remainingLength
            let read = { @Sendable () throws in
                let stream = ContentStream(try .openInput(path), normalizesNewlines: isNormalized)
                return { () throws -> Data? in try stream.read() }
            }
            return BodyPart(reading: read, length: length, name: name, filename: filename, contentType: type)
        }
    }
}
