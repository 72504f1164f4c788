import Foundation
import MultipartForm

/// `formdata encode`: builds a form from its fields and writes it.
struct EncodeCommand {
    private let fields: [FieldArgument]
    private let boundary: Boundary
    private let normalizesNewlines: Bool
    private let outputPath: String?
    private let replacesOutput: Bool

    /// Runs the command with the words behind its name.
    static func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words,
            [
                .value("-F", "--form"), .value("--form-string"), .value("--boundary"), .value("-o", "--output"),
                .flag("--normalize-newlines"), .flag("--force"),
            ]
        )
        guard !arguments.wantsHelp else { return try Console.show(HelpText.encode) }
        try EncodeCommand(arguments).encode()
    }

    private init(_ arguments: Arguments) throws {
        try arguments.checkOperands(atMost: 0)
        var fields: [FieldArgument] = []
        for (name, value) in arguments.options {
            if name == "-F" { fields += try FieldArgument.parse(value) }
            if name == "--form-string" { fields.append(try FieldArgument.literal(value)) }
        }
        guard fields.count(where: \.readsStandardInput) <= 1 else {
            throw ToolError.usage("standard input can be read by one field only")
        }
        self.fields = fields
        if let text = try arguments.value("--boundary") {
            guard let boundary = Boundary(text) else {
                throw ToolError(.usage, "invalid-boundary", "boundary is not 1 to 70 legal characters")
            }
            self.boundary = boundary
        } else {
            self.boundary = .random()
        }
        normalizesNewlines = arguments.has("--normalize-newlines")
        outputPath = try arguments.value("-o")
        replacesOutput = arguments.has("--force")
    }

    private func encode() throws {
        var form = MultipartFormData(boundary: boundary)
        for field in fields {
            try append(field, to: &form)
            if let error = form.firstError { throw error }
        }
        let length = form.encodedLength
        let output = try OutputDestination(path: outputPath, replacesFile: replacesOutput)
        Console.report("Content-Type: \(form.contentType)")
        if let length { Console.report("Content-Length: \(length)") }
        let written = try write(form, length: length, to: output)
        try output.finish()
        if length == nil { Console.report("Content-Length: \(written)") }
    }

    private func write(
        _ form: MultipartFormData,
        length: UInt64?,
        to output: OutputDestination
    ) throws -> UInt64 {
        var progress = ProgressBar(total: length)
        defer { progress.finish() }
        do throws(MultipartEncodingError) {
            return try form.write { bytes throws(MultipartEncodingError) in
                guard !Interruption.isRequested else { throw MultipartEncodingError(.cancelled) }
                do throws(POSIXError) {
                    try output.write(bytes)
                } catch {
                    throw MultipartEncodingError(.outputStreamWriteFailed, underlying: error)
                }
                progress.advance(by: bytes.count)
            }
        } catch {
            try Interruption.check()
            let cause = error.reason == .outputStreamWriteFailed ? error.underlying as? POSIXError : nil
            throw cause?.code == .EPIPE ? Console.BrokenPipe() : error
        }
    }

    private func append(_ field: FieldArgument, to form: inout MultipartFormData) throws {
        switch field.content {
        case .text(let text):
            form.append(
                BodyPart(
                    bytes(of: text, in: field),
                    name: field.name,
                    filename: field.filename,
                    contentType: field.type
                )
            )
        case .file(path: "-"):
            let type = field.type ?? "application/octet-stream"
            try appendStandardInput(field, filename: field.filename ?? "-", type: type, to: &form)
        case .value(path: "-"):
            try appendStandardInput(field, filename: field.filename, type: field.type, to: &form)
        case .file(let path):
            let last = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
            let filename = field.filename ?? last
            let type = field.type ?? Self.mediaType(ofFile: filename, at: last)
            try appendFile(field, path: path, filename: filename, type: type, to: &form)
        case .value(let path):
            try appendFile(field, path: path, filename: field.filename, type: field.type, to: &form)
        }
    }

    /// The type that the file name to send tells, else the one of the path.
    private static func mediaType(ofFile filename: String, at path: String) -> String {
        let type = MediaType.forFilename(filename)
        return type == MediaType.octetStream ? MediaType.forFilename(path) : type
    }

    private func bytes(of text: String, in field: FieldArgument) -> Data {
        normalizesText(of: field) ? Data(NewlineNormalizer.normalized(text.utf8)) : Data(text.utf8)
    }

    /// Whether a field is text to be normalised: a file never is.
    private func normalizesText(of field: FieldArgument) -> Bool {
        if case .file = field.content { return false }
        return normalizesNewlines && field.filename == nil
    }

    /// Appends what stands at a path. A FIFO, a pipe and a device are read as streams of a length that nobody knows
    /// first, and so is text that is normalised.
    private func appendFile(
        _ field: FieldArgument,
        path: String,
        filename: String?,
        type: String?,
        to form: inout MultipartFormData
    ) throws {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            let error = FileDescriptor.lastError
            let code = MultipartEncodingError.Reason.bodyPartFileNotReachable(at: URL(fileURLWithPath: path)).code
            let fact = "part \(form.count) \"\(field.name)\": file is not reachable"
            throw ToolError(.noInput, code, fact, path: path, error)
        }
        let isNormalized = normalizesText(of: field)
        let hasLength = status.st_mode & S_IFMT == S_IFREG && !isNormalized
        if hasLength || status.st_mode & S_IFMT == S_IFDIR, let url = Self.url(of: path) {
            return form.append(url, withName: field.name, fileName: filename, mimeType: type)
        }
        form.append(length: nil, withName: field.name, fileName: filename, mimeType: type) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            return DescriptorStream(file, ownsDescriptor: true, normalizesNewlines: isNormalized)
        }
    }

    /// The URL of a file; nil if its path leads to no place in a directory, as that of a removed file may.
    ///
    /// A URL takes `..` out of a path without a look at links, so they are followed first.
    private static func url(of path: String) -> URL? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return URL(fileURLWithPath: String(cString: resolved))
    }

    /// Appends standard input. Its length is known if it is a regular file.
    private func appendStandardInput(
        _ field: FieldArgument,
        filename: String?,
        type: String?,
        to form: inout MultipartFormData
    ) throws {
        let status = try InputSource.standardInputStatus()
        let isNormalized = normalizesText(of: field)
        form.append(
            length: isNormalized ? nil : status.remainingLength,
            withName: field.name,
            fileName: filename,
            mimeType: type
        ) {
            DescriptorStream(.standardInput, ownsDescriptor: false, normalizesNewlines: isNormalized)
        }
    }
}
