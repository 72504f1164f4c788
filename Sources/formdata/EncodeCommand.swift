import Foundation
import MultipartForm

/// `formdata encode`: builds a form from its fields and writes it.
struct EncodeCommand {
    private let fields: [FieldArgument]
    private let boundary: Boundary
    private let normalizesNewlines: Bool
    private let outputPath: String?
    private let replacesOutput: Bool

    /// Runs the command with the words after its name.
    static func run(_ words: [String]) throws {
        let known: [Arguments.Option] = [
            .value("-F", "--form"), .value("--form-string"), .value("--boundary"), .value("-o", "--output"),
            .flag("--normalize-newlines"), .flag("--force"),
        ]
        let arguments = try Arguments(words, known)
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
        let text = try arguments.value("--boundary")
        guard let boundary = text.map({ try? Boundary($0, mode: .strict) }) ?? .random() else {
            throw ToolError(.usage, "invalid-boundary", "boundary is not 1 to 70 legal characters")
        }
        self.boundary = boundary
        normalizesNewlines = arguments.has("--normalize-newlines")
        outputPath = try arguments.value("-o")
        replacesOutput = arguments.has("--force")
        guard outputPath != "" else { throw ToolError.usage("option -o wants a path") }
    }

    private func encode() throws {
        var form = MultipartFormData(boundary: boundary)
        for field in fields {
            form.append(try part(field, index: form.count))
            if let error = form.firstError { throw error }
        }
        var reader = try form.makeReader()
        let output = try Output(path: outputPath, replacesFile: replacesOutput)
        Console.report("Content-Type: \(form.contentType)")
        if let length = reader.length { Console.report("Content-Length: \(length)") }
        try Self.write(&reader, to: output)
        try output.finish()
        if reader.length == nil { Console.report("Content-Length: \(reader.offset)") }
    }

    private static func write(_ reader: inout FormDataReader, to output: Output) throws {
        var progress = ProgressBar(total: reader.length)
        defer { progress.finish() }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            try Interruption.check()
            // SAFETY: the buffer is filled inside the closure only.
            let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
            guard count > 0 else { return }
            try output.write(buffer.span.extracting(..<count))
            progress.advance(by: count)
        }
    }

    private func part(_ field: FieldArgument, index: Int) throws -> BodyPart {
        switch field.content {
        case .text(let text):
            var normalizer = LineBreakNormalizer()
            let bytes = normalizesText(of: field) ? Data(normalizer.normalize(text.utf8)) : Data(text.utf8)
            return BodyPart(bytes, name: field.name, filename: field.filename, contentType: field.type)
        case .value(let path):
            return try part(field, at: path, filename: field.filename, type: field.type, index: index)
        case .file(let path):
            // Bytes, since a slash and a combining mark after it are one Character.
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let last = String(path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...])
            let filename = field.filename ?? last
            // The type that the file name to send implies, else the one of the path.
            let guess = Self.type(ofFile: filename) ?? Self.type(ofFile: last) ?? "application/octet-stream"
            return try part(field, at: path, filename: filename, type: field.type ?? guess, index: index)
        }
    }

    /// The part with what stands at a path. A FIFO, a pipe, a device and text that is normalised are read as streams,
    /// whose length is not known before; so is a file that no path leads to any more.
    private func part(
        _ field: FieldArgument,
        at path: String,
        filename: String?,
        type: String?,
        index: Int
    ) throws -> BodyPart {
        let isNormalized = normalizesText(of: field)
        if path == "-" {
            let source = try InputSource(path: path)
            let length = isNormalized ? nil : source.length
            return BodyPart(length: length, name: field.name, filename: filename, contentType: type) {
                ContentStream(source, normalizesNewlines: isNormalized)
            }
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        let resolved = FileDescriptor.resolved(path)
        if exists, kind != S_IFDIR, kind != S_IFREG || isNormalized || resolved == nil {
            return BodyPart(length: nil, name: field.name, filename: filename, contentType: type) {
                ContentStream(try InputSource(path: path), normalizesNewlines: isNormalized)
            }
        }
        // A URL takes `..` out of a path without a look at links, so they have been followed.
        let url = URL(fileURLWithPath: resolved ?? path)
        do {
            return try BodyPart(contentsOf: url, name: field.name, filename: filename, contentType: type)
        } catch {
            throw Self.located(error, partIndex: index, partName: field.name)
        }
    }

    /// Whether a field is text to be normalised: a file never is.
    private func normalizesText(of field: FieldArgument) -> Bool {
        if case .file = field.content { return false }
        return normalizesNewlines && field.filename == nil
    }

    private static func type(ofFile name: String) -> String? {
        let bytes = name.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else { return nil }
        return BodyPart.contentType(ofPathExtension: String(name[bytes.index(after: dot)...]))
    }

    /// An error of one part's content, as a form reports it.
    private static func located(
        _ error: MultipartEncodingError,
        partIndex: Int,
        partName: String
    ) -> MultipartEncodingError {
        let underlying = error.underlying
        return MultipartEncodingError(error.reason, partIndex: partIndex, partName: partName, underlying: underlying)
    }
}

extension BodyPart {
    /// Stands in for the library's own function of this name.
    fileprivate static func contentType(ofPathExtension pathExtension: String) -> String? {
        let type = MediaType.forPathExtension(pathExtension)
        return type == MediaType.octetStream ? nil : type
    }
}
