import Foundation

/// Where `encode` writes: standard output, a new file, a file that is replaced at the end, or a device.
enum Output {
    /// Standard output or a device; never removed.
    case stream(FileDescriptor)
    /// A new file, which is not in its place yet.
    case file(OutputFile, place: String)
    /// A file that takes the place of another one, and its permissions.
    case replacement(OutputFile, place: String, permissions: mode_t)

    /// Opens a path; nil and `-` are standard output.
    ///
    /// - Throws: ``ToolError`` if it cannot be created, or exists and is not to be replaced, or written to if it is a
    ///   device.
    init(path: String?, replacesFile: Bool) throws {
        guard let path, path != "-" else {
            self = .stream(.standardOutput)
            return
        }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT {
            self = .file(try OutputFile(beside: path), place: path)
            return
        }
        do throws(POSIXError) {
            guard replacesFile else { throw POSIXError(.EEXIST) }
            guard stat(path, &status) == 0 else { throw FileDescriptor.lastError }
            guard status.st_mode & S_IFMT == S_IFREG else {
                self = .stream(try FileDescriptor.open(path, O_WRONLY | O_NOCTTY))
                return
            }
            guard access(path, W_OK) == 0 else { throw FileDescriptor.lastError }
        } catch {
            throw ToolError.creating(path, error)
        }
        // A link stays, and leads to the new file.
        let place = FileDescriptor.resolved(path) ?? path
        let file = try OutputFile(beside: place, permissions: 0o600)
        self = .replacement(file, place: place, permissions: status.st_mode & 0o777)
    }

    /// Writes all bytes of a span.
    func write(_ bytes: Span<UInt8>) throws {
        switch self {
        case .stream(let descriptor): try descriptor.write(bytes)
        case .file(let file, _), .replacement(let file, _, _): try file.write(bytes)
        }
    }

    /// Completes the output: only now a file stays, or takes the place of another.
    func finish() throws {
        switch self {
        case .stream:
            break
        case .file(let file, let place):
            guard try file.finish(at: place) else { throw ToolError.creating(place, POSIXError(.EEXIST)) }
            file.keep()
        case .replacement(let file, let place, let permissions):
            try file.finish(replacing: place, permissions: permissions)
        }
    }
}
